package luabind

import (
	"context"
	"maps"
	"sync"

	"roclua/internal/nearest"
	"roclua/luabind/api"
	"roclua/luabind/array"
	"roclua/luabind/device"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/vm"
	"roclua/luabind/vm/lualib"
)

// functions are the functions that scripts can call.
var functions = sync.OnceValue(func() *engine.FunctionSet {
	return engine.NewFunctionSet(array.Extension(), device.Extension(), library.Extension(), runner())
})

// runner adds the parameter t of scenarios and the environment of the case to the engine.
func runner() engine.Extension {
	return engine.Extension{
		Functions: map[string]engine.Bodies{"t:": testMethods(), "c:": clientMethods(),
			"os.": {"getenv": engine.Takes1(osGetenv), "setenv": engine.Takes2(osSetenv)}},
		Readers: map[api.Kind][]any{api.Test: {engine.Object[*test]}, api.Client: {engine.Object[*test]},
			api.Callable: {readCallable}},
		Types: map[string]func(*engine.Engine){testType: func(e *engine.Engine) { openTest(e, testType) },
			clientType: func(e *engine.Engine) { openTest(e, clientType) }},
	}
}

// testMethods are the methods of t.
func testMethods() engine.Bodies {
	return engine.Bodies{
		"metric":  engine.Takes4(testMetric),
		"measure": withoutOptions(engine.Takes4(testMeasure)),
		"check":   engine.Takes3(testCheck),
		"equal":   engine.Takes4(testEqual),
		"near":    engine.Takes5(testNear),
		"compare": engine.Takes5(testCompare),
		"status":  engine.Takes4(testStatus),
		"raises":  engine.Takes4(testRaises),
		"case":    engine.Takes4(testCase),
		"forms":   engine.Takes4(testForms),
		"skip":    engine.Takes2(testSkip),
		"log":     engine.Takes2(testLog),
		"defects": engine.Takes1(testDefects),
		"defer":   engine.Takes3(testDefer),
		"guard":   engine.Takes4(testGuard),
		"open":    engine.Takes2(testOpen),
		"malloc":  engine.Takes2(testMalloc),
		"upload":  engine.Takes2(testUpload),
		"stream":  engine.Takes2(testStream),
		"event":   engine.Takes1(testEvent),
	}
}

// clientMethods are the methods of c, which t has, too.
func clientMethods() engine.Bodies {
	all, shared := testMethods(), engine.Bodies{}
	client, _ := api.FindClass("client")
	for _, f := range client.Methods {
		shared[f.Name] = all[f.Name]
	}
	return shared
}

// newState makes a state with the modules.
func newState(ctx context.Context, seed uint64, o Options) *state {
	s := &state{opts: o}
	s.Engine = engine.New(ctx, functions(), vm.Options{
		Limits: vm.Limits{Instructions: o.Limits.Instructions, Heap: o.Limits.Heap, Output: o.Limits.Output},
		Output: o.Output, HeldBytes: s.heldBytes, Seen: o.Seen, Profile: o.LuaProfile,
	}, lualib.Options{Sandbox: o.Sandbox, LibraryPaths: o.LibraryPaths, Args: o.Args, Seed: seed,
		Clock: s.clock, Suggest: nearest.DidYouMean})
	maps.Copy(s.Env, o.Env)
	s.library = library.NewState(s.Engine)
	s.LibraryState, s.DeviceState = s.library, device.NewState()
	s.DeviceLimit = o.Limits.DeviceMemory
	s.SetRuntime(o.Runtime, o.Profile, o.Tuning)
	return s
}
