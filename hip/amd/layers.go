package amd

import (
	"sync"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// layerNames are the prefixes of the functions of the libraries above rocBLAS and rocSOLVER.
var layerNames = [...]string{"hipsolver", "hipblas"}

// layerVersions are the major versions of the libraries, newest first.
var layerVersions = map[string][]string{"hipsolver": {".1", ".0", ""}, "hipblas": {".3", ".2", ""}}

// layer is a library above rocBLAS and rocSOLVER.
type layer struct {
	once    sync.Once
	library *dl.Library
	err     error
}

// open opens the library when it is first used: most programs do not use it.
func (y *layer) open(name string) error {
	y.once.Do(func() {
		from := search()
		var files []string
		for _, version := range layerVersions[name] {
			files = append(files, "lib"+name+".so"+version)
		}
		y.library = from.Open(files...)
		if err := from.Err(); err != nil {
			y.err = driver.Faultf(driver.ErrorNotSupported, "%s", err)
		}
	})
	return y.err
}
