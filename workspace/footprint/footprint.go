// Package footprint computes how many bytes of a handle's memory a sequence of calls needs, on any release and
// architecture, without a handle or a device.
//
// Parse reads a call as text, such as "dgetrf m=1024 n=1024"; parameters that are not given have the same defaults as
// named arguments in a script. NewSequence puts calls into order, with axes along which their sizes vary.
// Sequence.Bytes returns the bytes on a Target, and Sequence.On also the memory that each scheme would hold, and
// warnings.
package footprint

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/hipsolver"
)

// Footprint is the need of a sequence on one target at one point.
type Footprint struct {
	Target   Target
	Calls    []Need
	Bytes    uint64           // of the call that needs most, among those whose need is known
	Decides  int              // which call that is, from 0
	Held     []workspace.Held // empty if the need of a call is not known, or a call is a function of hipSOLVER
	Warnings []string
	Caveats  []string // why another build of the release may need other sizes
	Later    []string // changes of later releases that concern the calls
}

// Unknown returns why the need of a call is not known, and that call, from 0; "" if all are known.
func (f *Footprint) Unknown() (reason string, call int) {
	for i := range f.Calls {
		if text := f.Calls[i].Unknown; text != "" {
			return text, i
		}
	}
	return "", 0
}

// Refused returns the error of the first call that hipSOLVER refuses; nil if there is none.
func (f *Footprint) Refused() error {
	for i := range f.Calls {
		if refusal := f.Calls[i].Refused; refusal != nil {
			return refusal
		}
	}
	return nil
}

// later returns the changes of releases after the target's that concern a routine.
func later(t Target, r *routine.Routine) (list []string) {
	if r.IsLayer() || !t.Profile.Modelled() {
		return nil
	}
	library := release.RocBLAS
	if r.Library == routine.RocSOLVER {
		library = release.RocSOLVER
	}
	for _, c := range t.Profile.Release.Later(library, r.Family.Name) {
		list = append(list, fmt.Sprintf("%s differs from %s %s (ROCm %s) on: %s (%s)", r.Family.Name, c.Library,
			c.Version, c.ROCm, c.What, c.Source))
	}
	return list
}

// Rows returns the known defects that can concern calls on the target.
func (t Target) Rows() *defect.Rows { return defect.For(t.versions(), t.Arch) }

func (t Target) versions() release.Versions {
	if t.Libraries != nil {
		return *t.Libraries
	}
	return t.Profile.Release.Versions
}

// HeldAfter returns the memory of a handle under each scheme after calls that need some bytes, and the known defects of
// the scheme.
func (t Target) HeldAfter(needs []uint64) []workspace.Held {
	list := workspace.HeldAfter(t.Profile, t.Arch, needs)
	for i := range list {
		if h := &list[i]; h.Skip == "" {
			h.About += t.SchemeDefects(h.Scheme)
		}
	}
	return list
}

const schemeDefects = "; known defects: "

// SchemeDefects names the known defects of programs whose handles have a scheme, with a source of each; "" if there are
// none.
func (t Target) SchemeDefects(scheme string) (text string) {
	for i, d := range workspace.DefectsAround(t.Profile, t.versions(), scheme, t.Arch, nil) {
		separator := ", "
		if i == 0 {
			separator = schemeDefects
		}
		text += fmt.Sprintf("%s%s (%s)", separator, d.ID, d.Sources[0])
	}
	return text
}

// DefectsOfSchemes lists the known defects of each scheme that the release has, for a table without an explanation of
// the schemes.
func (t Target) DefectsOfSchemes() (list []string) {
	for _, scheme := range workspace.Schemes {
		if text := t.SchemeDefects(scheme); text != "" && t.Profile.SkipScheme(scheme) == "" {
			list = append(list, "handles with "+scheme+": "+strings.TrimPrefix(text, schemeDefects))
		}
	}
	return list
}

// Defects returns the known defects that concern call i on a target at a point, of which only the arguments are known.
func (s *Sequence) Defects(t Target, i int, point []int) (list []defect.Finding) {
	if !t.Profile.Modelled() {
		return nil
	}
	calls := []*routine.Args{s.programs[i].at(s.Axes, point)}
	if s.Calls[i].Routine.Library == routine.HipSOLVER {
		calls = hipsolver.Calls(calls[0])
	}
	for _, a := range calls {
		for _, f := range t.Rows().Of(&defect.Call{Args: a}, defect.State{}) {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// On returns the need of the sequence on a target at a point, the memory of a handle under each scheme, and warnings. A
// call that hipSOLVER refuses is not an error: it has the refusal. Nor is one of several whose size query has no
// result: its need is unknown.
func (s *Sequence) On(t Target, point []int) (*Footprint, error) {
	f := &Footprint{Target: t}
	var needs []uint64
	for i := range s.programs {
		n, err := s.Need(t, i, point)
		if err != nil && (!n.NoResult || len(s.programs) == 1) {
			return nil, err
		}
		f.Calls = append(f.Calls, n)
		needs = append(needs, n.Bytes)
		if n.Bytes > f.Bytes {
			f.Bytes, f.Decides = n.Bytes, i
		}
	}
	returns := func(n Need) bool { return n.Returned != nil || n.Refused != nil }
	if reason, _ := f.Unknown(); reason == "" && !slices.ContainsFunc(f.Calls, returns) {
		f.Held = t.HeldAfter(needs)
	}
	if r := t.Profile.Release; r.Inferred != "" {
		f.Caveats = append(f.Caveats, fmt.Sprintf("profile %s is inferred: %s", r, r.Inferred))
	}
	for i := range s.programs {
		if f.Calls[i].Refused != nil {
			continue
		}
		f.Warnings = append(f.Warnings, s.warnings(t, i, point, &f.Calls[i])...)
		f.Calls[i].Defects = s.Defects(t, i, point)
		for _, text := range later(t, s.Calls[i].Routine) {
			if !slices.Contains(f.Later, text) {
				f.Later = append(f.Later, text)
			}
		}
		text := Caveat(t, s.programs[i].at(s.Axes, point))
		if text != "" && !slices.Contains(f.Caveats, text) {
			f.Caveats = append(f.Caveats, text)
		}
	}
	return f, nil
}

// Caveat returns why another build of the release than the one that the profile reproduces may need other bytes for a
// call; "" if there is no reason to expect it.
func Caveat(t Target, a *routine.Args) string {
	if !t.Profile.Modelled() || !t.Profile.Release.SolveBoundByPackage {
		return ""
	}
	unbound := *t.Profile.Release
	unbound.SolveSizedByTrsm = true
	var have, other behavior.Demand
	query := behavior.Mode{Query: true}
	if size(t.sizing(), a, query, &have) != nil ||
		size(&behavior.Target{Release: &unbound, Arch: arch.Of(t.Arch)}, a, query, &other) != nil ||
		have.Optimal.Total() == other.Optimal.Total() {
		return ""
	}
	return a.Routine.UniqueName() +
		": AMD's own packages may need other bytes, because they may lack the upper bound for " +
		"triangular solves of rocm-libraries pull request 1954 (roclua docs provenance)"
}

// Args returns the arguments of call i of a sequence without axes.
func (s *Sequence) Args(i int) *routine.Args { return s.programs[i].at(s.Axes, nil) }

// KernelOf returns the kernel of an executed gemm or gemm_ex with a number of free bytes. The error for a call that
// fails is a *workspace.Error.
func KernelOf(t Target, a *routine.Args, free uint64) (behavior.Choice, error) {
	target := t.sizing()
	target.Products.Executes, target.Products.Free = true, free
	return workspace.ChooseKernel(target, a, behavior.Mode{})
}

// ComputeUnits returns the compute units of the device of a target.
func (t Target) ComputeUnits() int { return t.sizing().Products.Device.ComputeUnits }
