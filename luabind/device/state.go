package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/engine"
)

// State is what the module hip keeps for the scripts of an engine.
type State struct {
	streams map[*hip.Stream]*lua.LUserData // that are open
	fills   map[uint64][]fill              // captured copies to arrays, by the number of the capture
}

func NewState() *State {
	return &State{streams: map[*hip.Stream]*lua.LUserData{}, fills: map[uint64][]fill{}}
}

func of(c *engine.Call) *State { return engine.Part[*State](c.Engine) }
