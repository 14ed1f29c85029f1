package lualib

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"roclua/input"
	"roclua/luabind/vm/script"
)

// folder is a folder that files may be read from. An os.Root resolves names below it step by step, so that neither a
// symbolic link nor a concurrent change of one leads out of it.
type folder struct {
	path string
	root *os.Root
	err  error // of opening it
}

// sourceKind is a file that Compile accepts.
var sourceKind = input.Kind{Name: "script", Most: script.MaxBytes}

// find opens a file.
func (f *folder) find(name string, k input.Kind) (*input.Reader, error) {
	if f.err != nil {
		return nil, f.err
	}
	return input.OpenInFolder(f.root, name, k)
}

// searchPath is the list of folders of a run. They are opened when they are first used.
type searchPath struct {
	paths   []string
	folders []*folder
	tried   []string // files that were looked for, in this order; the folders if these are too many
	many    bool     // they are
	bytes   int      // of the paths of the files
}

// Maximum number of listed files, and of the bytes of their paths. A script that looks for more depends on its folders.
const (
	maxTried      = 1000
	maxTriedBytes = 128 << 10
)

// note adds a file to the list of files that were looked for.
func (s *searchPath) note(path string) {
	if s.many || slices.Contains(s.tried, path) {
		return
	}
	s.tried = append(s.tried, path)
	if s.bytes += len(path); len(s.tried) == maxTried || s.bytes > maxTriedBytes {
		s.tried, s.many = s.paths, true
	}
}

// patterns returns the folders as elements of package.path.
func (s *searchPath) patterns() []string {
	var list []string
	for _, path := range s.paths {
		list = append(list, filepath.Join(path, "?.lua"), filepath.Join(path, "?", "init.lua"))
	}
	return list
}

func (s *searchPath) open() []*folder {
	if s.folders == nil {
		for _, path := range s.paths {
			root, err := os.OpenRoot(path)
			s.folders = append(s.folders, &folder{path, root, err})
		}
	}
	return s.folders
}

func (s *searchPath) close() {
	for _, f := range s.folders {
		if f.root != nil {
			f.root.Close()
		}
	}
	s.folders = nil
}

// find opens the file of a name in the first folder that has one. The file is nil if none has.
func (s *searchPath) find(name string, k input.Kind) (file *input.Reader, path string, err error) {
	for _, f := range s.open() {
		path := filepath.Join(f.path, name)
		s.note(path)
		if file, err := f.find(name, k); !errors.Is(err, fs.ErrNotExist) {
			return file, path, err
		}
	}
	return nil, "", nil
}

// compile compiles the file of a name in the first folder that has one. The script is nil if none has.
func (s *searchPath) compile(name string) (*script.Script, error) {
	file, path, err := s.find(name, sourceKind)
	if file == nil {
		return nil, err
	}
	defer file.Close()
	source, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return script.Compile(path, source)
}

// String lists the folders for messages.
func (s *searchPath) String() string {
	if len(s.paths) == 0 {
		return "no folder"
	}
	return strings.Join(s.paths, ", ")
}
