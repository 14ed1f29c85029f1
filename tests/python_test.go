package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python3 returns the interpreter. The test is skipped without one.
func python3(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const check = "import sys; sys.exit(sys.version_info < (3, 9))"
	if out, err := exec.Command(path, "-c", check).CombinedOutput(); err != nil {
		t.Skipf("python3 is older than 3.9, or does not run: %s", out)
	}
	return path
}

// TestPython runs testdata/python/use.py, which uses the module of the folder python with the program.
func TestPython(t *testing.T) {
	t.Parallel()
	c := exec.Command(python3(t), "-W", "error", "testdata/python/use.py")
	c.Env = append(os.Environ(), "ROCLUA="+program(t, "roclua"), "PYTHONPATH=../python", "PYTHONDONTWRITEBYTECODE=1")
	if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPythonPackage installs a copy of the folder python.
func TestPythonPackage(t *testing.T) {
	t.Parallel()
	python := python3(t)
	if out, err := exec.Command(python, "-c", "import setuptools, wheel, pip").CombinedOutput(); err != nil {
		t.Skipf("python3 lacks pip, setuptools or wheel: %s", out)
	}
	folder, to := t.TempDir(), t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("../python")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps",
		"--target", to, folder)
	c.Env = append(os.Environ(), "PIP_DISABLE_PIP_VERSION_CHECK=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"roclua/__init__.py", "roclua/py.typed"} {
		if _, err := os.Stat(filepath.Join(to, name)); err != nil {
			t.Error(err)
		}
	}
}
