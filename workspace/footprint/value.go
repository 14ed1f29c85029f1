package footprint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/internal/units"
)

// argument is the argument of a call for a parameter: a value, a scalar, or the name of an axis or of another parameter
// with the same value.
type argument struct {
	param   *routine.Param
	value   int64
	scalar  complex128
	real    float64
	follows string
}

// value reads the argument for a parameter.
func value(r *routine.Routine, p *routine.Param, text string) (argument, error) {
	a := argument{param: p}
	var err error
	switch {
	case p.Kind == routine.Scalar:
		if a.scalar, err = strconv.ParseComplex(text, 128); err != nil {
			return a, fmt.Errorf("%q is not a number", text)
		}
	case p.Kind == routine.Real:
		if a.real, err = strconv.ParseFloat(text, 64); err != nil {
			return a, fmt.Errorf("%q is not a number", text)
		}
	case p.Kind.IsPointer():
		return a, fmt.Errorf("a pointer, on which no size depends; leave it out")
	case isName(text) && !p.Kind.IsEnum():
		a.follows = text
	default:
		a.value, err = number(r, p, text)
	}
	return a, err
}

func isName(text string) bool {
	first := text[0] | 0x20
	return first >= 'a' && first <= 'z' || text[0] == '_'
}

// number reads a constant's name or an integer.
func number(r *routine.Routine, p *routine.Param, text string) (int64, error) {
	if p.Kind.IsEnum() {
		if v, ok := routine.ConstantNamed(p.Kind, text); ok {
			return v, nil
		}
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if errors.Is(err, strconv.ErrSyntax) && !p.Kind.IsEnum() {
		n, err = units.ParseInt(text)
	}
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is beyond 64 bits", text)
	case err != nil && p.Kind.IsEnum():
		names := shortNames(p)
		return 0, fmt.Errorf("%q is not one of %s%s", text, strings.Join(names, ", "), nearest.DidYouMean(text, names))
	case err != nil:
		return 0, fmt.Errorf("%q is not an integer; a suffix K, M, G or T multiplies by powers of 1024", text)
	}
	return n, r.CheckRange(p, n)
}

// shortNames returns the names of the values that a parameter accepts.
func shortNames(p *routine.Param) (list []string) {
	for _, c := range routine.ConstantsOf(p.Kind) {
		if p.Values == nil || slices.Contains(p.Values, c.Value) {
			list = append(list, c.Short())
		}
	}
	return list
}
