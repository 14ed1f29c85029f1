// Package tuning reads the rocBLAS tuning files and chooses the kernel of a GEMM as the library does.
//
// The files are MessagePack. The first file of an architecture has a tree of choices: rows of devices, operations,
// types and sizes. Its leaves name the files of types, which are read when they are first needed. Those have tables of
// sizes, forests of decision trees, and solutions: kernels with conditions. A solution that splits the sum over k
// between several groups of threads may need a workspace for the partial results, and is passed over without one:
//
//	lib, err := tuning.Open(os.DirFS(dir), "gfx90a")
//	kernel, err := lib.Choose(&problem, &device)
//	bytes := kernel.Workspace(&problem)
//
// Nothing is skipped: an unknown kind of condition, table or library is an error that names it and its place. The
// package knows files and products only, neither handles nor devices.
package tuning

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
)

// Library is the tuning files of an architecture. Its methods may be called by several goroutines.
type Library struct {
	files fs.FS
	arch  string
	root  node

	mu     sync.Mutex // of loader
	loader loader
	places map[string]*placeholder
}

const extension = ".dat"

// Libraries are tuning files by the name of their architecture.
type Libraries map[string]*Library

// Open reads the first tuning file of an architecture. The others are read when a choice needs them. Like the library,
// it looks in a folder named like the architecture first.
func Open(files fs.FS, arch string) (*Library, error) {
	if sub, err := fs.Sub(files, arch); err == nil {
		if _, err := fs.Stat(sub, firstFile(arch)); err == nil {
			files = sub
		}
	}
	l := &Library{files: files, arch: arch, places: map[string]*placeholder{}}
	l.loader = newLoader(l.place)
	var err error
	if l.root, err = l.read(strings.TrimSuffix(firstFile(arch), extension)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("no tuning files for %s%s", arch, l.others())
		}
		return nil, err
	}
	return l, nil
}

const prefix = "TensileLibrary_lazy_"

func firstFile(arch string) string { return prefix + arch + extension }

func (l *Library) others() string {
	archs := Architectures(l.files)
	if len(archs) == 0 {
		return "; want " + firstFile(l.arch)
	}
	return "; there are files for " + strings.Join(archs, ", ")
}

// Architectures lists the architectures that have tuning files.
func Architectures(files fs.FS) []string {
	names, _ := fs.Glob(files, prefix+"*"+extension)
	nested, _ := fs.Glob(files, "gfx*/"+prefix+"*"+extension)
	var archs []string
	for _, name := range append(names, nested...) {
		name = name[strings.LastIndexByte(name, '/')+1:]
		archs = append(archs, strings.TrimSuffix(strings.TrimPrefix(name, prefix), extension))
	}
	slices.Sort(archs)
	return slices.Compact(archs)
}

func (l *Library) read(name string) (node, error) {
	data, err := readFile(l.files, name+extension)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.loader.load(name+extension, data)
}

// maxBytes is the size of the largest file that is read. The largest of rocm-7.2 has 13 MB.
const maxBytes = 1 << 30

// readFile reads a file, unless it is too large to be a tuning file.
func readFile(files fs.FS, name string) ([]byte, error) {
	if info, err := fs.Stat(files, name); err == nil && info.Size() > maxBytes {
		return nil, &FileError{name, maxBytes, "the file is too large for a tuning file"}
	}
	return fs.ReadFile(files, name)
}

// placeholder is a file that is read when it is needed.
type placeholder struct {
	library *Library
	name    string
	once    sync.Once
	node    node
	err     error
}

// place returns the file of a name. Several places of the tree name the same file.
func (l *Library) place(name string) node {
	if l.places[name] == nil {
		l.places[name] = &placeholder{library: l, name: name}
	}
	return l.places[name]
}

// stop is the panic of a choice that cannot be made: a file cannot be read, or a kernel is not modelled.
type stop struct{ err error }

func (p *placeholder) load() error {
	p.once.Do(func() { p.node, p.err = p.library.read(p.name) })
	return p.err
}

func (p *placeholder) choose(q *query) *Kernel {
	if err := p.load(); err != nil {
		panic(stop{err})
	}
	return p.node.choose(q)
}

// Choose returns the kernel that the library uses for a product, or nil if no kernel can compute it.
func (l *Library) Choose(p *Problem, d *Device) (k *Kernel, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case stop:
			k, err = nil, e.err
		default:
			panic(e)
		}
	}()
	for {
		q := &query{Problem: p, operation: p.Operation(), device: d}
		if k := l.root.choose(q); k != nil || !p.XF32 {
			return k, nil
		}
		// The library warns, and uses all bits.
		full := *p
		full.XF32 = false
		p = &full
	}
}

// Solution returns the kernel with an index, as the argument solution_index less one; nil if there is none. Files that
// are missing, as in a pack of some types, have none.
func (l *Library) Solution(index int64) *Kernel {
	find := func() *Kernel {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.loader.all[index]
	}
	if k := find(); k != nil {
		return k
	}
	for _, p := range l.named() {
		_ = p.load()
	}
	return find()
}

// named returns the files that are named so far.
func (l *Library) named() []*placeholder {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.places))
}

// Load reads all files that the first file names.
func (l *Library) Load() error {
	for _, p := range l.named() {
		if err := p.load(); err != nil {
			return err
		}
	}
	return nil
}

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
