package luabind

import (
	"bytes"
	"context"
	"errors"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"roclua/workspace"
)

// TestAPanicInABindingEndsTheCase makes a binding panic: no pcall hides it, and it is told apart from a script's errors.
func TestAPanicInABindingEndsTheCase(t *testing.T) {
	var out bytes.Buffer
	s := newState(context.Background(), 1, Options{Output: &out, Profile: workspace.Profiles()[0]})
	defer s.close()
	s.lua.SetGlobal("broken", s.function("broken", func(*lua.LState) int {
		var nothing []int
		return nothing[3]
	}))
	script, err := Compile("panic.lua", []byte("pcall(function() pcall(broken) print('survived') end) print('survived')"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.load(script)
	var internal *InternalError
	if !errors.As(err, &internal) || internal.Where != "broken" || internal.Stack == "" || out.Len() > 0 {
		t.Errorf("got %v, printed %q", err, out.String())
	}
}
