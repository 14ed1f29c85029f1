package amd

import (
	"fmt"
	"sync"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// layerKinds are the libraries above rocBLAS and rocSOLVER: the prefix of their functions, their title, their files,
// newest first, and their packages of Debian.
var layerKinds = [...]struct {
	name, title string
	files       []string
	packages    string
}{
	{"hipblas", "hipBLAS", []string{"libhipblas.so.3", "libhipblas.so.2", "libhipblas.so"},
		"libhipblas3 or libhipblas2"},
	{"hipsolver", "hipSOLVER", []string{"libhipsolver.so.1", "libhipsolver.so.0", "libhipsolver.so"},
		"libhipsolver1 or libhipsolver0"},
}

// layer is a library above rocBLAS and rocSOLVER.
type layer struct {
	once    sync.Once
	library *dl.Library
	err     error
}

// open opens the library when it is first used: most programs do not use it. The error is a *driver.NoLayer.
func (y *layer) open(kind int) error {
	y.once.Do(func() {
		k, from := &layerKinds[kind], search()
		y.library = from.Open(k.files...)
		if err := from.Err(); err != nil {
			y.err = &driver.NoLayer{Reason: fmt.Sprintf("%s was not found (%s); install %s of Debian or %s of AMD's "+
				"packages, or name its folder in %s", k.title, err, k.packages, k.name, EnvPath)}
		}
	})
	return y.err
}
