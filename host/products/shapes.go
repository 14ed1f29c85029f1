package products

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/host/files"
	"roclua/workspace/footprint"
)

// Library is the library whose kernels are computed.
type Library struct {
	types   map[string]string // of short shapes, and their arguments
	call    string            // how a short shape or a row of a table is called
	batched string            // with a batch
	read    func(call string) (Shape, error)
}

// RocBLAS computes gemm and gemm_ex.
var RocBLAS = &Library{types: files.Types, call: "gemm_ex", batched: "gemm_strided_batched_ex", read: readCall}

// Types are the names of types of short shapes.
const Types = "bf16, f16, f32, f64, f32c, f64c, i8"

func (l *Library) typed(of string) (string, error) {
	if text := l.types[of]; text != "" {
		return text, nil
	}
	return "", fmt.Errorf("no type %q; want one of %s", of, strings.Join(slices.Sorted(maps.Keys(l.types)), ", "))
}

// short is a shape such as TN:128x128x65536 or 64x64x64x32.
var short = regexp.MustCompile(`^(?:([NTC])([NTC]):)?(\d+)x(\d+)x(\d+)(?:x(\d+))?$`)

// Parse reads a product: a short shape of a type, or a call.
func (l *Library) Parse(text, of string) (Shape, error) {
	call := text
	if m := short.FindStringSubmatch(text); m != nil {
		arguments, err := l.typed(of)
		if err != nil {
			return Shape{}, err
		}
		name := l.call
		if m[6] != "" {
			name = l.batched + " batch_count=" + m[6]
		}
		call = fmt.Sprintf("%s transA=%s transB=%s m=%s n=%s k=%s %s", name, cmp.Or(m[1], "N"), cmp.Or(m[2], "N"), m[3],
			m[4], m[5], arguments)
	}
	s, err := l.read(call)
	s.Text, s.Times = text, 1
	return s, err
}

func readCall(call string) (Shape, error) {
	c, err := footprint.Parse(call)
	if err != nil {
		return Shape{}, err
	}
	if !c.Routine.IsProduct() {
		return Shape{}, fmt.Errorf("%s is not a form of gemm, gemm_ex or gemm_ex3", c.Routine.Name)
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return Shape{}, err
	}
	return Shape{Args: s.Args(0)}, nil
}

// Logged returns the shape of a call in a log. A GEMM that the library does not compute is shown with the reason.
func (l *Library) Logged(text string, times int64, a *routine.Args, on footprint.Modes) Shape {
	s := Shape{Text: text, Times: times, Args: a, modes: on}
	if l == RocBLAS {
		return s
	}
	var err error
	if s.product, err = translate(a); err != nil {
		s.product, s.refused = nil, err.Error()
	}
	return s
}

// Options are the types of products in files, for those that have none.
func (l *Library) Options(o files.Options, of string) files.Options {
	o.Type, o.Types, o.Matmuls = of, l.types, l != RocBLAS
	return o
}

// Listed returns the shape of a product in a file.
func (l *Library) Listed(c *files.Call) Shape {
	s := Shape{Text: c.Text, Times: c.Times, Recorded: c.Recorded}
	if c.Product != nil {
		p := *c.Product
		s.product = &p
		return s
	}
	a := *c.Args
	s.Args = &a
	return s
}

// versionPattern is the version at the begin of one with the commit of its source.
var versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+`)

// TunedFor returns the release and the architecture of a tuning, "" where the file does not say. The note is about a
// version that is not modelled: the release is the nearest one.
func TunedFor(c *files.Content) (profile, arch string, note []string) {
	arch, _, _ = strings.Cut(c.Validators["GCN_ARCH_NAME"], ":")
	version := versionPattern.FindString(c.Validators["ROCBLAS_VERSION"])
	if version == "" {
		return "", arch, nil
	}
	r, err := release.Of(version, "")
	if other := (*release.Unmodelled)(nil); errors.As(err, &other) {
		return other.Nearest.Name, arch, []string{err.Error()}
	}
	return r.Name, arch, nil
}
