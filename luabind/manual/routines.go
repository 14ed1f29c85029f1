package manual

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/footprint"
)

// signature returns the routine call in C order.
func signature(r *routine.Routine) string { return api.Of(r).Signature() }

// siblings returns the routines of a family, in every type, variant and width.
func siblings(f *routine.Family) []*routine.Routine {
	var list []*routine.Routine
	for _, r := range routine.All() {
		if r.Family == f {
			list = append(list, r)
		}
	}
	return list
}

// exemplar is the routine by which a family is described: plain, in double precision where that exists. A family
// without a plain form is described by its first routine.
func exemplar(f *routine.Family) *routine.Routine {
	var best *routine.Routine
	list := siblings(f)
	for _, r := range list {
		if r.Variant == routine.Plain && !r.Wide && (best == nil || r.Type == routine.TypeD) {
			best = r
		}
	}
	if best == nil {
		return list[0]
	}
	return best
}

// probe returns the arguments of a call with the given sizes; other arguments have usual values.
func probe(r *routine.Routine, sizes func(routine.Slot) int64, trans int64) *routine.Args {
	a := r.New()
	for i := range r.Params {
		p := &r.Params[i]
		switch d, ok := r.Default(p); {
		case p.Kind == routine.Operation:
			a.SetInt(p.Slot, trans)
		case p.Kind.IsPointer() && p.Kind != routine.Scalar:
			a.SetPtr(p.Slot, routine.ArrayAddress(p.Slot))
		case ok:
			d.Set(a)
		default:
			a.SetInt(p.Slot, usual(p, sizes))
		}
	}
	return a
}

// usual returns a value for an argument without a default.
func usual(p *routine.Param, sizes func(routine.Slot) int64) int64 {
	switch {
	case p.Kind == routine.Datatype:
		return routine.DatatypeF64
	case p.Kind.IsEnum():
		return p.Legal()[0]
	}
	return sizes(p.Slot)
}

// square sets every size to n, with one right-hand side.
func square(n int64) func(routine.Slot) int64 {
	return func(s routine.Slot) int64 {
		if s == routine.NRHS {
			return 1
		}
		return n
	}
}

// shapes returns calls to a routine with problems of many shapes.
func shapes(r *routine.Routine) iter.Seq[*routine.Args] {
	rows, operations := []int64{40, 64, 1000, 4096, 600000}, []int64{routine.OperationNone, routine.OperationTranspose}
	if _, ok := r.ParamAt(routine.M); !ok {
		rows = rows[:1]
	}
	if !slices.ContainsFunc(r.Params, func(p routine.Param) bool { return p.Kind == routine.Operation }) {
		operations = operations[:1]
	}
	return func(yield func(*routine.Args) bool) {
		for _, m := range rows {
			for _, n := range []int64{1, 4, 40, 1000, 4096} {
				sizes := func(s routine.Slot) int64 {
					if s == routine.M {
						return m
					}
					return n
				}
				for _, trans := range operations {
					if !yield(probe(r, sizes, trans)) {
						return
					}
				}
			}
		}
	}
}

// purposes lists the purposes of a routine's workspace, over problems of many shapes on every release.
func purposes(r *routine.Routine) []string {
	if len(r.Family.Buffers) == 0 {
		return nil
	}
	var list []string
	calls := slices.Collect(shapes(r))
	for _, p := range workspace.Profiles() {
		for _, a := range calls {
			list = purposesOf(list, p, a)
		}
	}
	return list
}

func purposesOf(list []string, p *workspace.Profile, a *routine.Args) []string {
	need, err := footprint.NeedOf(footprint.Target{Profile: p, Arch: sampleArch}, a)
	if err != nil {
		return list
	}
	for _, b := range need.Buffers {
		if b.Bytes > 0 && !slices.Contains(list, b.Purpose()) {
			list = append(list, b.Purpose())
		}
	}
	return list
}

// sampleArch is the architecture of the sizes that pages show.
var sampleArch = arch.Default().Name

// sampleSizes are the orders for which the manual shows the size of the workspace.
var sampleSizes = []int64{64, 512, 4096}

// samples returns rows of an order and the workspace in bytes that a call of this order needs on each release, or
// the reason why it is unknown. It returns nil when no call needs workspace.
func samples(r *routine.Routine) [][]string {
	var rows [][]string
	needed := false
	for _, n := range sampleSizes {
		row := []string{fmt.Sprint(n)}
		for _, p := range workspace.Profiles() {
			target := footprint.Target{Profile: p, Arch: sampleArch}
			need, err := footprint.NeedOf(target, probe(r, square(n), routine.OperationNone))
			if err != nil {
				row = append(row, err.Error())
				continue
			}
			row = append(row, fmt.Sprint(need.Bytes))
			needed = needed || need.Bytes > 0
		}
		rows = append(rows, row)
	}
	if !needed {
		return nil
	}
	return rows
}

// workspaceOf returns the purposes of a routine's workspace in a line.
func workspaceOf(r *routine.Routine) string {
	list := purposes(r)
	switch {
	case len(list) > 0:
		return strings.Join(list, ", ")
	case unknowns(r) != nil:
		return "unknown"
	}
	return "none"
}

// caveats lists why other builds of a release may need other bytes than the profiles for some shapes.
func caveats(r *routine.Routine) []string {
	var list []string
	for _, p := range workspace.Profiles() {
		if text := caveatOn(footprint.Target{Profile: p, Arch: sampleArch}, r); text != "" {
			list = append(list, "on "+p.Name+", "+text)
		}
	}
	return list
}

// caveatOn returns the first caveat of a call on a target. Bytes depend on the remainders of sizes by 128.
func caveatOn(t footprint.Target, r *routine.Routine) string {
	for _, n := range []int64{4, 40, 64, 255, 300, 1000, 1023} {
		for _, m := range []int64{n, 1, 100, 2000} {
			sizes := func(s routine.Slot) int64 {
				if s == routine.M || s == routine.NRHS {
					return m
				}
				return n
			}
			if text := footprint.Caveat(t, probe(r, sizes, routine.OperationNone)); text != "" {
				return text
			}
		}
	}
	return ""
}

// WithCaveats lists the families for which other builds of releases may need other bytes than the profiles.
func WithCaveats() []string {
	var list []string
	for _, f := range routine.Families() {
		has := func(r *routine.Routine) bool {
			return r.Type == exemplar(f).Type && !r.Wide && len(caveats(r)) > 0
		}
		if f.Library == routine.RocSOLVER && len(f.Buffers) > 0 && slices.ContainsFunc(siblings(f), has) {
			list = append(list, f.Name)
		}
	}
	return list
}

// unknowns lists why the workspace of some calls to a routine is unknown.
func unknowns(r *routine.Routine) []string {
	var reasons []string
	slots, combinations := behavior.Datatypes(r)
	if combinations == nil {
		combinations = [][]int64{nil}
	}
	target := targetOf(r.Family)
	for _, c := range combinations {
		a := probe(r, square(sampleSizes[0]), routine.OperationNone)
		for i, datatype := range c {
			a.SetInt(slots[i], datatype)
		}
		_, err := footprint.NeedOf(target, a)
		refusal, ok := err.(*footprint.Refusal)
		if ok && refusal.Status.OK() && !slices.Contains(reasons, refusal.Reason) {
			reasons = append(reasons, refusal.Reason)
		}
	}
	return reasons
}

// targetOf returns the first release that exports the functions of a family, and an architecture that has them.
func targetOf(f *routine.Family) footprint.Target {
	t := footprint.Target{Arch: sampleArch}
	for _, p := range workspace.Profiles() {
		if f.ExportedBy(p.Name) {
			t.Profile = p
			break
		}
	}
	if names := arch.NamesWith(f.Exists); !slices.Contains(names, t.Arch) {
		t.Arch = names[len(names)-1]
	}
	return t
}

// sizeNames lists the size arguments of a routine for the heading of a sample: "m = n".
func sizeNames(r *routine.Routine) string {
	var names []string
	for i := range r.Params {
		p := &r.Params[i]
		if _, ok := r.Default(p); !ok && p.Kind.IsInteger() && p.Slot != routine.NRHS {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " = ")
}

// datatypes lists the datatype arguments of an _ex routine and the combinations that it supports.
func datatypes(r *routine.Routine) (arguments []string, combinations [][]string) {
	slots, values := behavior.Datatypes(r)
	for _, s := range slots {
		p, _ := r.ParamAt(s)
		arguments = append(arguments, p.Name)
	}
	for _, c := range values {
		var names []string
		for _, v := range c {
			names = append(names, strings.TrimPrefix(routine.ConstantName(routine.Datatype, v), "datatype_"))
		}
		combinations = append(combinations, names)
	}
	return arguments, combinations
}

// levels are the groups of families, in the order of the documentation.
var levels = []struct {
	level   int
	library routine.Library
	title   string
}{
	{1, routine.RocBLAS, "Level 1: vectors"},
	{2, routine.RocBLAS, "Level 2: a matrix and a vector"},
	{3, routine.RocBLAS, "Level 3: matrices"},
	{4, routine.RocSOLVER, "Solver"},
}

// families returns the families of a level.
func families(level int) []*routine.Family {
	return slices.DeleteFunc(slices.Clone(routine.Families()), func(f *routine.Family) bool { return f.Level != level })
}

// names lists the routines of a family, grouped: "sgetrf dgetrf cgetrf zgetrf", each variant on a separate line.
func names(f *routine.Family) []string {
	var lines []string
	var last *routine.Routine
	for _, r := range siblings(f) {
		if last == nil || last.Wide != r.Wide {
			lines = append(lines, "", "", "")
		}
		at := len(lines) - 3 + int(r.Variant)
		lines[at] = strings.TrimSpace(lines[at] + " " + r.Name)
		last = r
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// typeName returns the precision of a routine.
func typeName(r *routine.Routine) string {
	switch r.Type {
	case routine.TypeS:
		return "single precision"
	case routine.TypeD:
		return "double precision"
	case routine.TypeC:
		return "complex single precision"
	case routine.TypeZ:
		return "complex double precision"
	case routine.TypeH:
		return "half precision"
	case routine.TypeBF:
		return "bfloat16"
	}
	return "datatypes given by arguments"
}

// defaultText returns a parameter's default as the manual shows it.
func defaultText(r *routine.Routine, p *routine.Param) string {
	switch {
	case p.Kind == routine.Output && r.IsLayer():
		return "returned"
	case p.Kind == routine.Output:
		return "host: returned"
	}
	if d, ok := r.Default(p); ok {
		return d.String()
	}
	return "required"
}
