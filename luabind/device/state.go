package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/engine"
)

// State is the data of the module hip for one engine.
type State struct {
	streams map[*hip.Stream]*lua.LUserData // userdata of open streams
	fills   map[uint64][]fill              // captured copies to arrays, by the number of the capture
}

// NewState returns the data of an engine whose scripts have not run.
func NewState() *State {
	return &State{streams: map[*hip.Stream]*lua.LUserData{}, fills: map[uint64][]fill{}}
}

func of(c *engine.Call) *State { return c.DeviceState.(*State) }
