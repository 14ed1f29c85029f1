package vm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/bounds"
	"roclua/luabind/vm/script"
)

// TestTraceback looks at the calls that tracebacks list: calls of scripts, and of the coroutines below.
func TestTraceback(t *testing.T) {
	for source, want := range map[string][]string{
		`local function inner() fail() end
		function outer() inner() end
		outer()`: {"test.lua:1: in function 'inner'", "test.lua:2: in function 'outer'", "test.lua:3: in main chunk"},
		`local t = { method = function() fail() end }
		function call(f) f() end
		call(function() t.method() end)`: {"test.lua:1: in function 'method'", "test.lua:3: in function 'f'",
			"test.lua:2: in function 'call'", "test.lua:3: in main chunk"},
		`local co = coroutine.wrap(function()
			print(trace())
		end)
		co()`: {"test.lua:2: in function 'coroutine'", "test.lua:4: in main chunk"},
		`setmetatable({}, { __index = function() fail() end }):x()`: nil,
	} {
		var have string
		m := newMachine(t, vm.Options{})
		m.State().SetGlobal("trace", m.Function("trace", func(l *lua.LState) int {
			var api *lua.ApiError
			errors.As(m.Protect(l, m.State().GetGlobal("fail"), 0), &api)
			have = api.StackTrace
			return 0
		}))
		_, err := m.Run(compile(t, source), 0)
		m.Close()
		var e *script.Error
		if errors.As(err, &e) {
			have = e.Traceback
		}
		if want != nil && have != strings.Join(want, "\n") {
			t.Errorf("%s\n%s", source, have)
		}
	}
}

// TestLongTracebacks looks at the lines of tracebacks around the maximum length, beyond which calls are left out.
func TestLongTracebacks(t *testing.T) {
	for calls, want := range map[int]int{19: 20, 20: 20, 40: 20} {
		_, err := run(t, fmt.Sprintf(`local function f(n) if n == 1 then fail() end f(n - 1) return 1 end
			f(%d)`, calls), vm.Options{})
		var e *script.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		lines := strings.Split(e.Traceback, "\n")
		if len(lines) != want || strings.Contains(e.Traceback, "...") != (calls > 19) ||
			lines[len(lines)-1] != "test.lua:2: in main chunk" {
			t.Errorf("%d calls: %s", calls, e.Traceback)
		}
	}
}

// TestNamesInTracebacks shortens a name of 60 bytes, but not one of 59.
func TestNamesInTracebacks(t *testing.T) {
	for size, want := range map[int]string{59: strings.Repeat("n", 59), 60: strings.Repeat("n", 59) + "..."} {
		name := strings.Repeat("n", size)
		_, err := run(t, fmt.Sprintf("function %s() fail() end %s() x = 1", name, name), vm.Options{})
		var e *script.Error
		if !errors.As(err, &e) || !strings.Contains(e.Traceback, "function '"+want+"'\n") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// TestHandlersSeeTheFailedCall calls an error handler of xpcall before the call that failed is removed.
func TestHandlersSeeTheFailedCall(t *testing.T) {
	m := newMachine(t, vm.Options{})
	defer m.Close()
	var calls string
	m.State().SetGlobal("trace", m.Function("trace", func(l *lua.LState) int {
		var api *lua.ApiError
		errors.As(m.Protect(l, m.State().GetGlobal("fail"), 0), &api)
		calls = api.StackTrace
		return 0
	}))
	_, err := m.Run(compile(t, `local function failing() error("x") end
		xpcall(function() failing() end, function() trace() end)`), 0)
	if err != nil || !strings.Contains(calls, "'failing'") {
		t.Errorf("%v, calls %s", err, calls)
	}
}

// TestHandlersOfOverflows calls handlers when there is no room for them on the stack.
func TestHandlersOfOverflows(t *testing.T) {
	for _, body := range []string{`local function f() return 1 + f() end f()`,
		`local function f(...) return 1 + f(1, ...) end f()`} {
		out, err := run(t, fmt.Sprintf(`local function deep(n) if n > 0 then return (deep(n - 1)) end return n end
			print(xpcall(function() %s end, function(e) return deep(50) == 0 and "handled " .. tostring(e)
			end))`, body), vm.Options{})
		if err != nil || !strings.HasPrefix(out, "false\thandled ") {
			t.Errorf("%s: %q, %v", body, out, err)
		}
	}
}

// TestDepthCounts recurses without end, in the main program and half of it in a coroutine: the bound is the same.
func TestDepthCounts(t *testing.T) {
	for _, at := range []int{-1, 0, 2000, 3800} {
		out, err := run(t, fmt.Sprintf(`local deepest = 0
			local function f(n)
				deepest = n
				if n == %d then return coroutine.wrap(f)(n + 1) + 1 end
				return f(n + 1) + 1
			end
			print(pcall(f, 0))
			print(deepest)`, at), vm.Options{})
		var deepest int
		fmt.Sscan(out[strings.LastIndexByte(strings.TrimSpace(out), '\n')+1:], &deepest)
		if err != nil || !strings.Contains(out, "stack overflow") || deepest < 3960 || deepest > 3968 {
			t.Errorf("coroutine at %d: %d calls, %q, %v", at, deepest, out, err)
		}
	}
}

// TestLimitMessages looks at the texts and causes of limits.
func TestLimitMessages(t *testing.T) {
	for _, test := range []struct {
		err  vm.LimitError
		want string
	}{
		{vm.LimitError{LimitUse: bounds.LimitUse{Name: bounds.Timeout, Max: uint64(time.Second)}, Where: "a.lua:1"},
			"a.lua:1: ran longer than its limit of 1s (limits.timeout)"},
		{vm.LimitError{LimitUse: bounds.LimitUse{Name: bounds.Instructions, Max: 5, Used: 6}},
			"executed 6 instructions; the limit is 5 (limits.instructions)"},
		{vm.LimitError{LimitUse: bounds.LimitUse{Name: bounds.Heap, Max: 1023, Used: 1024}},
			"needs 1024 bytes (1.0 KiB) of memory for Lua values; the limit is 1023 bytes (limits.heap)"},
		{vm.LimitError{LimitUse: bounds.LimitUse{Name: bounds.Output, Max: 1 << 20, Used: 1<<20 - 1<<10}},
			"produced 1047552 bytes (1023.0 KiB) of output; the limit is 1048576 bytes (1.0 MiB) (limits.output)"},
		{vm.LimitError{LimitUse: bounds.LimitUse{Name: "host_memory", Max: 5 << 29, Used: 3 << 40}},
			"used 3298534883328 bytes (3.0 TiB) of host memory; " +
				"the limit is 2684354560 bytes (2.5 GiB) (limits.host_memory)"},
	} {
		if have := test.err.Error(); have != test.want {
			t.Errorf("%s, want %s", have, test.want)
		}
		if have := errors.Is(&test.err, context.DeadlineExceeded); have != (test.err.Name == bounds.Timeout) {
			t.Errorf("%s is a deadline: %t", test.err.Name, have)
		}
	}
}

// TestWithTimeout makes contexts with and without a limit.
func TestWithTimeout(t *testing.T) {
	for _, limit := range []time.Duration{0, -1, time.Hour, time.Nanosecond} {
		ctx, cancel := vm.WithTimeout(context.Background(), limit)
		if _, bounded := ctx.Deadline(); bounded != (limit > 0) {
			t.Errorf("%d: bounded %t", limit, bounded)
		}
		if limit == time.Nanosecond {
			<-ctx.Done()
			if end := endOf(t, context.Cause(ctx)); end.Max != 1 || end.Used != 1 {
				t.Errorf("%+v", end)
			}
		} else if ctx.Err() != nil {
			t.Errorf("%d: %v", limit, ctx.Err())
		}
		cancel()
	}
}

// TestTimeout ends a run by its time.
func TestTimeout(t *testing.T) {
	m := newMachine(t, vm.Options{Limits: vm.Limits{Timeout: 20 * time.Millisecond}})
	defer m.Close()
	_, err := m.Run(compile(t, "\nwhile true do end"), 0)
	if end := endOf(t, err); end.Where != "test.lua:2" || end.Name != bounds.Timeout || m.Ended() == nil {
		t.Errorf("%v, ended %v", err, m.Ended())
	}
}

// TestLongErrors looks at messages around the size at which their middle is left out.
func TestLongErrors(t *testing.T) {
	const most = 64 << 10
	for _, size := range []int{most, most + 1, 3 * most} {
		_, err := run(t, fmt.Sprintf(`error(("0123456789"):rep(20000):sub(1, %d), 0)`, size), vm.Options{})
		var e *script.Error
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		text := strings.Repeat("0123456789", 20000)[:size]
		head, rest, cut := strings.Cut(e.Message, "\n... (")
		var left int
		fmt.Sscan(rest, &left)
		_, tail, _ := strings.Cut(rest, "\n")
		if cut != (size > most) || len(head)+left+len(tail) != size || !strings.HasPrefix(text, head) ||
			!strings.HasSuffix(text, tail) || cut && (len(head) < 1000 || len(tail) < 1000) {
			t.Errorf("%d bytes: %t, %d bytes, %d left out, %d bytes", size, cut, len(head), left, len(tail))
		}
	}
}
