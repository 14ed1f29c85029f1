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
		if d.ID == "" || seen[d.ID] || d.Text == "" || len(d.Sources) == 0 || d.Level == "" || d.Kind == "" {
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
		checkEvidence(t, d)
		if found, ok := defect.Find(d.ID); !ok || found != d {
			t.Errorf("Find(%q) = %v", d.ID, found)
		}
	}
	if d, ok := defect.Find("none"); ok {
		t.Errorf("Find of an unknown id returns %s", d.ID)
	}
}

// checkEvidence checks how a row says that it was checked. Only a row whose range a changelog or the source bounds is
// more than reported.
func checkEvidence(t *testing.T, d *defect.Defect) {
	t.Helper()
	of := d.Checked
	for _, version := range slices.Concat(of.Source, of.Run) {
		if _, ok := release.ParseVersion(version); !ok {
			t.Errorf("%s was checked in %q, which is no version", d.ID, version)
		}
	}
	for _, rocm := range of.Run {
		if _, ok := release.Find("rocm-" + rocm); !ok {
			t.Errorf("%s was checked with ROCm %s, whose libraries are not known", d.ID, rocm)
		}
	}
	log := slices.ContainsFunc(d.Sources, func(s string) bool {
		return strings.Contains(s, "changelog") || strings.Contains(s, "release notes")
	})
	if of.Log && !log {
		t.Errorf("%s was checked in a changelog, and has none as a source: %v", d.ID, d.Sources)
	}
	if !d.Reported && !of.Log && of.Source == nil && of.Run == nil {
		t.Errorf("%s is affirmed without evidence", d.ID)
	}
	text := d.Evidence()
	confirmed := of.Source != nil || of.Run != nil
	if confirmed != strings.HasPrefix(text, "checked ") || !strings.HasSuffix(text, of.Note) {
		t.Errorf("%s: %q", d.ID, text)
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

// reported are calls of public threads on the release and the architecture of the thread, and the defect that they
// describe. Without a thread they are neighbors, which no defect whose id begins so concerns.
var reported = []struct{ thread, release, call, id string }{
	{"ROCm/rocSOLVER#987", "rocm-6.4", "gfx1150 sgetrf_strided_batched m=6 n=6 batch_count=1000000", "getf2-race"},
	{"ROCm/rocm-libraries#3743", "rocm-6.4", "gfx1100 dgetrf_batched m=6 n=6 batch_count=1000", "getf2-race"},
	{"ROCm/legacy-rocm-build#6623", "rocm-7.2", "gfx1201 dpotrf_strided_batched uplo=L n=425 batch_count=512",
		"potf2-race"},
	{"ROCm/legacy-rocm-build#6629", "rocm-7.2", "gfx1201 dpotri uplo=L n=100", "potri-stale-triangle"},
	{"ROCm/legacy-rocm-build#6595", "rocm-7.2", "gfx1201 sgemm m=64 n=600000 k=64", "gemm-grid-y-gfx12"},
	{"ROCm/rocm-libraries#8645", "rocm-7.2", "gfx1201 dgemm m=3 n=2097217 k=15", "gemm-grid-y-gfx12"},
	{"pytorch/pytorch#196745", "rocm-7.2", "gfx1200 dgetrs_batched n=3 nrhs=1 batch_count=70000",
		"solver-batch-grid-gfx12"},
	{"pytorch/pytorch#196745", "rocm-6.4", "gfx1200 dgetrs_strided_batched n=3 nrhs=3 batch_count=70000",
		"solver-batch-grid-gfx12"},
	{"ROCm/rocm-libraries#8285", "rocm-7.2", "gfx1201 dgetrf_batched m=40 n=40 batch_count=70000",
		"getf2-small-batch-grid"},
	{"ROCm/rocm-libraries#1954", "rocm-6.4", "gfx1030 dgetri n=1023", "getri-trsm-size"},
	{"ROCm/rocSOLVER#864", "rocm-6.4", "gfx90a sgetri n=511", "getri-trsm-size"},
	{"ROCm/rocm-libraries#5463", "rocm-7.2", "gfx90a dsytrf_batched uplo=U n=200 batch_count=4",
		"sytrf-workspace-batch"},
	{"ROCm/rocm-libraries#2835", "rocm-6.4", "gfx90a dgebrd m=500 n=128", "gebrd-null-workspace-3.28"},
	{"ROCm/rocm-libraries#4735", "rocm-7.2", "gfx1100 dsyevx evect=V erange=all uplo=U n=100", "stebz-race"},
	{"ROCm/rocm-libraries#8521", "rocm-7.2", "gfx1100 dgetri n=48", "getri-trtri-wave32"},
	{"ROCm/rocm-libraries#9118", "rocm-7.2", "gfx1100 dsyevj esort=none evect=V uplo=U n=50 abstol=0 max_sweeps=100",
		"syevj-race-gfx11"},
	{"ROCm/rocm-libraries#12188", "rocm-7.2", "gfx90a dgesvd left_svect=N right_svect=N m=3 n=3",
		"gesvd-close-values"},
	{"ROCm/rocm-libraries#10825", "rocm-7.2", "gfx1201 ddot_batched n=2000 batch_count=70000", "dot-batch-gfx12"},
	{"ROCm/rocm-libraries#7774", "rocm-7.2", "gfx1201 dasum_batched n=100 batch_count=70000",
		"asum-nrm2-batch-gfx12"},
	{"ROCm/rocm-libraries#12224", "rocm-7.2", "gfx90a dgeqrf m=262144 n=8", "larfg-one-block"},
	{"ROCm/rocm-libraries#10503", "rocm-7.2", "gfx1201 dtrsm_batched side=L uplo=L m=16 n=1 batch_count=70000",
		"trsm-small-left-gfx12"},
	{"ROCm/rocm-libraries#7536", "rocm-7.2", "gfx950 dgemm m=64 n=64 k=20000 lda=20000 ldb=20000",
		"gemm-offset-31-bit"},
	{"", "rocm-7.2", "gfx942 sgetrf_strided_batched m=8 n=8 batch_count=1000000", "getf2-race"},
	{"", "rocm-7.2", "gfx1201 dpotrf uplo=L n=1", "potf2-race"},
	{"", "rocm-7.2", "gfx1201 dpotrs uplo=L n=425 nrhs=1", "potf2-race"},
	{"", "rocm-7.2", "gfx1201 dgemm m=2097217 n=3 k=15", "gemm-grid-y-gfx12"},
	{"", "rocm-7.2", "gfx1201 hgemm m=64 n=600000 k=64", "gemm-grid-y-gfx12"},
	{"", "rocm-7.2", "gfx1201 sgemm m=64 n=524288 k=64", "gemm-grid-y-gfx12"},
	{"", "rocm-7.2", "gfx942 dgetrs_batched n=3 nrhs=1 batch_count=70000", "solver-batch-grid"},
	{"", "rocm-7.2", "gfx1200 dgetrs_batched n=3 nrhs=1 batch_count=65536", "solver-batch-grid"},
	{"", "rocm-7.2", "gfx90a dgetri n=1023", "getri-trsm-size"},
	{"", "rocm-6.4", "gfx90a dgetri n=1024", "getri-trsm-size"},
	{"", "rocm-6.4", "gfx90a dgetri n=127", "getri-trsm-size"},
	{"", "rocm-7.2", "gfx90a dsytrf_batched uplo=U n=100 batch_count=4", "sytrf-workspace-batch"},
	{"", "rocm-7.2", "gfx90a dsytrf uplo=U n=200", "sytrf-workspace-batch"},
	{"", "rocm-7.2", "gfx90a dgebrd m=500 n=128", "gebrd-null"},
	{"", "rocm-7.2", "gfx1100 dsyevd evect=V uplo=U n=100", "stebz-race"},
	{"", "rocm-7.2", "gfx90a dgetri n=48", "getri-trtri"},
	{"", "rocm-7.2", "gfx90a dsyevj esort=none evect=V uplo=U n=50 abstol=0 max_sweeps=100", "syevj-race"},
	{"", "rocm-7.2", "gfx1100 dsyevj esort=none evect=V uplo=U n=100 abstol=0 max_sweeps=100", "syevj-race"},
	{"", "rocm-7.2", "gfx90a dgesvd left_svect=N right_svect=N m=4 n=4", "gesvd-close"},
	{"", "rocm-7.2", "gfx942 ddot_batched n=2000 batch_count=70000", "dot-batch"},
	{"", "rocm-6.4", "gfx1201 dasum_batched n=100 batch_count=70000", "asum-nrm2"},
	{"", "rocm-7.2", "gfx1100 dgeqrf m=262144 n=8", "larfg"},
	{"", "rocm-7.2", "gfx942 dgemm m=64 n=64 k=20000 lda=20000 ldb=20000", "gemm-offset"},
	{"", "rocm-7.2", "gfx1201 dtrsm_batched side=L uplo=L m=16 n=16 batch_count=70000", "trsm-small-left"},
	{"", "rocm-7.2", "gfx90a zherk uplo=U n=100 k=600", "herk-diagonal-imag"},
}

// TestReportedCalls answers calls of public threads with their defects, and their neighbors without.
func TestReportedCalls(t *testing.T) {
	for _, r := range reported {
		p, err := workspace.FindProfile(r.release)
		if err != nil {
			t.Fatal(err)
		}
		on, text, _ := strings.Cut(r.call, " ")
		c, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", r.call, err)
			continue
		}
		s, err := NewSequence([]*Call{c}, nil)
		if err != nil {
			t.Errorf("%s: %v", r.call, err)
			continue
		}
		var ids []string
		for _, f := range s.Defects(Target{Profile: p, Arch: on}, 0, nil) {
			ids = append(ids, f.ID)
		}
		is := func(id string) bool { return id == r.id }
		if r.thread == "" {
			is = func(id string) bool { return strings.HasPrefix(id, r.id) }
		}
		if slices.ContainsFunc(ids, is) != (r.thread != "") {
			t.Errorf("%s %s on %s: %v, want %s: %v", r.thread, r.call, r.release, ids, r.id, r.thread != "")
		}
	}
}
