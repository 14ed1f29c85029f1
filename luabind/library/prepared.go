package library

import (
	"cmp"
	"unsafe"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/luabind/engine"
	"roclua/luabind/vm"
	"roclua/workspace"
)

// Prepared is a routine call whose arguments were read and checked.
type Prepared struct {
	bound  *engine.Bound
	entry  *entry
	handle *handleBox
	object lua.LValue  // the handle in Lua
	given  *lua.LTable // the arguments that the script named
	args   routine.Args
	plan   *workspace.Plan
	mode   bool // the arguments are for device pointer mode
}

const preparedType = "roclua.prepared"

// preparedBytes is the memory of a prepared call outside of Lua, with its few arguments.
const preparedBytes = uint64(unsafe.Sizeof(Prepared{})+unsafe.Sizeof(workspace.Plan{})) + 1024

// Guard implements engine.Guarded.
func (p *Prepared) Guard() *engine.Guard { return p.handle.guard }

// Describe implements vm.Describer.
func (*Prepared) Describe() string { return "a prepared call" }

// HostSize implements memory.Sizer.
func (p *Prepared) HostSize() (bytes uint64, first *byte) {
	return preparedBytes, (*byte)(unsafe.Pointer(p))
}

// Routine returns the routine that the call calls.
func (p *Prepared) Routine() *routine.Routine { return p.entry.Routine }

// Args returns the arguments of the call, which its user may change for a time.
func (p *Prepared) Args() *routine.Args { return &p.args }

// Stream returns the stream of the call's handle.
func (p *Prepared) Stream() (*hip.Stream, error) { return p.handle.handle.Stream() }

// openPrepared declares the type of prepared calls.
func openPrepared(e *engine.Engine) {
	e.VM.NewType(preparedType, map[string]lua.LGFunction{
		"__call": func(l *lua.LState) int {
			p := vm.Receiver[*Prepared](e.VM, l)
			if l.GetTop() > 1 {
				e.VM.Raisef(l, "a prepared call of %s takes no arguments; change them with call:set{...}",
					p.entry.CName())
			}
			return p.bound.Call(l)
		},
		"__index": func(l *lua.LState) int {
			return vm.Push(l, e.Member(l, "prepared", vm.Receiver[*Prepared](e.VM, l), l.Get(2).String()))
		},
		"__tostring": engine.Text(e.VM, func(p *Prepared) string { return "prepared call of " + p.entry.CName() }),
	})
}

// handlePrepare reads the arguments of a routine for later calls.
func handlePrepare(c *engine.Call, box *handleBox, name string, arguments *lua.LTable) error {
	return c.Return(nil, c.VM.Object(preparedType, prepare(c, box, RoutineNamed(c, name, arguments), arguments)))
}

func prepare(c *engine.Call, box *handleBox, r *routine.Routine, arguments *lua.LTable) *Prepared {
	p := &Prepared{entry: entryOf(r), handle: box, object: c.L.Get(1), given: c.L.NewTable()}
	p.bound = c.Bind(&engine.Binding{Function: p.entry.binding.Function, Run: p.call}, false)
	p.change(c, arguments)
	return p
}

// RoutineNamed finds a routine by the parameter routine: its name in scripts or in C. Of two with one name it is the
// one that has the given arguments.
func RoutineNamed(c *engine.Call, name string, given *lua.LTable) *routine.Routine {
	if r, ok := routine.Lookup(name); ok {
		return r
	}
	list := routine.Named(name)
	switch {
	case list == nil || list[0].Name != name:
		var names []string
		for _, r := range routine.All() {
			names = append(names, r.Name)
		}
		c.Bad("routine", "neither rocblas nor rocsolver has a routine %q%s", name, nearest.DidYouMean(name, names))
	case len(list) == 1:
		return list[0]
	}
	r := ofArguments(list, given)
	if r == nil {
		c.Bad("routine", "%s: write one of these names", routine.Ambiguous(name, list))
	}
	return r
}

// ofArguments returns the routine of a list that alone has all arguments; nil if there is none.
func ofArguments(list []*routine.Routine, given *lua.LTable) (only *routine.Routine) {
	for _, r := range list {
		has := true
		given.ForEach(func(k, _ lua.LValue) {
			_, ok := r.Spelled(k.String())
			has = has && (ok || k.String() == "handle")
		})
		switch {
		case !has:
		case only != nil:
			return nil
		default:
			only = r
		}
	}
	return only
}

func preparedSet(c *engine.Call, p *Prepared, changed *lua.LTable) error {
	p.change(c, changed)
	return nil
}

// change reads all arguments again, because the defaults of some depend on others. It leaves the call as it was if an
// argument is wrong.
func (p *Prepared) change(c *engine.Call, changed *lua.LTable) {
	if changed.RawGetString("handle") != lua.LNil {
		c.Bad("arguments", "a prepared call has its handle; prepare another call for another handle")
	}
	given := p.kept(c.L, changed)
	changed.ForEach(func(k, v lua.LValue) { given.RawSet(k, v) })
	args := *p.entry.New()
	rc := routineCall{Call: &engine.Call{Engine: c.Engine, L: c.L, Fn: p.bound.Function}, entry: p.entry, args: &args}
	rc.readNamed(given, p.object)
	rc.provideResult()
	p.args, p.given, p.mode, p.plan = args, given, rc.onDevice, &workspace.Plan{}
}

// kept returns the arguments that a change leaves as they are. A changed argument may have another spelling than
// before.
func (p *Prepared) kept(l *lua.LState, changed *lua.LTable) *lua.LTable {
	names := map[string]bool{}
	changed.ForEach(func(k, _ lua.LValue) { names[p.entry.nameOf(k)] = true })
	kept := l.NewTable()
	p.given.ForEach(func(k, v lua.LValue) {
		if !names[p.entry.nameOf(k)] {
			kept.RawSet(k, v)
		}
	})
	return kept
}

// nameOf returns the name of the parameter that a script spells so, or the spelling if no parameter has it.
func (e *entry) nameOf(spelling lua.LValue) string {
	if p, ok := e.Spelled(spelling.String()); ok {
		return p.Name
	}
	return spelling.String()
}

// call makes the call.
func (p *Prepared) call(c *engine.Call) error {
	rc := routineCall{Call: c, entry: p.entry, args: &p.args, handle: p.handle, onDevice: p.mode, plan: p.plan}
	if p.handle.destroyed != "" {
		c.Bad("handle", "the handle was destroyed at %s", p.handle.destroyed)
	}
	if p.handle.handle.OnDevice() != p.mode {
		c.Bad("handle", "its pointer mode has changed since the call was prepared; prepare the call again, or read "+
			"its arguments again with call:set{}")
	}
	c.None = p.mode
	return rc.make()
}

// Repeat makes the call n times in Go. A call that fails raises its error.
func (p *Prepared) Repeat(l *lua.LState, n int) { p.bound.Repeat(l, n) }

// handleGemmKernel returns the name of the kernel that a product would use now, its parts of the sum over k, and the
// bytes that it wants; nil and the reason if no kernel of the tuning files computes the product, or it is not known.
func handleGemmKernel(c *engine.Call, box *handleBox, arguments *lua.LTable, name engine.Option[string]) error {
	r := RoutineNamed(c, cmp.Or(name.Value, "gemm_ex"), arguments)
	if id := r.Family.ID; id != routine.Gemm && id != routine.GemmEx {
		c.Bad("routine", "%s is not a form of gemm or gemm_ex", r.Name)
	}
	p := prepare(c, box, r, arguments)
	reason := "the library of the platform does not report its kernels"
	if model, ok := box.handle.(*workspace.Model); ok {
		choice, err := model.ChooseKernel(p.Args())
		if err != nil {
			return err
		}
		if k := choice.Kernel; k != nil && choice.Unknown == "" {
			return c.Return(nil, lua.LString(k.Name), lua.LNumber(k.Split), lua.LNumber(k.Workspace(&choice.Problem)))
		}
		reason = cmp.Or(choice.Unknown, choice.None)
	}
	return c.Return(nil, lua.LNil, lua.LNil, lua.LNil, lua.LString(reason))
}
