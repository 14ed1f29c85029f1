package luabind

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/load"
	"roclua/luabind/record"
	"roclua/luabind/vm"
)

// test is the parameter t of a scenario's functions.
type test struct {
	s      *state
	script *Script
	c      record.Case
	bytes  lua.LValue // the scenario's field bytes: a number, a function of t, or nil
	log    bytes.Buffer
	object lua.LValue
	setUp  func(*test) *setup // runs setup_all; nil for a client
	data   lua.LValue         // t.data; nil before its first use
	rows   []*row             // calls of t:case in progress, from the outside to the inside
	ranRow bool               // a row was not skipped

	client *client // of a workload, whose parameter c it is; nil for t

	choices map[string]string // which value counts of a metric that is recorded again
	scope
}

// scope is the part of a test that each row has for itself.
type scope struct {
	record  *record.Record
	handle  lua.LValue
	defers  []deferred
	failed  record.Failures         // of deferred functions
	metrics map[string]storedMetric // the metrics of the record, by name
}

const testType = "roclua.test"

const clientType = "roclua.client"

// checksKept is how many checks that failed are kept of a client.
const checksKept = 4

// row is a call of t:case in progress: its name, how its device is closed, and the state of the test before it.
type row struct {
	name  string
	close func() error // nil if the device is the one of the case

	runtime   *hip.Runtime
	outside   uint64
	hostFuncs *engine.HostFuncs
	devices   any
	library   *library.State
	scope
}

// deferred is a function to call when the case ends.
type deferred struct {
	fn   *lua.LFunction
	args []lua.LValue
	made string // line of the script that called t:defer

	released func() bool // reports whether there is nothing left to release; nil for functions of the script
}

// client is a client of a workload, with the fields of c that t does not have.
type client struct {
	*test
	of      *loading
	id      int // from 1
	thread  *hip.Thread
	cancel  context.CancelCauseFunc
	events  []*lua.LFunction
	args    []lua.LValue   // of an event: c, in a list that is made once
	leave   *lua.LFunction // may be nil
	shared  lua.LValue
	stream  *hip.Stream // nil before it is used
	failing int         // checks that failed
}

// loading is a workload in progress.
type loading struct {
	t           *test
	plan        *record.Workload
	shared      lua.LValue // result of setup, in the machine of t
	guards      map[*lua.LUserData]*engine.Guard
	environment map[string]string
	budget      *vm.Budget
	output      io.Writer
	began       time.Duration // since the runtime was opened
	seen        load.Sample   // at the last sample

	mu sync.Mutex // guards the record of t while clients are closed
}

// letter returns the name of the parameter in documentation.
func (t *test) letter() string {
	if t.client != nil {
		return "c"
	}
	return "t"
}

// keeps reports whether the record of a client keeps a check, and counts it.
func (c *client) keeps(passed bool) bool {
	if passed {
		return false
	}
	c.failing++
	return c.failing <= checksKept
}
