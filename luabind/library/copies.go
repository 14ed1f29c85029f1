package library

import (
	"errors"
	"fmt"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/engine"
	"roclua/workspace"
)

// Copies are copies of the device memory of a prepared call, so that calls in turn use different memory.
type Copies struct {
	call  *Prepared
	dev   *hip.Device
	own   routine.Args // the arguments of the script
	plan  *workspace.Plan
	args  []routine.Args // with the memory of each copy; the first is the script's own
	plans []workspace.Plan
	owned []driver.Ptr // the memory of the copies
}

// Copy copies the memory that the arguments of the call point to. Arguments within one allocation share its copy.
func (p *Prepared) Copy(c *engine.Call, n int) (*Copies, error) {
	copies := &Copies{call: p, dev: c.Device(), own: p.args, plan: p.plan, args: []routine.Args{p.args},
		plans: make([]workspace.Plan, n)}
	for range n - 1 {
		if err := copies.add(c); err != nil {
			return nil, errors.Join(err, copies.Free())
		}
	}
	return copies, nil
}

// add makes one more copy.
func (s *Copies) add(c *engine.Call) error {
	args, moved := s.own, map[driver.Ptr]driver.Ptr{}
	for i := range s.own.Routine.Params {
		param := &s.own.Routine.Params[i]
		if param.Kind != routine.Array && param.Kind != routine.ArrayOfArrays || s.own.Null(param.Slot) {
			continue
		}
		if param.Kind == routine.ArrayOfArrays {
			return fmt.Errorf("rotate: %s of %s is an array of device pointers, whose matrices are not copied; "+
				"measure a function, which gets the number of the copy", param.Name, s.own.Routine.CName())
		}
		at := driver.Ptr(s.own.Ptr(param.Slot))
		base, bytes, ok := s.dev.Allocation(at)
		if !ok {
			return fmt.Errorf("rotate: %s of %s is in no allocation", param.Name, s.own.Routine.CName())
		}
		if moved[base] == 0 {
			to, err := s.dev.Malloc(bytes)
			if err != nil {
				return err
			}
			s.owned, moved[base] = append(s.owned, to), to
			c.CheckDevice(c.L)
			if err := s.dev.Copy(to, base, bytes); err != nil {
				return err
			}
		}
		args.SetPtr(param.Slot, uint64(moved[base]+at-base))
	}
	s.args = append(s.args, args)
	return nil
}

// Use makes the calls use a copy.
func (s *Copies) Use(i int) { s.call.args, s.call.plan = s.args[i], &s.plans[i] }

// Free gives the call its own arguments again and frees the copies.
func (s *Copies) Free() error {
	s.call.args, s.call.plan = s.own, s.plan
	var failed error
	for _, p := range s.owned {
		failed = errors.Join(failed, s.dev.Free(p))
	}
	s.owned = nil
	return failed
}
