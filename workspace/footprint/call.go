package footprint

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/workspace/hipblas"
)

// Call is a routine and its arguments by name.
type Call struct {
	Text    string // as written, with single spaces
	Routine *routine.Routine

	layer *routine.Routine // the function of hipBLAS or hipSOLVER that was named, which calls the routine
	given []argument
	taken []string // defaults of the benchmark programs, "uplo=upper"
}

// Taken lists the arguments that the call leaves out and that have no default in scripts, with the values that
// rocsolver-bench and rocblas-bench take for them: "uplo=upper", "n=m". NewSequence finds them.
func (c *Call) Taken() []string { return c.taken }

// Means explains a name that is not the name of its routine: "is rocsolver_dtrtri" for dtrtri_.
func (c *Call) Means() string {
	name, _, _ := strings.Cut(c.Text, " ")
	short, own := strings.ReplaceAll(name, ".", "_"), c.Routine.CName()
	switch {
	case short == own, name == c.Routine.UniqueName():
		return ""
	case c.layer == nil:
		return "is " + own
	case name == c.layer.CName():
		return "calls " + own
	}
	return "is " + c.layer.CName() + ", which calls " + own
}

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
	c := &Call{Text: strings.Join(fields, " ")}
	if err := c.find(fields[0], fields[1:]); err != nil {
		return nil, err
	}
	for _, field := range bothSides(c.Routine, fields[1:]) {
		if err := c.read(field); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name(), err)
		}
	}
	return c, nil
}

// name returns the name of the function whose parameters the call can have.
func (c *Call) name() string {
	if c.layer != nil {
		return c.layer.CName()
	}
	return c.Routine.UniqueName()
}

// bothSides replaces hipSOLVER's options of gesvdj, jobz=N or V and econ=0 or 1, by the options for the vectors of each
// side.
func bothSides(r *routine.Routine, fields []string) []string {
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
	case !r.Has(routine.LeftSvect) || !r.Has(routine.RightSvect) || job == "":
		return fields
	case job == "all" && slices.Contains(fields, "econ=1"):
		job = "singular"
	}
	return append(rest, "left_svect="+job, "right_svect="+job)
}

// find finds the routine by its name in scripts, in C, or in another library. Of two routines it is the one that has
// all arguments.
func (c *Call) find(name string, fields []string) error {
	if f, ok := routine.BufferSize(name); ok {
		c.Routine = f
		return nil
	}
	list := routine.Named(name)
	layer, isLayer := routine.LayerNamed(name)
	switch {
	case isLayer && layer.Library == routine.HipBLAS:
		c.Routine, c.layer = hipblas.Routine(layer, false), layer
		return nil
	case isLayer && list != nil:
		c.Routine, c.layer = list[0], layer
		return nil
	case isLayer:
		return fmt.Errorf("%s has no size without its buffer; %s_bufferSize has", layer.CName(), layer.CName())
	case len(list) == 1:
		c.Routine = list[0]
		return nil
	case list != nil:
		return c.choose(name, list, fields)
	}
	if reason := notExported(name); reason != "" {
		return &UnknownRoutine{Name: name, nearest: reason}
	}
	short := routine.ScriptName(name)
	if reason := routine.NotModelled(short); reason != "" {
		return fmt.Errorf("%q is not modelled: %s", name, reason)
	}
	if meant := routine.Documented(short); meant != "" {
		return fmt.Errorf("no routine %q: %s", name, meant)
	}
	return &UnknownRoutine{Name: name, nearest: nearest.DidYouMean(short, Names())}
}

// choose chooses the routine of a name that both libraries have by the arguments.
func (c *Call) choose(name string, list []*routine.Routine, fields []string) error {
	fit := slices.DeleteFunc(slices.Clone(list), func(r *routine.Routine) bool {
		of := Call{Routine: r}
		return slices.ContainsFunc(fields, func(field string) bool {
			argument, _, _ := strings.Cut(field, "=")
			return of.param(argument) == nil
		})
	})
	if len(fit) == 2 {
		return fmt.Errorf("%s: write one of these names", routine.Ambiguous(name, list))
	}
	c.Routine = append(fit, list...)[0]
	return nil
}

// notExported says that no release has a function of hipBLAS or hipSOLVER; "" for a name of other libraries.
func notExported(name string) string {
	own := strings.Replace(name, "cusolver", "hipsolver", 1)
	for lib, title := range map[routine.Library]string{routine.HipBLAS: "hipBLAS", routine.HipSOLVER: "hipSOLVER"} {
		if !strings.HasPrefix(own, lib.String()) {
			continue
		}
		if r, ok := routine.LayerNamed(strings.Replace(own, "hipsolverDn", "hipsolver", 1)); ok {
			return "; " + title + " has " + r.CName()
		}
		if routine.IsBufferSize(name) {
			return nearest.DidYouMean(name, routine.BufferSizes())
		}
		var names []string
		for _, r := range lib.Routines() {
			names = append(names, r.CName())
		}
		reason := fmt.Sprintf(": no release of %s in the table exports it%s", title, nearest.DidYouMean(own, names))
		if r, ok := routine.Find(routine.RocSOLVER, routine.ScriptName(name)); ok {
			reason += "; rocSOLVER has " + r.CName()
		}
		return reason
	}
	return ""
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

// param finds a parameter by its name in C, in the benchmark programs, in hipBLAS or in hipSOLVER; nil if there is
// none. A function of hipBLAS lacks some of its routine.
func (c *Call) param(name string) *routine.Param {
	of := c.Routine
	if c.onlyOwn() {
		of = c.layer
	}
	p, ok := of.Spelled(name)
	if !ok {
		p = c.Routine.Option([]byte(name))
	}
	if p == nil || of == c.Routine {
		return p
	}
	if !c.layer.Has(p.Slot) {
		return nil
	}
	p, _ = c.Routine.ParamAt(p.Slot)
	return p
}

// onlyOwn reports whether the call can only have the arguments of the function that was named.
func (c *Call) onlyOwn() bool { return c.layer != nil && c.layer.Library == routine.HipBLAS }

// names lists the parameters that a call can give.
func (c *Call) names() []string {
	of := c.Routine
	if c.onlyOwn() {
		of = c.layer
	}
	var list []string
	for i := range of.Params {
		if p := &of.Params[i]; !p.Kind.IsPointer() || p.Kind == routine.Scalar {
			list = append(list, p.Name)
		}
	}
	return list
}
