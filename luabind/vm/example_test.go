package vm_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
	"roclua/luabind/vm/script"
)

// Run a script within limits and read its results.
func Example() {
	file, err := script.Compile("sum.lua", []byte(`
		local sum = 0
		for i = 1, 10 do sum = sum + i end
		print("the sum is " .. sum)
		return sum, "done"`))
	if err != nil {
		fmt.Println(err)
		return
	}
	m := vm.New(context.Background(), vm.Options{
		Limits: vm.Limits{Timeout: time.Second, Instructions: 1e6, Heap: 64 << 20, Output: 1 << 20},
		Output: os.Stdout,
	})
	defer m.Close()
	lualib.Open(m, lualib.Options{})
	results, err := m.Run(file, lua.MultRet)
	fmt.Println(results, err)
	// Output:
	// the sum is 55
	// [55 done] <nil>
}

// A script that reaches a limit ends, whatever it catches. The error says which limit, and where the script was.
func ExampleLimitError() {
	file, err := script.Compile("greedy.lua", []byte(`
		pcall(function() return ("x"):rep(1e12) end)
		print("survived")`))
	if err != nil {
		fmt.Println(err)
		return
	}
	m := vm.New(context.Background(), vm.Options{Limits: vm.Limits{Heap: 64 << 20}, Output: os.Stdout})
	defer m.Close()
	lualib.Open(m, lualib.Options{})
	_, err = m.Run(file, 0)
	var limit *vm.LimitError
	if errors.As(err, &limit) {
		fmt.Println(limit.Where, limit.Name, limit.Used, limit.Max)
	}
	// Output:
	// greedy.lua:2 heap 1000000000000 67108864
}

// After a limit, Grace lets cleanup code of the script run.
func ExampleMachine_Grace() {
	file, err := script.Compile("loop.lua", []byte(`
		function cleanup() print("cleaned up") end
		while true do end`))
	if err != nil {
		fmt.Println(err)
		return
	}
	m := vm.New(context.Background(), vm.Options{Limits: vm.Limits{Instructions: 100_000}, Output: os.Stdout})
	defer m.Close()
	lualib.Open(m, lualib.Options{})
	_, err = m.Run(file, 0)
	fmt.Println(err)
	m.Grace(vm.Limits{Timeout: time.Second, Instructions: 10_000})
	fmt.Println(m.Call(m.State().GetGlobal("cleanup").(*lua.LFunction)))
	// Output:
	// loop.lua:3: executed 100001 instructions; the limit is 100000 (limits.instructions)
	// cleaned up
	// <nil>
}

// image is a host value.
type image struct{ pixels []byte }

// HostSize makes the pixels count for the limit of the heap.
func (i *image) HostSize() (uint64, *byte) { return uint64(len(i.pixels)), &i.pixels[0] }

// Describe names the value in error messages.
func (i *image) Describe() string { return "an image" }

// Give scripts Go values whose memory counts. The script fails when its images need more than the limit.
func ExampleMachine_Object() {
	m := vm.New(context.Background(), vm.Options{Limits: vm.Limits{Heap: 32 << 20}, Output: os.Stdout})
	defer m.Close()
	lualib.Open(m, lualib.Options{})
	m.NewType("image", map[string]lua.LGFunction{
		"__len": func(l *lua.LState) int {
			l.Push(lua.LNumber(len(vm.Receiver[*image](m, l).pixels)))
			return 1
		},
	})
	m.State().SetGlobal("image", m.Function("image", func(l *lua.LState) int {
		bytes := l.CheckInt(1)
		m.Meter().Reserve(l, uint64(bytes))
		l.Push(m.Object("image", &image{make([]byte, bytes)}))
		return 1
	}))
	file, err := script.Compile("images.lua", []byte(`
		print(#image(1000))
		print(pcall(function() math.random(image(1)) end))
		local album = {}
		for i = 1, 100 do album[i] = image(4e6) end`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = m.Run(file, 0)
	var limit *vm.LimitError
	fmt.Println(errors.As(err, &limit), limit.Name, limit.Where)
	// Output:
	// 1000
	// false	images.lua:3: bad argument #1 to 'random' (number expected, got an image)
	// true heap images.lua:5
}
