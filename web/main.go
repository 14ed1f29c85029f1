// Command web writes the page that runs roclua in a browser, and the manual whose examples run, as files for any web
// server:
//
//	go run ./web DIR
//
// The program is compiled for GOOS=js; see page/main.js for the parts of the one script.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/host/exit"
	"roclua/host/report/page"
	"roclua/web/site"
	"roclua/workspace"
)

//go:embed page
var parts embed.FS

// scripts are the parts of the one script, in their order.
var scripts = []string{"files", "worker", "program", "editor", "page", "manual", "main"}

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: go run ./web DIR")
		os.Exit(int(exit.Usage))
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(int(exit.Usage))
	}
}

// write writes all files. It needs the source of the program in the current folder.
func write(folder string) error {
	files, err := files()
	if err != nil {
		return err
	}
	if files["roclua.wasm.gz"], err = program(); err != nil {
		return err
	}
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// files returns all files but the program, by name.
func files() (map[string][]byte, error) {
	files := map[string][]byte{}
	known := data{Profiles: release.Names(), Profile: release.Default().Name, Archs: arch.Names(),
		Arch: arch.Default().Name, Schemes: workspace.Schemes, Examples: map[string][]string{},
		Modules: map[string][]string{}, Exits: map[exit.Code]string{}}
	for _, code := range exit.Codes {
		known.Exits[code] = code.String()
	}
	err := fs.WalkDir(os.DirFS("scripts"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".lua" {
			return err
		}
		group, list := path.Dir(name), known.Examples
		if strings.HasPrefix(path.Base(name), "_") {
			list = known.Modules
		}
		list[group] = append(list[group], path.Base(name))
		files["scripts/"+name], err = os.ReadFile(filepath.Join("scripts", filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		return nil, err
	}
	known.Script = string(files["scripts/query/minimum_size.lua"])
	policy, err := policy()
	if err != nil {
		return nil, err
	}
	layouts, err := template.ParseFS(parts, "page/*.html")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = layouts.ExecuteTemplate(&b, "index.html", struct {
		Policy string
		Data   data
	}{policy, known})
	if err != nil {
		return nil, err
	}
	files["index.html"] = b.Bytes()
	manual, err := site.Files(layouts.Lookup("manual.html"), policy)
	for name, text := range manual {
		files["manual/"+name] = text
	}
	return files, errors.Join(err, assets(files))
}

// data is what the page knows of the program.
type data struct {
	Profiles []string             `json:"profiles"`
	Profile  string               `json:"profile"` // the default, as Arch
	Archs    []string             `json:"archs"`
	Arch     string               `json:"arch"`
	Schemes  []string             `json:"schemes"`
	Examples map[string][]string  `json:"examples"` // the bundled scripts of each folder
	Modules  map[string][]string  `json:"modules"`  // files that they require
	Script   string               `json:"script"`   // the one that the page opens
	Exits    map[exit.Code]string `json:"exits"`
}

// assets adds the style sheet, the script, and the part of Go's runtime that is in JavaScript.
func assets(files map[string][]byte) error {
	script := []byte("\"use strict\";\n")
	for _, name := range scripts {
		text, err := parts.ReadFile("page/" + name + ".js")
		if err != nil {
			return err
		}
		script = append(append(script, '\n'), text...)
	}
	files["roclua.js"] = script
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	name := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")
	files["wasm_exec.js"], err = os.ReadFile(name)
	if err != nil {
		return err
	}
	files["style.css"], err = parts.ReadFile("page/style.css")
	return err
}

// policy returns the Content-Security-Policy of all pages: they load nothing from other servers. A report, which is
// shown in a frame, has one script, which is known by its hash.
func policy() (string, error) {
	var b strings.Builder
	if err := (&page.Document{}).Write(&b, func(func(*page.Case) error) error { return nil }); err != nil {
		return "", err
	}
	_, script, ok := strings.Cut(b.String(), "<script>")
	script, _, isClosed := strings.Cut(script, "</script>")
	if !ok || !isClosed {
		return "", errors.New("the report has no script")
	}
	hash := sha256.Sum256([]byte(script))
	return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-" +
		base64.StdEncoding.EncodeToString(hash[:]) + "'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
		"worker-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'", nil
}

// program compiles the program for browsers and compresses it.
func program() ([]byte, error) {
	folder, err := os.MkdirTemp("", "roclua-web-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "roclua.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", name, ".")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("go build for GOOS=js: %w", err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}
