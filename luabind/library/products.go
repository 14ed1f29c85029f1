package library

import (
	"cmp"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip/routine"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// handleGemmKernel returns the name of the kernel that a product would use now, its parts of the sum over k, and the
// bytes that it wants; nil and the reason if no kernel of the tuning files computes the product, or it is not known.
func handleGemmKernel(c *engine.Call, box *handleBox, arguments *lua.LTable, name engine.Option[string]) error {
	r := RoutineNamed(c, cmp.Or(name.Value, "gemm_ex"), arguments)
	if id := r.Family.ID; id != routine.Gemm && id != routine.GemmEx {
		c.Bad("routine", "%s is not a form of gemm or gemm_ex", r.Name)
	}
	p := &Prepared{entry: entryOf(r), handle: box, object: c.L.Get(1), given: c.L.NewTable()}
	p.bound = c.Bind(&engine.Binding{Function: p.entry.binding.Function, Run: p.call}, false)
	p.change(c, arguments)
	reason := "the library of the platform does not report its kernels"
	if model, ok := box.handle.(*workspace.Model); ok {
		choice, err := model.ChooseKernel(p.Args())
		if err != nil {
			return err
		}
		if k := choice.Kernel; k != nil && choice.Unknown == "" {
			c.Out(lua.LString(k.Name))
			c.Out(lua.LNumber(k.Split))
			c.Out(lua.LNumber(k.Workspace(&choice.Problem)))
			return nil
		}
		reason = cmp.Or(choice.Unknown, choice.None)
	}
	for range 3 {
		c.Out(lua.LNil)
	}
	c.Out(lua.LString(reason))
	return nil
}
