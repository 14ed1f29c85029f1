package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/hip/fault"
)

// Faults is the table [faults]: which allocations of each case fail. fault.Plan describes how the keys combine.
type Faults struct {
	Nth     Numbers  `toml:"nth" json:"nth,omitempty"`
	Every   int      `toml:"every" json:"every,omitempty"`
	Over    Size     `toml:"over" json:"over,omitempty"`
	Calls   []string `toml:"calls" json:"calls,omitempty"`
	Devices []int    `toml:"devices" json:"devices,omitempty"`
	Streams []int    `toml:"streams" json:"streams,omitempty"`
	Causes  []string `toml:"causes" json:"causes,omitempty"`
}

// Plan returns the faults for the runtime.
func (f Faults) Plan() fault.Plan {
	return fault.Plan{Nth: f.Nth, Every: f.Every, Over: uint64(f.Over), Calls: f.Calls, Devices: f.Devices,
		Streams: f.Streams, Causes: f.Causes}
}

// IsZero reports whether no allocation fails.
func (f Faults) IsZero() bool { return f.Plan().IsZero() }

// check returns the invalid key in faults, which starts the error of a fault.Plan, and the reason. devices is the most
// that a target has.
func (f Faults) check(devices int) (key string, err error) {
	if err := f.Plan().Check(); err != nil {
		key, _, _ := strings.Cut(err.Error(), ":")
		return key, fmt.Errorf("faults.%w", err)
	}
	for _, d := range f.Devices {
		switch {
		case d < devices:
		case devices == 1:
			return "devices", fmt.Errorf("faults.devices: %d, and each case has one device, 0: see target.devices", d)
		default:
			return "devices", fmt.Errorf("faults.devices: %d, and no case has more devices than 0 to %d", d, devices-1)
		}
	}
	return "", nil
}

// Numbers is one integer or a list of integers.
type Numbers []int

// UnmarshalTOML reads a number, or a list of numbers.
func (n *Numbers) UnmarshalTOML(v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	*n = nil
	for _, item := range list {
		number, ok := item.(int64)
		if !ok {
			return fmt.Errorf("%v is not an integer; want one, or a list of integers", item)
		}
		*n = append(*n, int(number))
	}
	return nil
}

// faultAxes are the keys of faults that an axis may vary, each with its setter.
var faultAxes = map[string]func(*Faults, int){
	"faults.nth":   func(f *Faults, n int) { f.Nth = Numbers{n} },
	"faults.every": func(f *Faults, n int) { f.Every = n },
	"faults.over":  func(f *Faults, n int) { f.Over = Size(n) },
}

// FaultAxes lists the keys of faults that an axis may vary: "faults.nth".
func FaultAxes() []string { return slices.Sorted(maps.Keys(faultAxes)) }

// IsFaultAxis reports whether an axis varies a key of faults rather than a parameter.
func IsFaultAxis(name string) bool { return faultAxes[name] != nil }

// SetAxis sets one of the keys in FaultAxes.
func (f *Faults) SetAxis(name string, value int) { faultAxes[name](f, value) }
