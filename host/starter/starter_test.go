package starter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/host/config"
	"roclua/internal/atomicfile"
	"roclua/luabind"
)

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	noError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	noError(t, os.WriteFile(path, []byte(text), 0o644))
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	noError(t, err)
	return string(text)
}

// TestCreate creates a project with a loadable configuration and script, and regenerates the files for editors.
func TestCreate(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	put(t, filepath.Join(folder, EditorFolder, "types", "hip.lua"), "old")
	files, err := Create(atomicfile.OS, folder)
	noError(t, err)
	want := []File{{filepath.Join(folder, "config.toml"), false},
		{filepath.Join(folder, "scripts", "first.lua"), false}, {filepath.Join(folder, ".luarc.json"), false}}
	if !slices.Equal(files, want) {
		t.Errorf("the files are %v, want %v", files, want)
	}
	cfg, err := config.Load(filepath.Join(folder, "config.toml"))
	if err != nil || len(cfg.Scenarios) != 1 || cfg.Path(cfg.Scenarios[0].Script) != filepath.Join(folder, "scripts") {
		t.Errorf("the configuration is %+v, %v", cfg, err)
	}
	_, err = luabind.Compile("first.lua", []byte(read(t, files[1].Path)))
	noError(t, err)
	settings := read(t, files[2].Path)
	if !json.Valid([]byte(settings)) || !strings.Contains(settings, `library": [".roclua/types"]`) {
		t.Errorf("the settings of the editor are %s", settings)
	}
	for _, name := range []string{"types/hip.lua", "types/rocblas.lua", "types/rocsolver.lua", "config.schema.json"} {
		if text := read(t, filepath.Join(folder, EditorFolder, filepath.FromSlash(name))); len(text) < 100 {
			t.Errorf("%s is %q", name, text)
		}
	}
	if !strings.Contains(read(t, files[0].Path), EditorFolder+"/config.schema.json") {
		t.Error("the configuration does not name its schema")
	}
}

// fullDisk is a file system that fails to write the file with a given name.
type fullDisk struct {
	atomicfile.System
	name string
}

var errFull = errors.New("no space")

func (d fullDisk) Rename(from, to string) error {
	if filepath.Base(to) == d.name {
		return errFull
	}
	return d.System.Rename(from, to)
}

// TestFailedCreate stops at the first write error, and keeps the user's files.
func TestFailedCreate(t *testing.T) {
	for name, finished := range map[string]int{"config.toml": 0, "first.lua": 1, ".luarc.json": 2} {
		folder := t.TempDir()
		files, err := Create(fullDisk{atomicfile.OS, name}, folder)
		if !errors.Is(err, errFull) || !strings.Contains(err.Error(), name) || len(files) != finished {
			t.Errorf("%s: %v after %v", name, err, files)
		}
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "config.toml")
	put(t, path, "seed = 7\n")
	files, err := Create(fullDisk{atomicfile.OS, ".luarc.json"}, folder)
	want := []File{{path, true}, {filepath.Join(folder, "scripts", "first.lua"), false}}
	if !errors.Is(err, errFull) || !slices.Equal(files, want) || read(t, path) != "seed = 7\n" {
		t.Errorf("%v after %v, and the configuration is %q", err, files, read(t, path))
	}
}

// TestCreateScenario creates scripts in the configured folder.
func TestCreateScenario(t *testing.T) {
	const (
		single  = "[[scenario]]\nscript = \"a.lua\"\n"
		folders = single + "[[scenario]]\nscript = \"missing\"\n[[scenario]]\nscript = \"scripts\"\n" +
			"[[scenario]]\nscript = \"more\"\n"
	)
	for _, test := range []struct{ config, name, want string }{
		{"", "mine", "mine.lua"},
		{"", "solve/mine.lua", "solve/mine.lua"},
		{single, "mine", "mine.lua"},
		{folders, "mine", "scripts/mine.lua"},
		{folders, "scripts/mine", "scripts/mine.lua"},
		{folders, "scripts2/mine", "scripts/scripts2/mine.lua"},
		{folders, "solve/mine.lua", "scripts/solve/mine.lua"},
	} {
		t.Chdir(t.TempDir())
		put(t, "a.lua", "")
		put(t, "scripts/b.lua", "")
		put(t, "more/c.lua", "")
		if test.config != "" {
			put(t, "config.toml", test.config)
		}
		path, err := CreateScenario(atomicfile.OS, test.name, "", "")
		if err != nil || filepath.ToSlash(path) != test.want {
			t.Errorf("%s: %s, %v, want %s", test.name, path, err, test.want)
			continue
		}
		if text := read(t, path); !strings.Contains(text, aboutSolve) {
			t.Errorf("%s: the script is\n%s", test.name, text)
		}
		_, err = CreateScenario(atomicfile.OS, test.name, "", "")
		want := path + " already exists; choose another name, or remove it first"
		if err == nil || err.Error() != want {
			t.Errorf("%s again: %v", test.name, err)
		}
	}
}

func TestBadScenarios(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"", ".lua", "../mine", "/mine", "a/../../mine"} {
		want := "new " + name + ": the name must be a path below the folder of scenarios, such as solve/mine"
		if path, err := CreateScenario(atomicfile.OS, name, "", ""); path != "" || err == nil || err.Error() != want {
			t.Errorf("%q: %s, %v", name, path, err)
		}
	}
	for name, want := range map[string]string{
		"gemm":    "--routine gemm is a family; name one of its routines, such as dgemm (roclua docs gemm lists them)",
		"dgetrff": `--routine dgetrff: there is no such routine, did you mean "dgetrf"?`,
		"":        "",
	} {
		if _, err := CreateScenario(atomicfile.OS, "mine", "", name); (err == nil) != (want == "") ||
			err != nil && err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	put(t, "config.toml", "seed = \n")
	if path, err := CreateScenario(atomicfile.OS, "other", "", ""); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a configuration with a mistake: %s, %v", path, err)
	}
	if _, err := os.Lstat("other.lua"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a scenario was created: %v", err)
	}
}

// TestRoutines creates a scenario that queries a routine, by either of its names.
func TestRoutines(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, test := range []struct {
		routine, call string
		constants     bool
	}{
		{"dgetrf", "q:dgetrf{ m = ", false}, {"rocsolver_dgetrf", "q:dgetrf{ m = ", false},
		{"dtrsm", "q:dtrsm{ side = rocblas.", true}, {"rocblas_dtrsm", "q:dtrsm{ side = rocblas.", true},
	} {
		path, err := CreateScenario(atomicfile.OS, fmt.Sprint("s", i), "what I want", test.routine)
		noError(t, err)
		text := read(t, path)
		if !strings.Contains(text, test.call) || !strings.Contains(text, `"what I want"`) ||
			strings.Contains(text, `require "rocblas"`) != test.constants {
			t.Errorf("%s: the script is\n%s", test.routine, text)
		}
		_, err = luabind.Compile(path, []byte(text))
		noError(t, err)
	}
}
