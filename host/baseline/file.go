package baseline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"roclua/input"
	"roclua/internal/atomicfile"
)

// File is a baseline file: TOML with a table for each case and a line for each value, both sorted by name, so that a
// changed value changes one line.
type File struct {
	Path   string
	Exists bool
	Cases  map[string]Values

	Numbers map[string]string // what the rounding errors of each platform depend on, as it was when they were written
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
	f.Exists = true
	if err := f.parse(string(text)); err != nil {
		return nil, fmt.Errorf("%w; correct the file, or remove it and write it again with roclua run --update", err)
	}
	return f, nil
}

// SetNumbers sets what the rounding errors of a platform depend on, if a case on it has values with any.
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
	if line := conflict(text); line > 0 {
		return fmt.Errorf("%s:%d: the baseline has a merge marker", f.Path, line)
	}
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

// conflict returns the line of the first merge conflict marker, 0 if there is none.
func conflict(text string) int {
	for i, line := range strings.Split(text, "\n") {
		for _, marker := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
			if strings.HasPrefix(line, marker) {
				return i + 1
			}
		}
	}
	return 0
}

// Write replaces the file, creating its folder if needed. A file without cases is removed.
func (f *File) Write(s atomicfile.System) error {
	err := s.MakeFolder(filepath.Dir(f.Path))
	switch {
	case err != nil:
	case len(f.Cases) == 0:
		err = s.Remove(f.Path)
	default:
		err = atomicfile.Replace(s, f.Path, func(w io.Writer) error {
			b := bufio.NewWriter(w)
			f.print(b)
			return b.Flush()
		})
	}
	if err != nil {
		return fmt.Errorf("cannot write the baseline: %w", err)
	}
	return nil
}

func (f *File) print(w *bufio.Writer) {
	w.WriteString(heading)
	if len(f.Numbers) > 0 {
		fmt.Fprintf(w, "\n[%s]\n", numbersTable)
	}
	for _, platform := range slices.Sorted(maps.Keys(f.Numbers)) {
		fmt.Fprintf(w, "%s = %s\n", key(platform), quote(f.Numbers[platform]))
	}
	for _, id := range slices.Sorted(maps.Keys(f.Cases)) {
		fmt.Fprintf(w, "\n[%s]\n", quote(id))
		values := f.Cases[id]
		for _, name := range slices.Sorted(maps.Keys(values)) {
			fmt.Fprintf(w, "%s = %s\n", key(name), literal(values[name]))
		}
	}
}

// key writes a name, unquoted if TOML allows it.
func key(name string) string {
	for _, r := range name {
		if !(r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// quote returns a TOML string, which is like a Go string except for the escapes \x, \a and \v.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// literal writes a value; a float keeps a point or an exponent, so that it reads back as a float.
func literal(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case float64:
		switch {
		case math.IsNaN(v):
			return "nan"
		case math.IsInf(v, 1):
			return "inf"
		case math.IsInf(v, -1):
			return "-inf"
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	}
	return fmt.Sprint(v)
}
