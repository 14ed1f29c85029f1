// Package defect is the table of known defects of the libraries: wrong results, overruns, crashes and the like that
// their changelogs, sources and public threads report, and the calls that they concern.
//
//	call := &defect.Call{Args: args}
//	for _, f := range defect.For(release.Versions, "gfx1201").Of(call, defect.State{}) {
//		fmt.Println(f.ID, f.Text)
//	}
//
// The memory model computes right numbers for such calls: it does not imitate a defect. A call without a row is not
// known to be safe.
package defect

import (
	"slices"
	"strings"
	"sync"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
)

// Level is the kind of condition that decides whether a defect occurs.
type Level string

const (
	Certain     Level = "certain"     // the arguments of the call
	Possible    Level = "possible"    // also values, or the order in which threads run
	Environment Level = "environment" // the runtime, the scheme or a capture, for a whole program
)

// Kind is the consequence of a defect.
type Kind string

const (
	WrongResult Kind = "wrong_result"
	OutOfBounds Kind = "out_of_bounds"
	Undersized  Kind = "undersized_workspace" // the size query returns less than the call uses
	MemoryError Kind = "memory_error"
	Crash       Kind = "crash"
	Hang        Kind = "hang"
	Leak        Kind = "leak"
	Slow        Kind = "slow"
	Capture     Kind = "capture"
)

// Defect is a row of the table.
type Defect struct {
	ID       string
	Level    Level
	Kind     Kind
	Families []routine.FamilyID          // of the calls; nil if the defect is not one of routines
	Forms    func(*routine.Routine) bool // of these families; nil for all forms with 32-bit sizes
	Types    string                      // letters of the types; "" for all
	Archs    []string                    // architectures, or prefixes of their names; nil for all
	In       Range                       // the affected versions
	And      Range                       // versions of another library that must be there, too; none if it is zero
	Fixed    string                      // the first repaired version, "rocBLAS 5.7 (ROCm 10.1)"; "" if none is known
	Reported bool                        // neither a changelog nor the source bounds the range

	When  func(*Call) bool   // which calls of the families; nil for all
	While func(*State) Truth // the state that decides; nil for every state
	// TextOnly says which part of a condition no command knows: the row is only documented. It is "" for others.
	TextOnly string

	Text    string   // the effect, in a sentence or two
	Sources []string // public threads and changelogs
	Checked Evidence
	// Hits are calls that the row concerns, as roclua size has them, each after an architecture:
	// "gfx1201 sdot_batched n=2000 batch_count=70000".
	Hits []string
}

// Evidence is how a row was checked. A row that has only a note, or nothing, repeats the threads.
type Evidence struct {
	Source []string // versions of the library whose source was read
	Run    []string // releases of ROCm whose libraries were run over a HIP without a GPU
	Log    bool     // the changelog of the library or of ROCm states the defect
	Note   string   // the finding
}

// Range is versions of a library, from From on and before Before. "" is no bound.
type Range struct{ Library, From, Before string }

// Truth is whether a part of a state holds. The zero value is Unknown.
type Truth int8

const (
	Unknown Truth = iota
	Yes
	No
)

// And returns whether both hold.
func (t Truth) And(o Truth) Truth {
	switch {
	case t == No || o == No:
		return No
	case t == Yes && o == Yes:
		return Yes
	}
	return Unknown
}

// State is the part of a condition that is not in the arguments. An Unknown one leaves a row undecided.
type State struct {
	StreamOrdered Truth // the handle takes its memory from hipMallocAsync
	Managed       Truth // the library manages the handle's memory
	Capturing     Truth // the stream is captured
}

// Call is a call and the architecture on which it is made.
type Call struct {
	*routine.Args
	Known func(routine.Slot) bool // whether an argument is known; nil if all are

	arch   *arch.Arch
	missed bool // a condition has read an argument that is not known
}

// Int returns an integer or an enumeration.
func (c *Call) Int(s routine.Slot) int64 {
	c.missed = c.missed || c.Known != nil && !c.Known(s)
	return c.Args.Int(s)
}

// rows returns the rows of a matrix, or its order if the routine has no m.
func (c *Call) rows() int64 {
	if c.Routine.Has(routine.M) {
		return c.Int(routine.M)
	}
	return c.Int(routine.N)
}

// Batch returns the number of problems.
func (c *Call) Batch() int64 {
	if c.Routine.Variant == routine.Plain {
		return 1
	}
	return c.Int(routine.BatchCount)
}

// Finding is a defect that concerns a call or a program.
type Finding struct {
	*Defect
	Undecided bool // an argument or a part of the state that decides is not known
}

// All returns the table.
func All() []*Defect { return rows() }

// Find returns the defect with an id.
func Find(id string) (*Defect, bool) {
	i := slices.IndexFunc(rows(), func(d *Defect) bool { return d.ID == id })
	if i < 0 {
		return nil, false
	}
	return rows()[i], true
}

// IDs returns the ids in the order of the table.
func IDs() []string {
	ids := make([]string, len(rows()))
	for i, d := range rows() {
		ids[i] = d.ID
	}
	return ids
}

// Rows are the rows that can concern calls on one release and architecture: by family, and at the end the rows
// about programs.
type Rows struct {
	list [routine.FamilyCount + 1][]*Defect
	arch *arch.Arch
}

// forms are functions for hipSOLVER and hipBLAS, and the families with the same kernels.
var forms = map[routine.FamilyID]routine.FamilyID{routine.GesvOutOfPlace: routine.Gesv,
	routine.GelsOutOfPlace: routine.Gels, routine.GesvdjNotTransposed: routine.Gesvdj,
	routine.SyevdxInPlace: routine.Syevdx, routine.SygvdxInPlace: routine.Sygvdx,
	routine.GesvdxNotTransposed: routine.Gesvdx, routine.GetrfInfo32: routine.Getrf,
	routine.GetrfNpvtInfo32: routine.GetrfNpvt, routine.PotrfInfo32: routine.Potrf,
	routine.GeqrfPointers: routine.Geqrf}

// key decides which rows can concern a call.
type key struct {
	release.Versions
	arch string
}

var tables sync.Map // of key to *Rows

// For returns the rows for libraries and an architecture.
func For(v release.Versions, on string) *Rows {
	k := key{v, on}
	if t, ok := tables.Load(k); ok {
		return t.(*Rows)
	}
	t := Rows{arch: arch.Of(on)}
	for _, d := range rows() {
		if d.TextOnly != "" || !d.InVersions(v) || !d.OnArch(on) {
			continue
		}
		for _, f := range d.Families {
			t.list[f] = append(t.list[f], d)
		}
		if d.Families == nil {
			t.list[routine.FamilyCount] = append(t.list[routine.FamilyCount], d)
		}
	}
	for form, of := range forms {
		t.list[form] = t.list[of]
	}
	tables.Store(k, &t)
	return &t
}

// Any reports whether a row can concern calls to a routine.
func (t *Rows) Any(r *routine.Routine) bool {
	if r.IsLayer() {
		return false
	}
	for _, d := range t.list[r.Family.ID] {
		if d.forms(r) {
			return true
		}
	}
	return false
}

// Of returns the defects that concern a call, in the order of the table.
func (t *Rows) Of(c *Call, s State) (list []Finding) {
	if !t.Any(c.Routine) {
		return nil
	}
	c.arch = t.arch
	for _, d := range t.list[c.Routine.Family.ID] {
		if !d.forms(c.Routine) {
			continue
		}
		if f, ok := d.on(c, &s); ok {
			list = append(list, f)
		}
	}
	return list
}

// Around returns the defects of the environment that concern a program.
func (t *Rows) Around(s State) (list []Finding) {
	for _, d := range t.list[routine.FamilyCount] {
		if f, ok := d.on(nil, &s); ok {
			list = append(list, f)
		}
	}
	return list
}

// on decides a row by the call and the state; c is nil for a program.
func (d *Defect) on(c *Call, s *State) (f Finding, ok bool) {
	f.Defect = d
	if d.While != nil {
		switch d.While(s) {
		case No:
			return f, false
		case Unknown:
			f.Undecided = true
		}
	}
	if c == nil || d.When == nil {
		return f, true
	}
	c.missed = false
	hit := d.When(c)
	f.Undecided = f.Undecided || c.missed
	return f, hit || c.missed
}

// OnArch reports whether the defect concerns an architecture.
func (d *Defect) OnArch(name string) bool {
	return d.Archs == nil || slices.ContainsFunc(d.Archs, func(a string) bool { return strings.HasPrefix(name, a) })
}

// Has reports whether the defect concerns routines of a family.
func (d *Defect) Has(f routine.FamilyID) bool { return slices.Contains(d.Families, f) }

// Concerns reports whether the defect concerns calls to a routine.
func (d *Defect) Concerns(r *routine.Routine) bool {
	return !r.IsLayer() && d.Has(r.Family.ID) && d.forms(r)
}

// InVersions reports whether libraries are affected.
func (d *Defect) InVersions(v release.Versions) bool {
	return d.In.has(v) && (d.And.Library == "" || d.And.has(v))
}

// forms reports whether the row concerns the form and the type of a routine.
func (d *Defect) forms(r *routine.Routine) bool {
	if d.Types != "" && !strings.Contains(d.Types, r.Type.Prefix()) {
		return false
	}
	if d.Forms == nil {
		return !r.Wide
	}
	return d.Forms(r)
}

func (v Range) has(of release.Versions) bool {
	text := map[string]string{release.RocBLAS: of.RocBLAS, release.RocSOLVER: of.RocSOLVER, "hipSOLVER": of.HipSOLVER,
		nameOfHIP: of.HIP}[v.Library]
	have, ok := release.ParseVersion(text)
	from, bounded := release.ParseVersion(v.From)
	before, fixed := release.ParseVersion(v.Before)
	return ok && (!bounded || have.Compare(from) >= 0) && (!fixed || have.Compare(before) < 0)
}

// String returns the versions, "rocBLAS 4.4 to 5.4" as "rocBLAS from 4.4 on, before 5.5".
func (v Range) String() string {
	text := v.Library
	if v.From != "" {
		text += " from " + v.From + " on"
	}
	if v.Before != "" {
		if v.From != "" {
			text += ","
		}
		text += " before " + v.Before
	}
	return text
}

// Repair says which version repairs the defect.
func (d *Defect) Repair() string {
	if d.Fixed == "" {
		return "not known to be fixed"
	}
	return "fixed in " + d.Fixed
}

// Scope says which versions and architectures are affected, and how sure that is.
func (d *Defect) Scope() string {
	text := "affected: "
	if d.Reported {
		text = "reported for: "
	}
	text += d.In.String()
	if d.And.Library != "" {
		text += " with " + d.And.String()
	}
	if d.Archs != nil {
		text += ", on " + strings.Join(d.Archs, ", ")
	}
	return text
}

// Evidence says how the row was checked.
func (d *Defect) Evidence() string {
	var how []string
	if d.Checked.Source != nil {
		how = append(how, "in the source of "+d.In.Library+" "+strings.Join(d.Checked.Source, ", "))
	}
	if d.Checked.Run != nil {
		how = append(how, "with the libraries of ROCm "+strings.Join(d.Checked.Run, ", ")+" without a GPU")
	}
	text := "reported, not confirmed"
	switch {
	case how != nil:
		text = "checked " + strings.Join(how, " and ")
	case d.Checked.Log:
		text = "stated by the changelog, not confirmed"
	}
	if d.Checked.Note != "" {
		text += ": " + d.Checked.Note
	}
	return text
}

// Rank orders findings: certain ones are the worst.
func (f Finding) Rank() int {
	if f.Undecided {
		return 3
	}
	return slices.Index([]Level{Certain, Possible, Environment}, f.Level)
}

// String describes the finding in a line.
func (f Finding) String() string {
	text := f.ID + " (" + strings.ReplaceAll(string(f.Kind), "_", " ") + ", " + string(f.Level)
	if f.Undecided {
		text += ", undecided: the call is not fully known"
	}
	return text + "): " + f.detail()
}

// detail gives the effect, its scope and the sources.
func (f Finding) detail() string {
	text := f.Text
	if f.Kind == Undersized {
		text += " The bytes are the library's own answer, known to be short."
	}
	return text + " " + strings.ToUpper(f.Scope()[:1]) + f.Scope()[1:] + "; " + f.Repair() + "; " +
		strings.Join(f.Sources, ", ")
}

// Entry is a finding in documents.
type Entry struct {
	ID        string `json:"id"`                  // of the row: roclua docs ID
	Level     Level  `json:"level"`               // certain, possible or environment: how certain it is that it occurs
	Kind      Kind   `json:"kind"`                // wrong_result, out_of_bounds, crash and so on
	FixedIn   string `json:"fixed_in"`            // first repaired version; "" if none is known
	Text      string `json:"text"`                // the effect, the affected versions and the sources
	Undecided bool   `json:"undecided,omitempty"` // an argument or a state that decides is not known
}

// Entries describes findings; the list is never nil.
func Entries(findings []Finding) []Entry {
	list := make([]Entry, len(findings))
	for i, f := range findings {
		list[i] = f.Entry()
	}
	return list
}

// Entry describes the finding in documents.
func (f Finding) Entry() Entry { return Entry{f.ID, f.Level, f.Kind, f.Fixed, f.detail(), f.Undecided} }
