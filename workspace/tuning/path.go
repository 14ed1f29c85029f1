package tuning

import (
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// opened are the libraries of the process, by path and architecture.
var opened sync.Map

// OpenPath opens the tuning files of an architecture in a folder or in a pack. The process reads them once.
func OpenPath(path, arch string) (*Library, error) {
	open := sync.OnceValues(func() (*Library, error) { return openPath(path, arch) })
	once, _ := opened.LoadOrStore([2]string{path, arch}, open)
	return once.(func() (*Library, error))()
}

func openPath(path, arch string) (*Library, error) {
	files, err := Files(path)
	if err != nil {
		return nil, err
	}
	l, err := Open(files, arch)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

// Files returns the files of a folder or a pack, which stays open.
func Files(path string) (fs.FS, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("tuning files: %w", err)
	}
	if info.IsDir() {
		return os.DirFS(path), nil
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("tuning files %s: %w; want a folder with %sARCH%s, or a pack", path, err, prefix,
			extension)
	}
	return z, nil
}
