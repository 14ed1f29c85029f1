package baseline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"roclua/input"
	"roclua/internal/atomicfile"
)

// File is a baseline file: TOML with a table for each case and a line for each value, both sorted by name, so that a
// changed value changes one line.
type File struct {
	Path  string
	Cases map[string]Values

	Numbers map[string]string // by platform, the libraries that decided its rounding errors
}

// numbersTable is the table of File.Numbers. It is not the id of a case.
const numbersTable = "numbers"

const heading = "# Reviewed values of cases. Written by roclua run --update; review changes as you review code.\n"

// Read reads a baseline; a missing file is an empty baseline.
func Read(path string) (*File, error) {
	f := &File{Path: path, Cases: map[string]Values{}, Numbers: map[string]string{}}
	text, err := input.File(path, input.Baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the baseline: %w", err)
	}
	if err := f.parse(string(text)); err != nil {
		return nil, fmt.Errorf("%w; correct the file, or remove it and write it again with roclua run --update", err)
	}
	return f, nil
}

// SetNumbers sets the libraries that decide the rounding errors of a platform, if a case on it has values with any.
func (f *File) SetNumbers(platform, id, text string) {
	for _, v := range f.Cases[id] {
		if _, rounded := v.(float64); rounded && text != "" {
			f.Numbers[platform] = text
		}
	}
}

// Below reads the baselines in a folder and the folders in it, and adds those that the files, by path, do not have.
// Files without the id of a case, such as a configuration, are left out.
func Below(folder string, files map[string]*File) error {
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || files[path] != nil || !strings.EqualFold(filepath.Ext(path), ".toml") {
			return err
		}
		text, err := input.File(path, input.Baseline)
		if err == nil && hasCase.Match(text) {
			files[path], err = Read(path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read the baselines in %s: %w", folder, err)
	}
	return nil
}

// hasCase matches a table of TOML, or an inline one, whose name is the id of a case.
var hasCase = regexp.MustCompile(`(?m)^(\x{feff})?[ \t]*(\[[ \t]*)?["'].*@.*["'][ \t]*[].=]`)

func (f *File) parse(text string) error {
	var cases map[string]any
	if err := input.DecodeTOML(text, &cases); err != nil {
		line, message := 0, err.Error()
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			line, message = syntax.Position.Line, syntax.Message
		}
		return fmt.Errorf("%s:%d: the baseline is not TOML: %s", f.Path, line, message)
	}
	for id, v := range cases {
		values, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: the baseline has a value %s outside a case", f.Path, id)
		}
		for name, v := range values {
			text, isText := v.(string)
			if id == numbersTable && isText {
				f.Numbers[name] = text
				continue
			}
			switch v.(type) {
			case int64, float64, string, bool:
			default:
				return fmt.Errorf("%s: the baseline's %s of %s is a %T, want a number, a string or a boolean", f.Path,
					name,
					id, v)
			}
		}
		if id != numbersTable {
			f.Cases[id] = values
		}
	}
	return nil
}

// Write replaces the file, creating its folder if needed. A file without cases is removed.
func (f *File) Write(s atomicfile.System) error {
	err := s.MakeFolder(filepath.Dir(f.Path))
	switch {
	case err != nil:
	case len(f.Cases) == 0:
		err = s.Remove(f.Path)
	default:
		err = atomicfile.Replace(s, f.Path, f.print)
	}
	if err != nil {
		return fmt.Errorf("cannot write the baseline: %w", err)
	}
	return nil
}

// print writes the file with its tables and keys sorted by name.
func (f *File) print(w io.Writer) error {
	for _, values := range f.Cases {
		for name, v := range values {
			if number, ok := v.(float64); ok && math.IsNaN(number) {
				values[name] = math.NaN() // without a sign
			}
		}
	}
	_, err := io.WriteString(w, heading)
	if len(f.Numbers) > 0 {
		err = errors.Join(err, printTables(w, map[string]any{numbersTable: f.Numbers}))
	}
	return errors.Join(err, printTables(w, f.Cases))
}

func printTables(w io.Writer, tables any) error {
	_, err := io.WriteString(w, "\n")
	e := toml.NewEncoder(w)
	e.Indent = ""
	return errors.Join(err, e.Encode(tables))
}
