package lines

import (
	"roclua/hip/routine"
)

// Parser reads the pieces of one log. It keeps state between lines: the trace trees that have started, and whether
// trace lines end with the atomics mode.
type Parser struct {
	args routine.Args

	// AtomicsWord means that trace lines end with the atomics mode; a line without it is cut.
	AtomicsWord bool

	// Marked means that the last trace line ended with the atomics mode.
	Marked bool

	trees   []tree
	most    int      // trees that were open at the same time
	ends    bool     // a tree has ended
	claimed []string // result of Claim
	orders  map[*routine.Routine][]*routine.Param
	fields  [][]byte
	named   []option
	ended   bool // a blank or a quote followed the last command, so its last number is whole
}

// NewParser returns a parser for one log.
func NewParser() *Parser { return &Parser{orders: map[*routine.Routine][]*routine.Param{}} }

// Parse reads a piece. whole is false for a piece that may be truncated: the last line of a log without a newline.
func (p *Parser) Parse(piece Piece, whole bool) Result {
	p.Marked = false
	switch piece.Kind {
	case Trace, Marker:
		return p.trace(piece, whole)
	case Bench, SolverBench:
		return p.bench(piece, whole)
	case Profile:
		return p.profile(piece)
	case SolverTree:
		return p.begin(piece)
	case SolverArgs:
		if of := p.Claim(piece); of != nil {
			return p.ArgumentsOf(of[0], piece)
		}
	}
	return Result{Kind: piece.Kind}
}

// result completes a call from p.args: missing arguments get their defaults. ok is false if a missing argument has
// none.
func (p *Parser) result(kind Kind, count int64, known Slots, ok bool) Result {
	r := p.args.Routine
	res := Result{Kind: kind, State: Cut, Name: r.CName(), Count: count}
	if !ok {
		return res
	}
	res.Call = Call{Args: &p.args, Known: known}
	for i := range r.Params {
		param := &r.Params[i]
		if known.Has(param.Slot) {
			continue
		}
		if param.Kind.IsPointer() && param.Kind != routine.Scalar {
			p.args.SetPtr(param.Slot, Address(param))
			continue
		}
		if d, ok := r.Default(param); ok && param.Slot != routine.BatchCount {
			d.Set(&p.args)
			continue
		}
		if !p.guess(param) {
			return Result{Kind: kind, State: Cut, Name: r.CName(), Count: count}
		}
		res.Call.Guessed.Add(param.Slot)
	}
	if !known.Has(routine.D) {
		p.args.PlaceResult()
	}
	res.State = Full
	return res
}

// guess sets an argument without a default to a legal value. It returns false for sizes.
func (p *Parser) guess(param *routine.Param) bool {
	if param.Kind.IsEnum() && param.Kind != routine.Datatype {
		p.args.SetInt(param.Slot, param.Legal()[0])
		return true
	}
	f := p.args.Routine.Family
	if param.Slot == routine.BatchCount && len(f.Buffers) == 0 {
		p.args.SetInt(param.Slot, 1)
		return true
	}
	return false
}
