package footprint

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/internal/nearest"
)

// Call is a routine and its arguments by name.
type Call struct {
	Text    string // as written, with single spaces
	Routine *routine.Routine

	given []argument
	taken []string // defaults of the benchmark programs, "uplo=upper"
}

// Taken lists the arguments that the call leaves out and that have no default in scripts, with the values that
// rocsolver-bench and rocblas-bench take for them: "uplo=upper", "n=m". NewSequence finds them.
func (c *Call) Taken() []string { return c.taken }

// Parse reads a call. The routine may have the prefix of its library. Arguments are separated by spaces or commas.
func Parse(text string) (*Call, error) {
	fields := strings.Fields(strings.ReplaceAll(text, ",", " "))
	if len(fields) == 0 {
		return nil, fmt.Errorf("an empty call; write a routine and its sizes, such as 'dgetrf m=1024 n=1024'")
	}
	if strings.Contains(fields[0], "=") {
		return nil, fmt.Errorf("the call %q has no routine; write a routine and its sizes in one argument, such as "+
			"'dgetrf m=1024 n=1024'", text)
	}
	r, err := find(fields[0])
	if err != nil {
		return nil, err
	}
	c := &Call{Text: strings.Join(fields, " "), Routine: r}
	for _, field := range bothSides(r, fields[1:]) {
		if err := c.read(field); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return c, nil
}

// bothSides replaces hipSOLVER's options of gesvdj, jobz=N or V and econ=0 or 1, by the options for the vectors of each
// side.
func bothSides(r *routine.Routine, fields []string) []string {
	_, left := r.ParamAt(routine.LeftSvect)
	_, right := r.ParamAt(routine.RightSvect)
	job := ""
	rest := slices.DeleteFunc(slices.Clone(fields), func(field string) bool {
		switch strings.ToLower(field) {
		case "jobz=n":
			job = "none"
		case "jobz=v":
			job = "all"
		case "econ=0", "econ=1":
		default:
			return false
		}
		return true
	})
	switch {
	case !left || !right || job == "":
		return fields
	case job == "all" && slices.Contains(fields, "econ=1"):
		job = "singular"
	}
	return append(rest, "left_svect="+job, "right_svect="+job)
}

// find returns a routine by its name in scripts, in C, or in another library.
func find(name string) (*routine.Routine, error) {
	if f, ok := routine.BufferSize(name); ok {
		return f, nil
	}
	if routine.IsBufferSize(name) {
		other := strings.NewReplacer("cusolverDn", "hipsolver", "hipsolverDn", "hipsolver").Replace(name)
		if _, ok := routine.BufferSize(other); ok {
			return nil, &UnknownRoutine{Name: name, nearest: "; hipSOLVER has " + other}
		}
		return nil, &UnknownRoutine{Name: name, nearest: nearest.DidYouMean(name, routine.BufferSizes())}
	}
	if list := routine.Named(name); list != nil {
		return list[0], nil
	}
	short := routine.ScriptName(name)
	if reason := routine.NotModelled(short); reason != "" {
		return nil, fmt.Errorf("%q is not modelled: %s", name, reason)
	}
	if meant := routine.Documented(short); meant != "" {
		return nil, fmt.Errorf("no routine %q: %s", name, meant)
	}
	return nil, &UnknownRoutine{Name: name, nearest: nearest.DidYouMean(short, Names())}
}

// UnknownRoutine is the error of a name that no routine has.
type UnknownRoutine struct {
	Name    string
	nearest string // routines with similar names
}

func (e *UnknownRoutine) Error() string { return fmt.Sprintf("no routine %q%s", e.Name, e.nearest) }

// Names lists every routine under its name in scripts.
func Names() []string {
	var names []string
	for _, r := range routine.All() {
		names = append(names, r.Name)
	}
	return names
}

// read reads one argument, "m=1024".
func (c *Call) read(field string) error {
	name, text, ok := strings.Cut(field, "=")
	if !ok || name == "" || text == "" {
		return fmt.Errorf("%q is not an argument; write name=value", field)
	}
	p := c.param(name)
	if p == nil {
		return fmt.Errorf("unknown parameter %q%s (has %s)", name, nearest.DidYouMean(name, c.names()),
			strings.Join(c.names(), ", "))
	}
	for _, a := range c.given {
		if a.param == p {
			return fmt.Errorf("%s is given twice", name)
		}
	}
	a, err := value(c.Routine, p, text)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.given = append(c.given, a)
	return nil
}

// param finds a parameter by its name in C, in the benchmark programs or in hipSOLVER; nil if there is none.
func (c *Call) param(name string) *routine.Param {
	if p, ok := c.Routine.Spelled(name); ok {
		return p
	}
	return c.Routine.Option([]byte(name))
}

// names lists the parameters that a call can give.
func (c *Call) names() []string {
	var list []string
	for i := range c.Routine.Params {
		if p := &c.Routine.Params[i]; !p.Kind.IsPointer() || p.Kind == routine.Scalar {
			list = append(list, p.Name)
		}
	}
	return list
}
