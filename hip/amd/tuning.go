package amd

import (
	"os"
	"path/filepath"
	"slices"

	"roclua/hip/release"
)

// systemFolders are folders of the loader, where packages of distributions have rocBLAS.
var systemFolders = []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"}

// TuningFolders returns the folders of tuning files of installed versions of rocBLAS, of a release. They are in the
// folder of the library, where the platform finds it.
func TuningFolders(r *release.Release) []string {
	var libraries, found []string
	for _, name := range []string{"librocblas.so." + r.RocBLASMajor()} {
		for _, path := range search().Candidates(name) {
			if path != name {
				libraries = append(libraries, path)
				continue
			}
			for _, folder := range systemFolders {
				libraries = append(libraries, filepath.Join(folder, name))
			}
		}
	}
	for _, path := range libraries {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		for _, below := range []string{"rocblas/library", "rocblas/" + r.RocBLASMajor() + "*/library"} {
			folders, _ := filepath.Glob(filepath.Join(filepath.Dir(path), below))
			found = append(found, folders...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
