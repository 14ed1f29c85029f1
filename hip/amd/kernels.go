package amd

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// kernelFolders are where a library has the files of its kernels.
type kernelFolders struct {
	title    string
	variable string   // the environment variable that names the folder
	below    []string // otherwise patterns of it, from the folder of the library
}

var blasKernels = kernelFolders{title: "rocBLAS", variable: "ROCBLAS_TENSILE_LIBPATH",
	below: []string{"rocblas/*/library", "rocblas/library"}}

// kernelFile matches a file with kernels of an architecture, such as "TensileLibrary_lazy_gfx90a.dat".
var kernelFile = regexp.MustCompile(`^TensileLibrary.*_(gfx[0-9a-f]+)[.](?:dat|yaml)$`)

// check returns an error if a library has kernels in files, and none for an architecture. rocBLAS would end the process
// in the first product of matrices.
func (f kernelFolders) check(library, arch string) error {
	folders := []string{os.Getenv(f.variable)}
	if folders[0] == "" {
		path, err := filepath.EvalSymlinks(library)
		if err != nil {
			return err
		}
		folders = nil
		for _, pattern := range f.below {
			found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), pattern))
			folders = append(folders, found...)
		}
	}
	var have []string
	for _, folder := range folders {
		files, _ := os.ReadDir(folder)
		for _, f := range files {
			if m := kernelFile.FindStringSubmatch(f.Name()); m != nil && !slices.Contains(have, m[1]) {
				have = append(have, m[1])
			}
		}
	}
	name, _, _ := strings.Cut(arch, ":")
	if have == nil || slices.Contains(have, name) {
		return nil
	}
	slices.Sort(have)
	return fmt.Errorf("this %s, %s, has no kernels for the architecture %s (have %s)", f.title, library, name,
		strings.Join(have, ", "))
}
