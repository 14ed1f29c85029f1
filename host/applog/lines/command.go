package lines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/internal/nearest"
)

// Option is an argument by name.
type Option = matmul.Option

// Command returns the call of options that a person wrote for rocblas-bench or rocsolver-bench, with the defaults of
// the programs for those that are missing, and the options that are not arguments of the routine. The arguments are
// valid until the next use of the Parser.
func (p *Parser) Command(kind Kind, list []Option) (a *routine.Args, others []Option, err error) {
	p.named = p.named[:0]
	for _, o := range list {
		p.named = append(p.named, option{[]byte(o.Name), []byte(o.Value)})
	}
	if p.value("r", "precision", "a_type") == nil {
		p.named = append(p.named, option{[]byte("r"), []byte("s")})
	}
	r, err := p.commandRoutine(kind)
	if err != nil {
		return nil, nil, err
	}
	p.args = routine.Args{Routine: r}
	var known Slots
	for _, o := range list {
		param := r.Option([]byte(o.Name))
		if param == nil {
			others = append(others, o)
			continue
		}
		if set(&p.args, param, []byte(o.Value)) != isRead {
			return nil, nil, fmt.Errorf("%s: %q is not a value of %s (%s)", o.Name, o.Value, param.Name, param.About)
		}
		known.Add(param.Slot)
	}
	if r.Family.Mixed() {
		p.typesOf(&known)
	}
	_, missing := p.complete(&known, true)
	if missing != nil {
		err = fmt.Errorf("%s is missing: %s", missing.Name, missing.About)
	}
	p.setImaginary()
	return &p.args, others, err
}

// OutOfPlace reports whether an option says that the result replaces no array.
func OutOfPlace(o Option) bool {
	return o.Name == "outofplace" && o.Value != "false" && o.Value != "0" ||
		(o.Name == "f" || o.Name == "function") && strings.HasSuffix(o.Value, outOfPlace)
}

// outOfPlace ends the name of a function of older releases, which is now an option.
const outOfPlace = "_outofplace"

// setImaginary sets the imaginary parts of complex scalars, which have separate options.
func (p *Parser) setImaginary() {
	for name, slot := range map[string]routine.Slot{"alphai": routine.Alpha, "betai": routine.Beta} {
		param, ok := p.args.Routine.ParamAt(slot)
		if !ok || param.Kind != routine.Scalar || p.args.Null(slot) ||
			!routine.IsComplexDatatype(p.args.Datatype(param)) {
			continue
		}
		if v, err := strconv.ParseFloat(string(p.value(name)), 64); err == nil {
			p.args.SetScalar(slot, complex(real(p.args.Scalar(slot)), v))
		}
	}
}

// mostUnknown bounds the errors that are kept.
const mostUnknown = 1000

func (p *Parser) commandRoutine(kind Kind) (*routine.Routine, error) {
	function := string(p.value("f", "function"))
	if c := string(p.value("rocblas_function")); c != "" {
		if r, ok := routine.Lookup(cName(c)); ok {
			return r, nil
		}
		function = c
	}
	if function == "" {
		return nil, fmt.Errorf("the function is missing: write -f NAME")
	}
	library := routine.RocBLAS
	if kind == SolverBench {
		library = routine.RocSOLVER
	}
	if r := p.benchRoutine(kind, function); r != nil {
		return r, nil
	}
	key := library.String() + " " + function
	if err := p.unknown[key]; err != nil { // a loop may repeat it
		return nil, err
	}
	var names []string
	for _, r := range routine.All() {
		if r.Library == library {
			names = append(names, strings.TrimPrefix(r.Name, r.Type.Prefix()), r.CName())
		}
	}
	if precision := p.value("r", "precision", "a_type"); slices.Contains(names, function) {
		return nil, &NoPrecision{function, string(precision)}
	}
	err := fmt.Errorf("%s has no function %q%s", library, function, nearest.DidYouMean(function, names))
	if p.unknown == nil || len(p.unknown) == mostUnknown {
		p.unknown = map[string]error{}
	}
	p.unknown[key] = err
	return nil, err
}

// NoPrecision is the error of a function that has no routine for a datatype.
type NoPrecision struct{ Function, Precision string }

func (e *NoPrecision) Error() string {
	return fmt.Sprintf("%s is not a precision of %s; others are s, d, c, z, and in rocBLAS h, bf16_r and names such "+
		"as f64_r", e.Precision, e.Function)
}
