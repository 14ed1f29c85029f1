package luabind

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/api"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace/status"
)

// TestTimeoutOfTheDevice completes the end of a case whose time the device noticed.
func TestTimeoutOfTheDevice(t *testing.T) {
	for _, test := range []struct {
		err   error
		limit time.Duration
		want  record.LimitUse
	}{
		{context.DeadlineExceeded, time.Second, record.LimitUse{Name: "timeout", Max: 1e9, Used: 1e9}},
		{context.DeadlineExceeded, 0, record.LimitUse{}},
		{TimedOut(2 * time.Second), time.Second, record.LimitUse{Name: "timeout", Max: 2e9, Used: 2e9}},
		{&LimitError{LimitUse: bounds.LimitUse{Name: "heap", Max: 1, Used: 2}}, time.Second,
			record.LimitUse{Name: "heap", Max: 1, Used: 2}},
		{errors.New("other"), time.Second, record.LimitUse{}},
	} {
		var r record.Record
		endRecord(&r, test.err, record.Limits{Timeout: test.limit})
		var have record.LimitUse
		if r.End.Limit != nil {
			have = *r.End.Limit
		}
		if have != test.want {
			t.Errorf("%v with a limit of %s: %+v, want %+v", test.err, test.limit, have, test.want)
		}
	}
}

// TestHeldBytesOfHandles counts the memory of handles and allocations.
func TestHeldBytesOfHandles(t *testing.T) {
	hc := &handleClass{created: make([]*handleBox, 3), allocations: make([]*allocationBox, 4)}
	if have, want := hc.heldBytes(), uint64(3*handleBytes+4*allocationBytes); have != want {
		t.Errorf("3 handles and 4 allocations: %d bytes, want %d", have, want)
	}
	hc.opened = append(hc.opened, nil, nil)
	if have, want := hc.heldBytes(), uint64(5*handleBytes+4*allocationBytes); have != want {
		t.Errorf("5 handles and 4 allocations: %d bytes, want %d", have, want)
	}
}

// TestUnsuited checks which platforms and profiles a scenario is for.
func TestUnsuited(t *testing.T) {
	for _, test := range []struct {
		s    record.Scenario
		want string
	}{
		{record.Scenario{}, ""},
		{record.Scenario{Platforms: []string{"amd", "cpu"}, Profiles: []string{"rocm-6", "rocm-7"}}, ""},
		{record.Scenario{Platforms: []string{"amd", "nvidia"}}, "for the platforms amd, nvidia"},
		{record.Scenario{Profiles: []string{"rocm-6", "cuda"}}, "about profiles rocm-6..., cuda..."},
	} {
		if have := test.s.Unsuited("cpu", "rocm-7.2"); have != test.want {
			t.Errorf("%+v: %q, want %q", test.s, have, test.want)
		}
	}
}

// TestAcceptedStatuses checks in which positions a function accepts a status.
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

// TestUnknownStatus makes the userdata of a status that this program does not have, as a later library may return one.
func TestUnknownStatus(t *testing.T) {
	s := newState(t.Context(), 0, Options{Output: io.Discard})
	defer s.close()
	for _, st := range []status.Status{-1, 0, status.Status(len(status.All())), 1000} {
		ud, ok := s.statuses.value(st).(*lua.LUserData)
		if !ok || ud.Value != rocblasStatus(st) {
			t.Errorf("status %d is %v", st, ud)
		}
	}
}
