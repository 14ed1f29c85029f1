package tuning

import (
	"archive/zip"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tinylib/msgp/msgp"

	"roclua/internal/nearest"
)

// packTypes are the starts of the names of files, by the type of A.
var packTypes = map[string][]string{"f16": {"HH_", "HS_"}, "bf16": {"BB_", "BS_"}, "f32": {"SS_"}, "f64": {"DD_"},
	"f32c": {"CC_"}, "f64c": {"ZZ_"}, "i8": {"I8I_", "4xi8I_"}, "f8": {"F8", "B8"}}

// PackTypes returns the names of types that Pack takes.
func PackTypes() []string { return slices.Sorted(maps.Keys(packTypes)) }

// Pack writes the tuning files of architectures to a zip file, with only the fields that a choice reads. If there are
// types, it has the files of their products only. [Open] reads it with a zip.Reader.
func Pack(w io.Writer, files fs.FS, archs, types []string) error {
	for _, t := range types {
		if packTypes[t] == nil {
			return fmt.Errorf("no type %q%s; want one of %s", t, nearest.DidYouMean(t, PackTypes()),
				strings.Join(PackTypes(), ", "))
		}
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	written := map[string]bool{}
	for _, arch := range archs {
		l, err := Open(files, arch)
		if err != nil {
			return err
		}
		for _, name := range l.ofTypes(types) {
			if !written[name] {
				if err := l.pack(z, name); err != nil {
					return err
				}
			}
			written[name] = true
		}
	}
	return z.Close()
}

// ofTypes lists the files of types, the first file among them.
func (l *Library) ofTypes(types []string) []string {
	names := []string{firstFile(l.arch)}
	for name := range l.places {
		start := strings.TrimPrefix(name, "TensileLibrary_Type_")
		if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool {
			return slices.ContainsFunc(packTypes[t], func(p string) bool { return strings.HasPrefix(start, p) })
		}) {
			names = append(names, name+extension)
		}
	}
	slices.Sort(names)
	return names
}

// pack writes a file to a zip file.
func (l *Library) pack(z *zip.Writer, name string) error {
	data, err := readFile(l.files, name)
	if err != nil {
		return err
	}
	short, err := shorten(name, data)
	if err != nil {
		return err
	}
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(short)
	}
	return err
}

// shorten returns a file with only the fields that load reads.
func shorten(name string, data []byte) (short []byte, err error) {
	defer recoverFile(&err)
	r := &reader{name, data, data}
	top := r.fields("solutions", "library")
	short = msgp.AppendMapHeader(nil, 2)
	short = msgp.AppendString(short, "solutions")
	s := r.at(top[0])
	n := s.elements()
	short = msgp.AppendArrayHeader(short, uint32(n))
	for ; n > 0; n-- {
		short = s.keep(short, "name", "index", "problemPredicate", "hardwarePredicate", "taskPredicate", "sizeMapping")
	}
	short = msgp.AppendString(short, "library")
	return append(short, top[1].bytes()...), nil
}

// keep appends a map with some of its names, and returns the longer bytes.
func (r *reader) keep(short []byte, names ...string) []byte {
	values := r.fields(names...)
	short = msgp.AppendMapHeader(short, uint32(len(names)))
	for i, v := range values {
		short = msgp.AppendString(short, names[i])
		if names[i] == "sizeMapping" {
			short = r.at(v).keep(short, "macroTile", "depthU", "globalSplitU", "streamK", "streamKAtomic",
				"workspaceSizePerElemC")
			continue
		}
		short = append(short, v.bytes()...)
	}
	return short
}
