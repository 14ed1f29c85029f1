package analyze_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
)

// TestNotes compares the notes about gaps in logs.
func TestNotes(t *testing.T) {
	unset := "rocblas_get_stream,0,atomics_not_allowed\n"
	tree := "------- ENTER rocsolver_dgetrf trace tree -------\n------- EXIT rocsolver_dgetrf trace tree -------\n"
	lost := "./rocsolver-bench -f gesvdx -r d --left_svect N --right_svect N --srange \x00 -m 500 -n 500 --lda 500 " +
		"--vl 0 --vu 1 --il 1 --iu 2 --ldu 500 --ldv 500 \n"
	unknown := "rocblas_gemm_batched_ex,T,N,256,64,128,1,0x7f,f16_r,1024,0x7f,f16_r,128,0,0x7f,f32_r,256,0x7f,f32_r," +
		"256,96,f32_r,0,0,none,atomics_not_allowed\n"
	for _, test := range []struct {
		about string
		texts []string
		want  []string
	}{
		{"one handle", []string{created + large + destroyed}, nil},
		{"no handle", []string{large}, []string{analyze.NoHandle}},
		{"no handle, of rocSOLVER", []string{solverCall}, []string{analyze.MaybeQueries}},
		{"two handles", []string{created + created + large}, []string{analyze.SeveralHandles}},
		{"a handle after another", []string{created + large + destroyed + created + large}, nil},
		{"an end, and then two begins", []string{destroyed + created + created + large},
			[]string{analyze.SeveralHandles}},
		{"more ends than begins", []string{created + large + destroyed + destroyed}, []string{analyze.Truncated}},
		{"an end without a begin", []string{large + destroyed}, []string{analyze.NoHandle}},
		{"two ends without a begin", []string{large + destroyed + destroyed}, []string{analyze.SeveralHandles}},
		{"the first handle of rocBLAS 4", []string{created4 + large}, []string{analyze.Truncated}},
		{"handles of rocBLAS 4 after calls", []string{created4 + large + created4 + large},
			[]string{analyze.SeveralHandles}},
		{"handles of rocBLAS 4 after the end of one", []string{created4 + destroyed + created4 + large}, nil},
		{"not the first line", []string{"hello\n" + created4 + large}, nil},
		{"one burst", []string{created + large + unset + unset}, []string{analyze.HiddenSolver}},
		{"no burst", []string{created + large + unset + large + unset}, nil},
		{"a burst that is logged", []string{created + large + unset + unset + solverCall},
			[]string{analyze.MaybeQueries}},
		{"a cut line", []string{created + large + large[:30] + "\n"}, []string{analyze.CutLines}},
		{"a function that is not modelled", []string{created + large + "rocblas_new,1,atomics_not_allowed\n"},
			[]string{analyze.NotModelled}},
		{"a size query, or a call that failed", []string{created + large + tree}, []string{analyze.EmptyTrees}},
		{"a zero byte for an operation, which is not legal", []string{created +
			"./rocsolver-bench -f getrs -r d --trans \x00 -n 418 --nrhs 418 --lda 418 --ldb 418\n" + tree},
			[]string{analyze.EmptyTrees, analyze.MaybeQueries}},
		{"lost options", []string{lost}, []string{analyze.MaybeQueries, analyze.LostOptions}},
		{"an unknown need", []string{created + unknown}, []string{analyze.UnknownNeed}},
		{"only a profile", []string{profileLine}, []string{analyze.NoOrder}},
		{"a profile next to a trace", []string{created + large + profileLine}, nil},
		{"separate files", []string{created + large, solverCall},
			[]string{analyze.SeparateFiles, analyze.MaybeQueries}},
		{"ranges", []string{marker(created, 7, 1, 2) + marker(large, 7, 3, 4)}, nil},
		{"another library", []string{created + large + "hipblaslt-bench -m 4 -n 4 -k 4\n"},
			[]string{analyze.OtherLibrary}},
	} {
		a := read(t, "rocm-7.2", test.texts...)
		if have := codes(a)[2:]; !slices.Equal(have, test.want) {
			t.Errorf("%s: %s, want %s", test.about, have, test.want)
		}
	}
}

// TestDecides finds the call with the largest need; the first line wins a tie.
func TestDecides(t *testing.T) {
	other := strings.Replace(large, "N,6000", "U,6000", 1) // same need
	for _, test := range []struct {
		about string
		texts []string
		file  int
		line  int64
		bytes uint64
	}{
		{"the largest", []string{created + small + large + larger + large}, 0, 4, 520192000},
		{"the first of two", []string{created + large + other}, 0, 2, 294144000},
		{"the first of two in another order", []string{created + other + large}, 0, 2, 294144000},
		{"in the first file", []string{created + small + small + other, created + large}, 0, 4, 294144000},
		{"in the second file", []string{created + small, created + large + other}, 1, 2, 294144000},
	} {
		a := read(t, "rocm-7.2", test.texts...)
		d := a.Targets[0].Decides
		if d == nil || d.File != test.file || d.Line != test.line || a.Targets[0].Bytes != test.bytes {
			t.Errorf("%s: %+v of %d bytes", test.about, d, a.Targets[0].Bytes)
		}
	}
	a := read(t, "rocm-7.2", created+"rocblas_dscal,10,1,0x7f,1,atomics_not_allowed\n")
	if c := a.Targets[0].Decides; c != nil {
		t.Errorf("%+v decides", c)
	}
}

// TestMoreCallsThanListed exceeds the bound on distinct calls: the others still count for needs and growths, and a call
// that needs more than all before it is listed.
func TestMoreCallsThanListed(t *testing.T) {
	const listed = 100_000
	var b strings.Builder
	b.WriteString(created)
	for n := range listed + 10 {
		fmt.Fprintf(&b, "rocblas_dscal,%d,1,0x7f,1,atomics_not_allowed\n", n+1)
	}
	b.WriteString(larger + large + small)
	l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-7.2")}, Order: true})
	if err := l.Read(context.Background(), "app.log", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	a := l.Answer()
	m := a.Targets[0].Managed
	if len(a.Calls) != listed+1 || a.NotListed.Times != 12 || a.NotListed.Most[0] != 294144000 ||
		a.Targets[0].Bytes != 520192000 || a.Targets[0].Decides == nil || m.Count() != 1 || m.Final != 553746432 ||
		!slices.Contains(codes(a), analyze.MoreCalls) {
		t.Errorf("%d calls, %+v not listed, %d bytes, %+v", len(a.Calls), a.NotListed, a.Targets[0].Bytes, m)
	}
	if steps, missing := l.Order(); len(steps) != listed+1 || missing != 12 {
		t.Errorf("%d steps, %d missing", len(steps), missing)
	}
}
