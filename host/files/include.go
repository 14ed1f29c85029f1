package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"roclua/input"
)

// Bounds on included files.
const (
	mostDepth = 16
	mostBytes = 64 << 20
)

// place is a line of a file.
type place struct {
	file string
	line int
}

func (p place) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{p.file, p.line}, args...)...)
}

// source is the text of a file with those that it includes, and where its lines come from.
type source struct {
	folders []string // where included files are, after the folder of the file
	bytes   int
	open    []string // the files that include each other
	lines   [][]byte
	places  []place
}

// includePattern is an extension of YAML: the text of another file replaces the line.
var includePattern = lazy(`^include\s*:\s*([-.\w/]+)`)

func (s *source) add(name string, text []byte) error {
	s.bytes += len(text)
	if len(s.open) == mostDepth || s.bytes > mostBytes {
		return fmt.Errorf("%s: want at most %d files that include each other, and %d bytes", name, mostDepth, mostBytes)
	}
	s.open = append(s.open, filepath.Clean(name))
	line := 0
	for text := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		line++
		at := place{name, line}
		if m := includePattern().FindSubmatch(text); m != nil {
			if err := s.include(at, string(m[1])); err != nil {
				return err
			}
			continue
		}
		s.lines = append(s.lines, bytes.TrimRight(text, "\r\n"))
		s.places = append(s.places, at)
	}
	s.open = s.open[:len(s.open)-1]
	return nil
}

// include adds the file that a line includes: from the folder of its file, or from one that the user names.
func (s *source) include(at place, name string) error {
	path, text, err := findFile(filepath.Dir(at.file), s.folders, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return at.errorf("no file %s; name its folder, such as -I %s", name,
			cmp.Or(knownFolders[filepath.Base(name)], "FOLDER"))
	case err != nil:
		return at.errorf("%w", err)
	case slices.Contains(s.open, path):
		return at.errorf("%s includes itself", path)
	}
	return s.add(path, text)
}

// findFile reads a file from a folder, or from one that the user names.
func findFile(folder string, others []string, name string) (path string, text []byte, err error) {
	for _, folder := range append([]string{folder}, others...) {
		if path = name; !filepath.IsAbs(name) {
			path = filepath.Join(folder, name)
		}
		if text, err = input.File(path, input.Lines); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return path, text, err
}

// knownFolders are the folders of rocBLAS's source that have common files.
var knownFolders = map[string]string{
	"rocblas_common.yaml": "rocBLAS/clients/include", "rocblas_template.yaml": "rocBLAS/clients/include",
	"known_bugs.yaml": "rocBLAS/clients/gtest",
}

// documents separates the source at the marks of YAML.
func (s *source) documents() []document {
	var list []document
	begin := 0
	end := func(i int) {
		if i > begin {
			list = append(list, document{lines: s.lines[begin:i], places: s.places[begin:i]})
		}
		begin = i + 1
	}
	for i, line := range s.lines {
		if mark, _, _ := bytes.Cut(line, []byte(" ")); string(mark) == "---" || string(mark) == "..." {
			end(i)
		}
	}
	end(len(s.lines))
	return list
}

// at returns the place of a line, from 1.
func (d *document) at(line int) place { return d.places[min(max(line, 1), len(d.places))-1] }
