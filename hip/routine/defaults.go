package routine

// Default is the value that an argument takes when it is not named. It may follow from the arguments before it in C
// order, so missing arguments are completed in that order.
type Default struct {
	Text string // "1", "null", "the smallest: m", as documentation shows it
	set  func(a *Args, p *Param)
}

// Set gives an argument its default.
func (d Default) Set(a *Args, p *Param) { d.set(a, p) }

// Default returns what a parameter falls back to; ok is false for one that must be given.
func (r *Routine) Default(p *Param) (d Default, ok bool) {
	switch {
	case p.Kind == Operation:
		return integer("operation_none", OperationNone), true
	case p.Kind == Diagonal:
		return integer("diagonal_non_unit", DiagonalNonUnit), true
	case p.Slot == Alpha:
		return Default{"1", func(a *Args, p *Param) { a.SetScalar(p.Slot, 1) }}, true
	case p.Slot == Beta:
		return Default{"0", func(a *Args, p *Param) { a.SetScalar(p.Slot, 0) }}, true
	case p.Kind.IsPointer():
		return Default{"null", func(a *Args, p *Param) { a.SetPtr(p.Slot, 0) }}, true
	case p.Slot == BatchCount:
		return integer("1", 1), true
	case p.Slot == Algo:
		return integer("gemm_algo_standard", GemmAlgoStandard), true
	case p.Slot == SolutionIndex, p.Slot == Flags, p.Slot == InvASize:
		return integer("0", 0), true
	case p.Of != 0: // a leading dimension, an increment or a stride
		return Default{r.smallestText(p), func(a *Args, p *Param) { a.SetInt(p.Slot, Smallest(a, p)) }}, true
	}
	return r.datatypeDefault(p)
}

func integer(text string, value int64) Default {
	return Default{text, func(a *Args, p *Param) { a.SetInt(p.Slot, value) }}
}

// followed tells which datatype one that is not named follows.
var followed = map[Slot]Slot{BType: AType, CType: AType, DType: CType, ComputeType: AType, YType: XType, ResultType: XType, ExecutionType: XType}

// datatypeDefault lets the datatypes of a call follow the first one: what is said of a or x holds for all. A norm and what
// it is computed in are real.
func (r *Routine) datatypeDefault(p *Param) (d Default, ok bool) {
	first, ok := r.ParamAt(followed[p.Slot])
	if p.Kind != Datatype || !ok || first.Kind != Datatype || first.Slot == p.Slot {
		return Default{}, false
	}
	if r.Family.Name == "nrm2_ex" {
		return Default{first.Name + ", real", func(a *Args, p *Param) { a.SetInt(p.Slot, RealOf(a.Int(first.Slot))) }}, true
	}
	return Default{first.Name, func(a *Args, p *Param) { a.SetInt(p.Slot, a.Int(first.Slot)) }}, true
}

// smallestText writes Smallest as a formula of the routine's parameters.
func (r *Routine) smallestText(p *Param) string {
	array, ok := r.ParamAt(p.Of)
	if !ok {
		return "0"
	}
	rows := array.Rows.Text
	switch p.Slot {
	case LDA, LDB, LDC, LDD, LDInvA:
		return "max(1, " + rows + ")"
	case IncX, IncY:
		return "1"
	}
	switch array.Layout {
	case Vector:
		return factor(rows) + " * |inc" + array.Name + "|"
	case Packed:
		return rows + " * (" + rows + " + 1) / 2"
	case Contiguous:
		return rows
	}
	ld, _ := r.ParamAt(companions[array.Slot].ld)
	return ld.Name + " * " + factor(array.Cols.Text)
}

// factor puts a formula that is no single name into parentheses.
func factor(text string) string {
	for _, r := range text {
		if r == ' ' || r == '+' {
			return "(" + text + ")"
		}
	}
	return text
}
