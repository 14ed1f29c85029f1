package array

import (
	"bytes"
	"fmt"
	"math"
	"math/cmplx"
	"strconv"

	"roclua/internal/units"
	"roclua/luabind/engine"
)

// Comparison is the comparison of two arrays, element by element.
type Comparison struct {
	Elements int // that were compared
	Differ   int // by more than the tolerance
	Have     string
	Want     string
}

// Compare compares two arrays of the same shape with the options of t:compare. Have and Want describe the element that
// exceeds its tolerance most.
func Compare(c *engine.Call, have, want *Array, o engine.Options) *Comparison {
	if have.rows != want.rows || have.cols != want.cols {
		c.Bad("have", "%dx%d does not fit want, %dx%d", have.rows, have.cols, want.rows, want.cols)
	}
	k := &comparison{have: have, want: want, rtol: o["rtol"].(float64), atol: o["atol"].(float64),
		nanEqual: o["nan_equal"].(bool), region: o["region"].(string), batch: int(o["batch"].(int64)), worst: -1}
	for _, name := range []string{"rtol", "atol"} {
		if err := units.CheckTolerance(o[name].(float64)); err != nil {
			c.Bad(name, "%s", err)
		}
	}
	k.cols = columnsPerProblem(c, "have", have, k.batch)
	for j := range each(c, have.cols, have.rows) {
		for i := range have.rows {
			if inRegion(k.region, i, j%max(k.cols, 1)) {
				k.element(j*have.rows + i)
			}
		}
	}
	return k.result()
}

// comparison is a comparison in progress.
type comparison struct {
	have, want *Array
	rtol, atol float64
	nanEqual   bool
	region     string
	batch      int
	cols       int // of a problem

	Comparison
	worst       int     // index of the element that exceeds its tolerance most, or comes closest to it; -1 for none
	excess, gap float64 // of the worst element: its difference less its tolerance, and its difference
}

// inRegion reports whether an element, counted from 0, belongs to a part of a matrix.
func inRegion(region string, i, j int) bool {
	switch region {
	case "upper":
		return i <= j
	case "lower":
		return i >= j
	case "strictly_upper":
		return i < j
	case "strictly_lower":
		return i > j
	case "diagonal":
		return i == j
	}
	return true
}

// element compares one element.
func (k *comparison) element(i int) {
	x, y := k.have.at(i), k.want.at(i)
	gap := difference(x, y, k.nanEqual)
	excess := gap
	if !math.IsInf(gap, 1) {
		excess -= k.atol
		if size := cmplx.Abs(y); size > 0 && !math.IsInf(size, 1) {
			excess -= k.rtol * size
		}
	}
	k.Elements++
	if excess > 0 {
		k.Differ++
	}
	if k.worst < 0 || excess > k.excess {
		k.worst, k.excess, k.gap = i, excess, gap
	}
}

// difference returns |x - y|: 0 for the same infinity, and +Inf if one number alone is infinite or NaN.
func difference(x, y complex128, nanEqual bool) float64 {
	gap := math.Hypot(part(real(x), real(y), nanEqual), part(imag(x), imag(y), nanEqual))
	if math.IsNaN(gap) {
		return math.Inf(1)
	}
	return gap
}

// part is difference of the real parts or the imaginary parts.
func part(x, y float64, nanEqual bool) float64 {
	if x == y || nanEqual && x != x && y != y {
		return 0
	}
	return math.Abs(x - y)
}

func (k *comparison) result() *Comparison {
	out := &k.Comparison
	if k.worst < 0 {
		out.Have, out.Want = "no elements", "elements in the region "+k.region
		return out
	}
	at := k.place(k.worst)
	out.Have = fmt.Sprintf("%s at %s, %.3g away; %d of %d elements differ", k.have.exact(k.worst), at, k.gap, k.Differ,
		k.Elements)
	out.Want = k.want.exact(k.worst)
	switch {
	case k.rtol > 0 && k.atol > 0:
		out.Want += fmt.Sprintf(" within %g + %g * |want|", k.atol, k.rtol)
	case k.rtol > 0:
		out.Want += fmt.Sprintf(" within %g * |want|", k.rtol)
	case k.atol > 0:
		out.Want += fmt.Sprintf(" within %g", k.atol)
	}
	return out
}

// place returns the row and the column of an element, from 1, and its problem of a batch.
func (k *comparison) place(i int) string {
	row, column := i%k.have.rows+1, i/k.have.rows
	if k.batch == 1 {
		return fmt.Sprintf("(%d, %d)", row, column+1)
	}
	return fmt.Sprintf("(%d, %d) of problem %d", row, column%k.cols+1, column/k.cols+1)
}

// Difference implements vm.Comparable. An element that is NaN differs from everything.
func (a *Array) Difference(other any, step func()) (have, want string, differ bool) {
	b, ok := other.(*Array)
	if !ok {
		return "", "", true
	}
	a.BeforeUse("t:equal")
	b.BeforeUse("t:equal")
	if a.Kind != b.Kind || a.rows != b.rows || a.cols != b.cols {
		return "", "", true
	}
	_, _, isWhole := a.integers()
	size := elementOf[a.Kind].bytes
	for i := range a.len() {
		step()
		same := a.at(i) == b.at(i)
		if isWhole || !a.isNumber() { // a float64 does not represent all of them
			same = bytes.Equal(a.Raw[i*size:(i+1)*size], b.Raw[i*size:(i+1)*size])
		}
		if !same {
			k := comparison{have: a, batch: 1}
			return fmt.Sprintf(", %s at %s", a.exact(i), k.place(i)), ", " + b.exact(i), true
		}
	}
	return "", "", false
}

// exact writes an element so that reading the text gives the same number.
func (a *Array) exact(i int) string {
	bits := 64
	if a.Kind == "s" || a.Kind == "c" {
		bits = 32
	}
	v := a.at(i)
	if a.isComplex() {
		return strconv.FormatComplex(v, 'g', -1, 2*bits)
	}
	if !a.isNumber() {
		return a.text(i)
	}
	return strconv.FormatFloat(real(v), 'g', -1, bits)
}
