package importing

import (
	"bytes"
	_ "embed"
	"fmt"
	"strconv"

	"roclua/hip/routine"
	"roclua/hip/routine/region"
	"roclua/internal/escape"
)

// runner is the code that allocates the arrays of calls and measures them.
//
//go:embed runner.lua
var runner string

func write(file, note string, list []call) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "-- Measures the calls of %s. Written by roclua import bench.\n", escape.ASCII(file))
	if note != "" {
		fmt.Fprintf(&out, "-- Ignored: %s.\n", note)
	}
	out.WriteString("local rocblas, rocsolver = require \"rocblas\", require \"rocsolver\"\n" +
		"local hip, array = require \"hip\", require \"array\"\n\n" +
		"-- Each call has a name, a routine, its arguments and its arrays: bytes of a problem, problems and their " +
		"distance.\n-- Matrices also have their order and leading dimension. A name is another array of the call.\n" +
		"local calls = {\n")
	for i := range list {
		list[i].write(&out)
	}
	fmt.Fprintf(&out, "}\n\nlocal about = %s\n\n%s", strconv.QuoteToASCII("the calls of "+escape.ASCII(file)), runner)
	return out.Bytes()
}

// write writes one call as an item of the table.
func (c *call) write(out *bytes.Buffer) {
	a, r := &c.args, c.args.Routine
	fmt.Fprintf(out, "  { %q, %q, {", c.name, r.CName())
	for i := range r.Params {
		p, separator := &r.Params[i], ", "
		if out.Bytes()[out.Len()-1] == '{' {
			separator = " "
		}
		if text := argument(a, p); text != "" {
			fmt.Fprintf(out, "%s%s = %s", separator, p.Name, text)
		}
	}
	out.WriteString(" },\n    {")
	regions := region.Of(a)
	result, replaced := shared(a)
	for i := range r.Params {
		switch p := &r.Params[i]; {
		case !p.Kind.IsArray() || a.Null(p.Slot):
		case p == result:
			fmt.Fprintf(out, " %s = %q,", p.Name, replaced.Name)
		case p == replaced: // the result may be all that uses it
			fmt.Fprintf(out, " %s = %s,", p.Name, arrayOf(a, result, regions))
		default:
			fmt.Fprintf(out, " %s = %s,", p.Name, arrayOf(a, p, regions))
		}
	}
	out.WriteString(" }")
	if c.rotate > 1 {
		fmt.Fprintf(out, ", rotate = %d", c.rotate)
	}
	fmt.Fprintf(out, " }, -- line %d\n", c.line)
}

// shared returns the array of a result that is another array of the call, and this one; nil if there is none.
func shared(a *routine.Args) (result, replaced *routine.Param) {
	for _, slots := range [][2]routine.Slot{{routine.D, routine.C}, {routine.C, routine.B}} {
		to, ok := a.Routine.ParamAt(slots[0])
		from, has := a.Routine.ParamAt(slots[1])
		if ok && has && to.Kind.IsPointer() && a.Ptr(to.Slot) == a.Ptr(from.Slot) && !a.Null(to.Slot) {
			return to, from
		}
	}
	return nil, nil
}

// argument returns an argument in Lua; "" for an array, a result and a null scalar.
func argument(a *routine.Args, p *routine.Param) string {
	switch {
	case p.Kind == routine.Real:
		return strconv.FormatFloat(a.Real(p.Slot), 'g', -1, 64)
	case p.Kind == routine.Scalar && a.Null(p.Slot):
		return ""
	case p.Kind == routine.Scalar:
		v := a.Scalar(p.Slot)
		if imag(v) != 0 {
			return fmt.Sprintf("{ %g, %g }", real(v), imag(v))
		}
		return strconv.FormatFloat(real(v), 'g', -1, 64)
	case p.Kind.IsPointer():
		return ""
	}
	for _, c := range routine.Constants {
		if c.Enum == p.Kind && c.Value == a.Int(p.Slot) {
			return c.Library.String() + "." + c.Name
		}
	}
	return strconv.FormatInt(a.Int(p.Slot), 10)
}

// arrayKinds are the kinds of arrays in Lua by datatype; memory of others stays zero.
var arrayKinds = map[int64]string{routine.DatatypeF32: "s", routine.DatatypeF64: "d", routine.DatatypeF32C: "c",
	routine.DatatypeF64C: "z", routine.DatatypeI32: "i32", routine.DatatypeI8: "i8",
	routine.DatatypeF16: "f16", routine.DatatypeBF16: "bf16"}

// smallest is the bytes of an array that a call does not use.
const smallest = 64

// arrayOf describes an array as a table in Lua.
func arrayOf(a *routine.Args, p *routine.Param, regions []region.Region) string {
	unused := region.Region{Rows: smallest, Cols: 1, Elem: 1, Count: 1}
	one := unused
	for _, g := range regions {
		fits := g.Param == p && (p.Kind != routine.ArrayOfArrays || g.Indirect)
		if fits && (one == unused || g.Extent()*g.Count > one.Extent()*one.Count) {
			one = g
		}
	}
	text := ""
	if ld, ok := a.Routine.Companion(p.Slot, routine.LeadingDimension); ok && !p.Cols.IsZero() && one.Elem > 1 {
		rows, cols := p.Rows.Of(a), p.Cols.Of(a)
		text = fmt.Sprintf(", order = %d, ld = %d", max(0, min(rows, cols)), a.Int(ld.Slot))
		stride, ok := a.Routine.Companion(p.Slot, routine.Stride)
		if ok && a.Int(stride.Slot) > 0 && rows > 0 && cols > 0 {
			one.Rows, one.Cols, one.Count = uint64(rows), uint64(cols), uint64(max(0, a.Batch()))
			one.Pitch, one.Stride = uint64(a.Int(ld.Slot))*one.Elem, uint64(a.Int(stride.Slot))*one.Elem
		}
	}
	if kind := arrayKinds[a.Datatype(p)]; kind != "" && one.Elem > 1 {
		if kind == "i32" && one.Elem == 8 {
			kind = "i64"
		}
		text = fmt.Sprintf(", kind = %q", kind) + text
	}
	text = fmt.Sprintf("{ bytes = %d", one.Extent()) + text
	if p.Kind == routine.ArrayOfArrays {
		return fmt.Sprintf("%s, problems = %d, pointers = true }", text, max(a.Batch(), 1))
	}
	if one.Count > 1 {
		text += fmt.Sprintf(", problems = %d, distance = %d", one.Count, one.Stride)
	}
	return text + " }"
}
