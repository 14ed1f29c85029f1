package engine

import (
	"testing"

	"roclua/luabind/api"
)

// TestAcceptedStatuses checks where a function accepts a status.
func TestAcceptedStatuses(t *testing.T) {
	value, number := api.Param{Kind: api.Any}, api.Param{Kind: api.Number}
	list := api.Param{Kind: api.Any, Variadic: true}
	for _, test := range []struct {
		params   []api.Param
		position int
		want     bool
	}{
		{nil, 1, false}, {nil, 2, false}, {[]api.Param{value}, 1, true}, {[]api.Param{value}, 2, false},
		{[]api.Param{{Kind: api.Status}}, 1, true}, {[]api.Param{number}, 1, false}, {[]api.Param{list}, 3, true},
		{[]api.Param{value, number}, 1, true}, {[]api.Param{value, number}, 2, false},
	} {
		f := &api.Function{Params: test.params}
		if have := acceptsStatus(f, test.position); have != test.want {
			t.Errorf("%+v accepts a status in position %d: %t", test.params, test.position, have)
		}
		f.Receiver = api.Test
		if have := acceptsStatus(f, test.position+1); have != test.want {
			t.Errorf("a method with %+v accepts a status in position %d: %t", test.params, test.position, have)
		}
	}
}
