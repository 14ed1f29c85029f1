// Package vm runs Lua scripts within limits. It is gopher-lua (Lua 5.1) with what a program needs to run scripts that
// it does not trust:
//
//   - Limits on time, instructions, memory and output. A script that reaches a limit ends with a [LimitError], which no
//     pcall can catch. See [Limits].
//   - Errors that keep their Go cause through pcall, with file, line and traceback. See [script.Error]. A Go panic in a
//     function of the host ends the run as an [InternalError].
//   - Messages of Lua 5.1, which name the variable that has a wrong value.
//   - An environment that belongs to the run.
//
// Package lualib has Lua's standard library for machines, with a sandbox: scripts reach no files except Lua files in
// the folders that they are given, no processes, no debug library and no bytecode.
//
// # Use
//
// [script.Compile] compiles a file. [New] makes a [Machine], which runs one script, or several that share their
// globals.
//
//	file, err := script.Compile("hello.lua", source)
//	...
//	m := vm.New(ctx, vm.Options{Limits: vm.Limits{Timeout: time.Second, Heap: 64 << 20}, Output: os.Stdout})
//	defer m.Close()
//	lualib.Open(m, lualib.Options{})
//	_, err = m.Run(file, 0)
//
// A machine and its values belong to one goroutine at a time. Different machines are independent, so that a program
// can run many at once. While machines with a limit of the heap exist and the heap of the process is small, the package
// raises the percentage at which Go collects garbage, unless the environment variable GOGC is set.
//
// # Host values
//
// The host gives scripts functions with [Machine.Function], and Go values with [Machine.NewType] and [Machine.Object].
// A host value is printed and compared by the metamethods of its type (__tostring and __eq). It may implement
// [memory.Sizer], so that the memory it holds counts, and [Describer], so that error messages can name it.
//
// A host function that runs for long calls [Meter.Check], or the function that [Meter.Every] returns, from time to
// time. A function that allocates much calls [Meter.Reserve] first.
//
// # Structure
//
// Every call that catches errors, whether it comes from pcall, xpcall or the host, goes through one function (see
// [Machine.Protect]). [Meter] counts everything that is limited.
package vm
