package host

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"roclua/host/exit"
)

// fuzzMain runs the program and makes sure that it ends, with a message when it fails.
func fuzzMain(t *testing.T, args []string) {
	var messages bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &messages,
		Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 1}
	code := exit.Code(Main(args, env))
	if code == exit.Defect {
		t.Fatalf("%q: %s", args, &messages)
	}
	if code == exit.Usage && messages.Len() == 0 {
		t.Errorf("%q fails without a message", args)
	}
}

// harmless reports whether arguments write no files.
func harmless(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "--out") || strings.HasPrefix(a, "--plot") || strings.HasPrefix(a, "-o") {
			return false
		}
	}
	return true
}

// manyDigits matches numbers that make a range too long for a fuzz run.
var manyDigits = regexp.MustCompile(`\d{4,}`)

// quick reports whether the ranges in arguments are small. A sweep of millions is legal, but slow.
func quick(text string) bool {
	return !strings.Contains(text, ":") || strings.Count(text, ":") <= 2 && !manyDigits.MatchString(text)
}

// FuzzSizeArguments passes arguments to roclua size, one per line.
func FuzzSizeArguments(f *testing.F) {
	for _, seed := range []string{"dgetrf m=1024 n=1024\ndgetrs n=1024 nrhs=1",
		"dgetrf m=n n=n\n--sweep\nn=64:128:x2\n--json", "--profile\nrocm-6.4,rocm-7.2\ndgemm m=1",
		"--sweep\nn=1:999\ndgetrf m=n n=n", "dtrsm alpha=1+2i", "--arch\ngfx9999\ndgetrf", "gemm_ex a_type=f16"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		if harmless(args) && quick(text) {
			fuzzMain(t, append([]string{"size"}, args...))
		}
	})
}

// FuzzSelection plans the cases of ids, filters, axes and settings without running them.
func FuzzSelection(f *testing.F) {
	dir := f.TempDir()
	for name, text := range map[string]string{
		"config.toml": "[[scenario]]\nscript = 'solve.lua'\nmatrix = { n = [1, 2] }\n",
		"solve.lua":   `return { params = { n = 1, s = "x", b = true }, schemes = "any", run = function(t) end }`} {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	f.Chdir(dir)
	for _, seed := range []string{"solve[scheme=manual,n=1]@cpu/rocm-7.2/gfx90a", "solve", "--axis\nn=1,2,3:9:x2",
		"--filter\n[", "--set\nparams.n=3", "--set\nlimits.timeout=1s",
		"--tags\na,b", "solve.lua\n--axis\ns=1", "config.toml\n--profile\nrocm-7.1", "--set\nenv.X=1\n--seed\n-1",
		"--set\ntarget.platform=x", "@", "x@y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args := strings.Split(text, "\n")
		if harmless(args) && quick(text) && !strings.Contains(text, "platform") {
			fuzzMain(t, append([]string{"inspect"}, args...))
		}
	})
}
