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
		if d.Families == nil || len(d.Hits) == 0 || len(spared[d.ID]) == 0 {
			t.Errorf("%s has no families, no Hits, or no calls in spared", d.ID)
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
		for _, text := range spared[d.ID] {
			if concerns(t, d, p, text) {
				t.Errorf("%s concerns %s", d.ID, text)
			}
		}
	}
}

// TestDefectRows checks the parts of the rows: every name is known, and no part is missing.
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
				list = defect.For(p.Release.Versions, on).Of(&defect.Call{Args: q.programs[0].at(nil, nil)}, s)
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
		for _, f := range defect.For(r.Versions, "gfx90a").Of(call, defect.State{}) {
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
// describe. A release is a profile, or versions of libraries: "rocBLAS 5.4 HIP 7.14". Without a thread they are
// neighbors, which no defect whose id begins so concerns. None is an example of the table.
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
	{"ROCm/rocm-libraries#10503", "rocm-7.2", "gfx1201 dtrsm_batched side=L uplo=L m=16 n=2 batch_count=70000",
		"trsm-small-left-gfx12"},
	{"ROCm/rocm-libraries#7536", "rocm-7.2", "gfx950 dgemm m=64 n=64 k=20000 lda=20000 ldb=20000",
		"gemm-offset-31-bit"},
	{"pytorch/pytorch#192508", "rocSOLVER 3.35", "gfx1201 sgetrs_batched n=3 nrhs=3 batch_count=100000",
		"solver-batch-grid-gfx12"},
	{"pytorch/pytorch#192612", "rocm-7.2", "gfx1201 sgeqrf_batched m=3 n=3 batch_count=100000",
		"solver-batch-grid-gfx12"},
	{"pytorch/pytorch#192612", "rocm-7.2", "gfx1201 spotrf_batched uplo=L n=3 batch_count=100000",
		"solver-batch-grid-gfx12"},
	{"pytorch/pytorch#192612", "rocm-7.2", "gfx1201 sgels_batched trans=N m=3 n=3 nrhs=1 batch_count=100000",
		"solver-batch-grid-gfx12"},
	{"ROCm/rocm-systems#5676", "rocSOLVER 3.33 HIP 7.14", "gfx942 spotrf_batched uplo=L n=3 batch_count=65539",
		"solver-batch-grid-hip714"},
	{"ROCm/rocm-libraries#8285", "rocm-7.2", "gfx1201 sgetrf_batched m=3 n=3 batch_count=25750000",
		"getf2-small-batch-grid"},
	{"ROCm/rocm-libraries#7202", "rocBLAS 5.4 HIP 7.14", "gfx942 chemm_batched side=R uplo=L m=2 n=2 batch_count=65539",
		"batched-launch-refused"},
	{"ROCm/rocm-libraries#7202", "rocBLAS 5.4 HIP 7.14",
		"gfx942 sdgmm_strided_batched side=R m=2 n=2 batch_count=65539",
		"batched-launch-refused"},
	{"ROCm/rocm-libraries#7202", "rocBLAS 5.4 HIP 7.14",
		"gfx942 cherkx_strided_batched uplo=L transA=C n=2 k=1 batch_count=65539", "batched-launch-refused"},
	{"ROCm/rocm-libraries#10825", "rocBLAS 5.6", "gfx90a zdotc_batched n=1025 batch_count=65536", "dot-batch-all"},
	{"ROCm/rocm-libraries#7774", "rocBLAS 5.4", "gfx1200 strsv_batched uplo=L n=64 batch_count=100000",
		"trsv-big-batch-gfx12"},
	{"ROCm/rocm-libraries#10503", "rocBLAS 5.5",
		"gfx942 strsm_strided_batched side=L uplo=U m=32 n=5 batch_count=65537",
		"trsm-small-left-all"},
	{"ROCm/rocm-libraries#10842", "rocBLAS 5.6", "gfx90a ssyrk_batched uplo=L n=512 k=500 batch_count=131070",
		"syrk-herk-overrun"},
	{"ROCm/rocBLAS#1651", "rocBLAS 4.4.0", "gfx90a cherk uplo=L n=200 k=500", "herk-diagonal-imag"},
	{"ROCm/rocm-libraries#12145", "rocm-7.2",
		"gfx942 sgemm_batched m=128 n=128 k=40000 lda=40000 ldb=40000 batch_count=4", "gemm-batched-offset-31-bit"},
	{"ROCm/rocm-libraries#9184", "rocm-7.2", "gfx1201 sgemm m=4 n=5000000 k=4", "gemm-grid-y-gfx12"},
	{"ROCm/rocm-libraries#10831", "rocm-7.2", "gfx942 sgetrf_64 m=300000000 n=1", "getrf-64-scal"},
	{"ROCm/rocm-libraries#11547", "rocm-6.4", "gfx90a zgetrf_strided_batched_64 m=200 n=200 batch_count=70000",
		"scal-64-batch"},
	{"ROCm/rocBLAS#1509", "rocBLAS 4.2",
		"gfx942 gemm_ex m=64 n=64 k=64 a_type=f32_r algo=solution_index solution_index=31",
		"gemm-ex-solution-workspace"},
	{"ROCm/TheRock#7881", "rocBLAS 5.0", "gfx1200 hgemm_batched m=1024 n=1024 k=1024 batch_count=32",
		"gemm-batched-slow-gfx12"},
	{"ROCm/TheRock#7881", "rocBLAS 5.0", "gfx1200 hgemm_batched m=256 n=256 k=256 batch_count=192",
		"gemm-batched-slow-gfx12"},
	{"ROCm/rocm-libraries#8401", "rocm-7.2", "gfx942 ctrsv uplo=U n=128 lda=192", "trsv-graph-stream-order"},
	{"pytorch/pytorch#197017", "HIP 7.0", "gfx942 dsyevd evect=V uplo=U n=30", "memset-captured-7.0"},
	{"ROCm/rocm-libraries#5463", "rocm-7.2", "gfx90a zsytrf_strided_batched uplo=L n=204 batch_count=81",
		"sytrf-workspace-batch"},
	{"ROCm/rocm-libraries#5463", "rocm-7.2", "gfx942 zsytrf uplo=L n=204", "sytf2-race"},
	{"ROCm/rocSOLVER#752", "rocm-6.4", "gfx1030 ssygvx itype=ax evect=V erange=all uplo=U n=50", "stebz-race"},
	{"ROCm/rocm-libraries#8521", "rocm-7.2", "gfx1100 rocsolver_dtrtri uplo=U n=50", "getri-trtri-wave32"},
	{"ROCm/rocm-libraries#10909", "rocm-7.2", "gfx1201 dpotrf_strided_batched uplo=U n=425 batch_count=10240",
		"potf2-race"},
	{"ROCm/rocm-libraries#10960", "rocm-7.2", "gfx1201 dpotri_batched uplo=U n=425 batch_count=20",
		"potri-stale-triangle"},
	{"ROCm/rocSOLVER#1047", "rocm-7.2", "gfx90a dgeqrf m=262144 n=8", "larf-without-workspace"},
	{"ROCm/rocm-libraries#8168", "rocm-7.2", "gfx942 zheevd evect=V uplo=L n=200", "larft-inverse-nan"},
	{"ROCm/rocSOLVER#1001", "rocSOLVER 3.30.0", "gfx90a ssyevd evect=V uplo=L n=50", "syevd-nan-3.30.0"},
	{"ROCm/rocSOLVER#956", "rocSOLVER 3.28.0", "gfx90a dsyevd evect=V uplo=L n=500", "syevd-stale-workspace"},
	{"ROCm/rocSOLVER#869", "rocSOLVER 3.28.0", "gfx942 cheevd evect=V uplo=L n=1000", "syevd-memory-3.28.0"},
	{"ROCm/rocSOLVER#924", "rocm-6.4", "gfx90a dgetrf m=60000 n=60000", "int32-element-index"},
	{"ROCm/rocSOLVER#907", "rocm-6.4", "gfx90a sgetrf m=65536 n=65536", "int32-element-index"},
	{"ROCm/rocm-libraries#12266", "rocm-7.2",
		"gfx1151 dsyevj_strided_batched esort=none evect=V uplo=U n=48 abstol=0 max_sweeps=100 batch_count=100",
		"syevj-race-gfx11"},
	{"ROCm/rocm-libraries#12188", "rocm-7.2", "gfx90a dgesvd left_svect=N right_svect=N m=4 n=3", "gesvd-close-values"},
	{"ROCm/rocm-libraries#2835", "rocm-7.2", "gfx942 zgebrd m=1600 n=192", "gebrd-null-workspace-3.31"},
	{"ROCm/rocm-libraries#1954", "rocm-6.4", "gfx90a zgetri_batched n=639 batch_count=2", "getri-trsm-size-batched"},
	{"rocSOLVER changelog 3.35", "rocm-7.2", "gfx90a sbdsqr uplo=L n=100 nv=100 nu=100 nc=0", "bdsqr-lower-read"},
	{"rocSOLVER changelog 3.35", "rocm-7.2", "gfx90a dgesvd left_svect=S right_svect=S m=200 n=300", "gesvd-wide-read"},
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
	{"", "rocSOLVER 3.35", "gfx1201 sgetrs_batched n=3 nrhs=3 batch_count=65536", "solver-batch-grid"},
	{"", "rocm-7.2", "gfx1100 sgeqrf_batched m=3 n=3 batch_count=100000", "solver-batch-grid"},
	{"", "rocm-7.2", "gfx1201 spotrf_batched uplo=L n=3 batch_count=65536", "solver-batch-grid"},
	{"", "rocm-7.2", "gfx1201 sgels trans=N m=3 n=3 nrhs=1", "solver-batch-grid"},
	{"", "rocSOLVER 3.33 HIP 7.13", "gfx942 spotrf_batched uplo=L n=3 batch_count=65539", "solver-batch-grid"},
	{"", "rocSOLVER 3.35", "gfx1201 sgetrf_batched m=3 n=3 batch_count=25750000", "getf2-small"},
	{"", "rocBLAS 5.5 HIP 7.14", "gfx942 chemm_batched side=R uplo=L m=2 n=2 batch_count=65539", "batched-launch"},
	{"", "rocBLAS 5.4 HIP 7.13", "gfx942 sdgmm_strided_batched side=R m=2 n=2 batch_count=65539", "batched-launch"},
	{"", "rocBLAS 5.4 HIP 7.14", "gfx942 cherkx_strided_batched uplo=L transA=C n=2 k=1 batch_count=65535",
		"batched-launch"},
	{"", "rocBLAS 5.7", "gfx90a zdotc_batched n=1025 batch_count=65536", "dot-batch"},
	{"", "rocm-7.2", "gfx1200 strsv_batched uplo=L n=64 batch_count=100000", "trsv-big"},
	{"", "rocBLAS 5.5", "gfx942 strsm_strided_batched side=L uplo=U m=32 n=32 batch_count=65537", "trsm-small"},
	{"", "rocm-7.2", "gfx90a ssyrk_batched uplo=L n=512 k=500 batch_count=131070", "syrk-herk"},
	{"", "rocm-6.4", "gfx90a cherk uplo=L n=200 k=500", "herk-diagonal"},
	{"", "rocm-7.2", "gfx942 sgemm_batched m=128 n=128 k=1000 lda=4000 ldb=4000 batch_count=4", "gemm-batched-offset"},
	{"", "rocm-7.2", "gfx942 sgemm m=4 n=5000000 k=4", "gemm-grid-y"},
	{"", "rocm-7.2", "gfx942 sgetrf m=300000000 n=1", "getrf-64-scal"},
	{"", "rocm-6.4", "gfx90a zgetrf_strided_batched_64 m=200 n=200 batch_count=65520", "scal-64"},
	{"", "rocBLAS 4.2", "gfx942 gemm_ex m=64 n=64 k=64 a_type=f32_r", "gemm-ex-solution"},
	{"", "rocBLAS 5.7", "gfx1200 hgemm_batched m=1024 n=1024 k=1024 batch_count=32", "gemm-batched-slow"},
	{"", "rocBLAS 5.0", "gfx1100 hgemm_batched m=256 n=256 k=256 batch_count=192", "gemm-batched-slow"},
	{"", "rocm-7.2", "gfx942 ctrmv uplo=U n=128 lda=192", "trsv-graph"},
	{"", "HIP 7.1", "gfx942 dsyevd evect=V uplo=U n=30", "memset-captured"},
	{"", "rocSOLVER 3.34", "gfx90a zsytrf_strided_batched uplo=L n=204 batch_count=81", "sytrf-workspace"},
	{"", "rocSOLVER 3.34", "gfx942 zsytrf uplo=L n=204", "sytf2-race"},
	{"", "rocm-6.4", "gfx1030 ssygv itype=ax evect=V uplo=U n=50", "stebz-race"},
	{"", "rocm-7.2", "gfx90a rocsolver_dtrtri uplo=U n=50", "getri-trtri"},
	{"", "rocSOLVER 3.34", "gfx1201 dpotrf_strided_batched uplo=U n=425 batch_count=10240", "potf2-race"},
	{"", "rocm-7.2", "gfx1201 dpotrs_batched uplo=U n=425 nrhs=1 batch_count=20", "potri-stale"},
	{"", "rocm-7.2", "gfx90a dgeqrf m=262144 n=200", "larf-without"},
	{"", "rocm-6.4", "gfx942 zheevd evect=V uplo=L n=200", "larft-inverse"},
	{"", "rocSOLVER 3.30.1", "gfx90a ssyevd evect=V uplo=L n=50", "syevd-nan"},
	{"", "rocm-6.4", "gfx90a dsyevd evect=V uplo=L n=500", "syevd-stale"},
	{"", "rocm-6.4", "gfx942 cheevd evect=V uplo=L n=1000", "syevd-memory"},
	{"", "rocm-6.4", "gfx90a dgetrf_64 m=60000 n=60000", "int32-element"},
	{"", "rocm-6.4", "gfx90a sgetrf m=46340 n=46340", "int32-element"},
	{"", "rocm-7.2",
		"gfx1201 dsyevj_strided_batched esort=none evect=V uplo=U n=48 abstol=0 max_sweeps=100 batch_count=100",
		"syevj-race"},
	{"", "rocm-7.2", "gfx942 zgebrd m=1100 n=192", "gebrd-null"},
	{"", "rocm-7.2", "gfx90a zgetri_batched n=639 batch_count=2", "getri-trsm"},
	{"", "rocm-7.2", "gfx90a sbdsqr uplo=U n=100 nv=100 nu=100 nc=0", "bdsqr-lower"},
	{"", "rocm-7.2", "gfx90a dgesvd left_svect=S right_svect=S m=300 n=200", "gesvd-wide"},
}

// TestReportedCalls answers calls of public threads with their defects, and their neighbors without.
func TestReportedCalls(t *testing.T) {
	threads := 0
	for _, r := range reported {
		p := libraries(t, r.release)
		if r.thread != "" {
			threads++
			d, ok := defect.Find(r.id)
			if !ok || slices.Contains(d.Hits, r.call) {
				t.Errorf("%s: %s is no defect, or has this call as its example", r.call, r.id)
			}
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
	if neighbors := len(reported) - threads; threads < 60 || neighbors < 60 {
		t.Errorf("%d calls of threads and %d neighbors, want at least 60 of each", threads, neighbors)
	}
}

// libraries returns a profile, or one with other versions of libraries: "rocBLAS 5.4 HIP 7.14".
func libraries(t *testing.T, name string) *workspace.Profile {
	t.Helper()
	if p, err := workspace.FindProfile(name); err == nil {
		return p
	}
	r := *release.Default()
	words := strings.Fields(name)
	for i := 0; i+1 < len(words); i += 2 {
		switch words[i] {
		case release.RocBLAS:
			r.RocBLAS = words[i+1]
		case release.RocSOLVER:
			r.RocSOLVER = words[i+1]
		case "HIP":
			r.HIP = words[i+1]
		default:
			t.Fatalf("%s: no library %q", name, words[i])
		}
	}
	return &workspace.Profile{Name: "test", Release: &r}
}
