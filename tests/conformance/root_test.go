package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakeTools are minimal versions of the programs called by make.sh. Like the real one, debootstrap does not create the
// parents of its folder, and changes its working directory.
var fakeTools = map[string]string{
	"debootstrap": `for root; do :; done; mkdir -p "$root"; cd / && mkdir "$root/etc" && cd "$root" || exit 1
echo "deb http://mirror sid main" > etc/apt.list; mkdir -p etc/apt usr/lib/x86_64-linux-gnu/rocblas/1/library
mv etc/apt.list etc/apt/sources.list; echo sid > etc/debian_version
touch usr/lib/x86_64-linux-gnu/rocblas/1/library/kernels_gfx90a.co`,
	"chroot": `cd / && test -e "$1/etc/debian_version"`,
}

// TestMakeRootOfRelativeFolder runs make.sh with fake tools for a relative folder without an existing parent.
func TestMakeRootOfRelativeFolder(t *testing.T) {
	script, err := filepath.Abs("root/make.sh")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Skip("the sources are not here")
	}
	if runtime.GOOS != "linux" {
		t.Skip("make.sh is for Linux")
	}
	tools, work := t.TempDir(), t.TempDir()
	for name, body := range fakeTools {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("sh", script, "rocm-7.2", ".conformance/rocm-7.2")
	c.Dir = work
	c.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root := filepath.Join(work, ".conformance", "rocm-7.2")
	list, err := os.ReadFile(filepath.Join(root, "etc/apt/sources.list"))
	if err != nil || !strings.Contains(string(list), " experimental ") {
		t.Errorf("sources.list is %q: %v", list, err)
	}
	for _, file := range []string{"conformance/source/hip.c",
		"usr/lib/x86_64-linux-gnu/rocblas/1/library/kernels_gfx942.co"} {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Error(err)
		}
	}
}
