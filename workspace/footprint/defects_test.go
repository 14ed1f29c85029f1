package footprint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip/arch"
	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/workspace"
)

// affected returns a release whose libraries have the first affected versions of a row, or another version in place of
// the one of its library.
func affected(t *testing.T, d *defect.Defect, version string) *workspace.Profile {
	t.Helper()
	r := *release.Default()
	set := func(v defect.Range, version string) {
		if version == "" {
			version = v.From
		}
		if before, ok := release.ParseVersion(v.Before); version == "" && ok {
			for i := len(before) - 1; i >= 0; i-- {
				if before[i] > 0 {
					before[i]--
					break
				}
			}
			version = before.String()
		}
		switch v.Library {
		case release.RocBLAS:
			r.RocBLAS = version
		case release.RocSOLVER:
			r.RocSOLVER = version
		case "HIP":
			r.HIP = version
		default:
			t.Fatalf("%s: no library %q", d.ID, v.Library)
		}
	}
	set(d.In, version)
	if d.And.Library != "" {
		set(d.And, "")
	}
	return &workspace.Profile{Name: "test", Release: &r}
}

// concerns reports whether a row concerns a call with its architecture: "gfx90a dgetri n=255".
func concerns(t *testing.T, d *defect.Defect, p *workspace.Profile, text string) bool {
	t.Helper()
	on, call, _ := strings.Cut(text, " ")
	if _, ok := arch.Find(on); !ok {
		t.Errorf("%s: %s: unknown architecture", d.ID, text)
	}
	c, err := Parse(call)
	if err != nil {
		t.Errorf("%s: %s: %v", d.ID, text, err)
		return false
	}
	s, err := NewSequence([]*Call{c}, nil)
	if err != nil {
		t.Errorf("%s: %s: %v", d.ID, text, err)
		return false
	}
	return slices.ContainsFunc(s.Defects(Target{Profile: p, Arch: on}, 0, nil), func(f defect.Finding) bool {
		return f.ID == d.ID && !f.Undecided
	})
}

// TestDefects makes the calls that each row concerns and the ones that it does not, on affected libraries and on those
// before and after them.
func TestDefects(t *testing.T) {
	for _, d := range defect.All() {
		if d.TextOnly != "" || d.While != nil {
			continue
		}
		if d.Families == nil || len(d.Hits) == 0 || len(d.Spares) == 0 {
			t.Errorf("%s has no families, no Hits or no Spares", d.ID)
		}
		p := affected(t, d, "")
		for _, text := range d.Hits {
			if !concerns(t, d, p, text) {
				t.Errorf("%s does not concern %s", d.ID, text)
			}
			if d.In.Before != "" && concerns(t, d, affected(t, d, d.In.Before), text) {
				t.Errorf("%s concerns %s in the repaired version", d.ID, text)
			}
			if d.In.From != "" && concerns(t, d, affected(t, d, "1.0.0"), text) {
				t.Errorf("%s concerns %s in an older version", d.ID, text)
			}
		}
		for _, text := range d.Spares {
			if concerns(t, d, p, text) {
				t.Errorf("%s concerns %s", d.ID, text)
			}
		}
	}
}

// TestDefectRows checks the parts of the rows: every name is known, and what a reader needs is there.
func TestDefectRows(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range defect.All() {
		if d.ID == "" || seen[d.ID] || d.Text == "" || len(d.Sources) == 0 || d.Checked == "" || d.Level == "" ||
			d.Kind == "" {
			t.Errorf("%s lacks a part, or has the id of another row", d.ID)
		}
		seen[d.ID] = true
		for _, name := range d.Archs {
			known := func(full string) bool { return strings.HasPrefix(full, name) }
			if !slices.ContainsFunc(arch.Names(), known) {
				t.Errorf("%s: unknown architecture %q", d.ID, name)
			}
		}
		for _, v := range []defect.Range{d.In, d.And} {
			for _, text := range []string{v.From, v.Before} {
				if _, ok := release.ParseVersion(text); text != "" && !ok {
					t.Errorf("%s: %q is no version", d.ID, text)
				}
			}
		}
		if d.In.Library == "" || d.In.Before != "" && d.Fixed == "" && !d.Reported {
			t.Errorf("%s: the range %v has no library, or ends without a repair", d.ID, d.In)
		}
		if found, ok := defect.Find(d.ID); !ok || found != d {
			t.Errorf("Find(%q) = %v", d.ID, found)
		}
	}
	if d, ok := defect.Find("none"); ok {
		t.Errorf("Find of an unknown id returns %s", d.ID)
	}
}

// TestDefectsOfState decides rows with a state: hit, spared, and undecided if it is not known.
func TestDefectsOfState(t *testing.T) {
	for _, d := range defect.All() {
		if d.TextOnly != "" || d.While == nil {
			continue
		}
		on := "gfx90a"
		if d.Archs != nil {
			on = d.Archs[0]
		}
		p := affected(t, d, "")
		for truth, want := range map[defect.Truth]string{defect.Yes: "decided", defect.No: "", defect.Unknown: "open"} {
			s := defect.State{StreamOrdered: truth, Managed: truth, Capturing: truth}
			list := defect.For(p.Release.Versions, on).Around(s)
			if d.Families != nil {
				c, err := Parse(map[string]string{"trsv-graph-stream-order": "dtrsv uplo=U n=9",
					"memset-captured-7.0": "dsyevd evect=V uplo=U n=9"}[d.ID])
				if err != nil {
					t.Fatalf("%s: %v", d.ID, err)
				}
				q, err := NewSequence([]*Call{c}, nil)
				if err != nil {
					t.Fatal(err)
				}
				list = defect.Of(p.Release, on, &defect.Call{Args: q.programs[0].at(nil, nil)}, s)
			}
			have := ""
			for _, f := range list {
				if f.ID == d.ID {
					have = map[bool]string{false: "decided", true: "open"}[f.Undecided]
				}
			}
			if have != want {
				t.Errorf("%s in state %d: %q, want %q", d.ID, truth, have, want)
			}
		}
	}
}

// TestUnknownArguments leaves a row open whose condition reads an argument that is not known.
func TestUnknownArguments(t *testing.T) {
	c, err := Parse("dgetri n=255")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSequence([]*Call{c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := release.Find("rocm-6.4")
	for known, want := range map[bool]string{true: "[getri-trsm-size false]",
		false: "[getri-trsm-size true]"} {
		call := &defect.Call{Args: s.programs[0].at(nil, nil), Known: func(routine.Slot) bool { return known }}
		var have []string
		for _, f := range defect.Of(r, "gfx90a", call, defect.State{}) {
			have = append(have, fmt.Sprint(f.ID, " ", f.Undecided))
		}
		if fmt.Sprint(have) != want {
			t.Errorf("known %v: %v, want %s", known, have, want)
		}
	}
}

// TestFamiliesOfChanges finds every family that a change of a release names.
func TestFamiliesOfChanges(t *testing.T) {
	for _, c := range release.Changes() {
		for _, name := range c.Families {
			known := func(f *routine.Family) bool { return f.Name == name }
			if !slices.ContainsFunc(routine.Families(), known) {
				t.Errorf("%s: unknown family %q", c, name)
			}
		}
	}
}
