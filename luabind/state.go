package luabind

import (
	"context"
	"crypto/sha256"
	"io"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/record"
	"roclua/luabind/vm/memory"
	"roclua/luabind/vm/script"
	"roclua/workspace"
	"roclua/workspace/tuning"
)

// Options configure a case or a session.
type Options struct {
	Runtime      *hip.Runtime
	Profile      *workspace.Profile
	Tuning       tuning.Libraries   // the rocBLAS tuning files
	Env          map[string]string  // the environment of the script
	LibraryPaths []string           // folders that require searches, in order; the first is the script's own
	Output       io.Writer          // of print and io.write
	Args         []string           // elements of the global table arg
	Sandbox      string             // one of bounds.Sandboxes; "" is the default
	Limits       record.Limits      // Timeout is not used here: see WithTimeout
	Over         func()             // called if the case ended early and its teardown begins; may be nil
	Seen         func(where string) // called with the line that runs, from time to time; may be nil
	LuaProfile   bool               // measure where the script spends its time
	History      bool               // keep the history of the devices in the record

	Virtual bool // the time of the case is virtual, although Runtime is not known yet

	Setups *Setups // results of setup_all in this process; nil keeps them for one case

	// Fresh opens a device like the one of Runtime for a t:case, and returns how it is closed. It is nil if there is no
	// other device: t:case then uses the same one.
	Fresh func() (*hip.Runtime, func() error, error)

	Second     func(record.Interval) // called after each second of a workload; may be nil
	Thresholds []Threshold           // expectations that may end a workload early
}

// Threshold is an expectation on a metric of a workload.
type Threshold struct {
	record.Threshold
	Holds func(value any) bool
}

// Setups keeps the results of setup_all for the cases of one process. The zero value is empty.
type Setups struct {
	mu   sync.Mutex
	kept map[setupKey]*setup
}

// setupKey has the inputs of a setup_all.
type setupKey struct {
	name, scenario string
	source         [sha256.Size]byte
	environment    string // the environment, the arguments, the folders and the sandbox
	seed           uint64
}

// setup is a setup_all that has run: its result, or its error.
type setup struct {
	state    *state // while it runs
	data     lua.LValue
	bytes    uint64 // of the arrays
	required []string
	err      error
}

// IsIncomplete reports whether an error of Compile or CompileEntry is that the text ends too early.
func IsIncomplete(err error) bool { return script.IsIncomplete(err) }

// state is an engine with the data of the modules. It serves one case or session.
type state struct {
	*engine.Engine
	opts    Options
	library *library.State
	release context.CancelFunc // ends the context of the runtime in teardown; nil before
	client  bool               // it is the state of a client of a workload
	outside uint64             // host memory that the devices outside of a t:case hold
	passed  time.Duration      // virtual time that passed without a device
}

// streamBytes is the approximate size of a stream in host memory, with its queue and its goroutine.
const streamBytes = 16 << 10

// heldBytes returns the memory that is held for the script, apart from the values of Lua.
func (s *state) heldBytes() uint64 {
	bytes := s.outsideBytes()
	for name, value := range s.Env {
		bytes += uint64(len(name) + len(value) + memory.FieldBytes)
	}
	return bytes
}

// outsideBytes returns the memory that the libraries and the device hold for the script.
func (s *state) outsideBytes() uint64 {
	bytes := s.outside + s.library.HeldBytes()
	if rt := s.Runtime; rt != nil && !s.client {
		bytes += rt.StagedBytes() + uint64(rt.OpenStreams())*streamBytes
	}
	return bytes
}

// clock returns the virtual time in seconds, if there is one. To read it takes some of it.
func (s *state) clock() (seconds float64, ok bool) {
	switch {
	case s.Runtime == nil && s.opts.Virtual:
		seconds, s.passed = s.passed.Seconds(), s.passed+lookWithoutDevice
		return seconds, true
	case s.Runtime == nil || s.Runtime.Clock() == nil:
		return 0, false
	}
	s.During(func() {
		seconds = s.Runtime.Clock().Now().Seconds()
		s.Runtime.Clock().Look()
	})
	return seconds, true
}

// lookWithoutDevice is the time that a read of the virtual time takes before there is a device with a model.
const lookWithoutDevice = time.Microsecond

// replaceRuntime sets the runtime. Its virtual time begins when the one of the last runtime ended.
func (s *state) replaceRuntime(rt *hip.Runtime, p *workspace.Profile, files tuning.Libraries) {
	if s.Runtime != nil && s.Runtime.Clock() != nil {
		s.passed = s.Runtime.Clock().Now()
	}
	s.SetRuntime(rt, p, files)
	if clock := rt.Clock(); clock != nil {
		clock.WaitUntil(s.passed)
	}
}

func (s *state) close() {
	s.VM.Close()
	s.library.CloseFunctions()
	if s.release != nil {
		s.release()
	}
	if s.Runtime != nil {
		s.During(func() { s.Runtime.SetContext(context.Background()) })
	}
}
