package files

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Settings are a program's settings apart from the arguments of a call. The zero value sets nothing.
type Settings struct {
	Workspace        uint64 // bytes of a workspace of the program; 0 for none
	Captured         bool   // the call is captured, and takes its memory in the order of the stream
	OnHost, OnDevice bool   // where scalars and results are, one after the other; on the host if neither is set

	// Of products.
	Atomics   int8 // 1 if kernels may use atomic operations, -1 if not, and 0 as the release has it
	XF32      bool
	HipBLASLt bool

	others uint8 // bits of the texts that do not change the answer
}

// otherSettings are settings that do not change the answer, or only of other calls.
var otherSettings = []string{"HMM", "api=FORTRAN", "api=INTERNAL", "stochastic_rounding", "atomics_mode=0",
	"math_mode=1", "use_hipblaslt=0", "use_hipblaslt=1"}

// settingNames are the settings of rocblas-bench and of tests, with the value that is usual.
var settingNames = []struct{ name, usual string }{{"user_allocated_workspace", "0"}, {"graph_test", "0"},
	{"pointer_mode_host", "1"}, {"pointer_mode_device", "1"}, {"atomics_mode", "1"}, {"math_mode", "0"},
	{"use_hipblaslt", "-1"}, {"HMM", "0"}, {"stochastic_rounding", "0"}, {"api", "0"}}

// settingOptions are other names of settings, as options of rocblas-bench, and their values.
var settingOptions = map[string][2]string{"workspace": {"user_allocated_workspace"}, "hmm": {"HMM"},
	"use_hmm": {"HMM"}, "fortran": {"api", "2"}, "atomics_not_allowed": {"atomics_mode", "0"}}

// option changes the setting that is an option of rocblas-bench. known is false if it is none.
func (s *Settings) option(name, value string, product bool) (known bool, err error) {
	if other, ok := settingOptions[strings.ToLower(name)]; ok {
		if name = other[0]; other[1] != "" {
			if value != "true" {
				return true, nil
			}
			value = other[1]
		}
	}
	i := slices.IndexFunc(settingNames, func(of struct{ name, usual string }) bool { return of.name == name })
	if i < 0 {
		return false, nil
	}
	if value = cmp.Or(usualNames[value], value); value == settingNames[i].usual {
		return true, nil
	}
	return true, s.set(name, value, product)
}

// set changes a setting to a value that is not usual. The word is the text of one that does not change the answer.
func (s *Settings) set(name, value string, product bool) error {
	n, err := strconv.ParseInt(cmp.Or(map[string]string{"true": "1", "false": "0"}[value], value), 10, 64)
	if err != nil || n < -1 {
		return fmt.Errorf("%s: %q is not a number", name, value)
	}
	word := ""
	switch {
	case name == "user_allocated_workspace":
		s.Workspace = uint64(max(n, 0))
	case name == "graph_test":
		s.Captured = n != 0
	case name == "pointer_mode_host":
		s.OnHost = n != 0
	case name == "pointer_mode_device":
		s.OnDevice = n != 0
	case name == "atomics_mode" && product:
		s.Atomics = -1
	case name == "math_mode" && product:
		s.XF32 = n == 1
	case name == "use_hipblaslt" && product && n == 1:
		s.HipBLASLt = true
	case name == "api": // odd ones have 64-bit integers
		word = map[int64]string{1: "api=FORTRAN", 2: "api=INTERNAL"}[n/2]
	case n != 0 && slices.Contains(otherSettings, name):
		word = name
	default:
		word = fmt.Sprintf("%s=%d", name, n)
	}
	if i := slices.Index(otherSettings, word); i >= 0 {
		s.others |= 1 << i
	}
	return nil
}

// Deciding returns the settings that can change the answer.
func (s Settings) Deciding() Settings {
	s.others = 0
	return s
}

// Join adds the settings of an equal call that do not change the answer.
func (s *Settings) Join(o *Settings) { s.others |= o.others }

// List writes the settings that are not usual, such as graph_test: those that can change the answer, and others that
// at least one of equal calls has.
func (s *Settings) List() (deciding, others []string) {
	for _, of := range []struct {
		set  bool
		text string
	}{{s.Workspace > 0, fmt.Sprintf("user_allocated_workspace=%d", s.Workspace)}, {s.Captured, "graph_test"},
		{s.OnDevice && !s.OnHost, "pointer_mode_host=0"}, {s.OnHost && !s.OnDevice, "pointer_mode_device=0"},
		{s.Atomics < 0, "atomics_mode=0"}, {s.XF32, "math_mode=1"}, {s.HipBLASLt, "use_hipblaslt=1"}} {
		if of.set {
			deciding = append(deciding, of.text)
		}
	}
	for i, text := range otherSettings {
		if s.others&(1<<i) != 0 {
			others = append(others, text)
		}
	}
	return deciding, others
}

// String writes the settings as the end of a call, such as " (graph_test; also HMM)".
func (s *Settings) String() string {
	deciding, others := s.List()
	switch {
	case len(others) == 0 && len(deciding) == 0:
		return ""
	case len(others) == 0:
		return " (" + strings.Join(deciding, ", ") + ")"
	case len(deciding) == 0:
		return " (also " + strings.Join(others, ", ") + ")"
	}
	return " (" + strings.Join(deciding, ", ") + "; also " + strings.Join(others, ", ") + ")"
}
