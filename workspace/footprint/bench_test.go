package footprint_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"roclua/workspace/footprint"
)

//go:embed testdata/rocsolver-bench.txt
var benchResults string

// TestBenchDefaults compares calls that leave out options with rocsolver-bench's.
func TestBenchDefaults(t *testing.T) {
	calls := 0
	for line := range strings.Lines(benchResults) {
		bytes, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		if bytes == "#" {
			continue
		}
		calls++
		if n, err := size(t, call); err != nil || fmt.Sprint(n) != bytes {
			t.Errorf("%s: %d bytes (%v), rocsolver-bench has %s", call, n, err, bytes)
		}
	}
	if calls < 100 {
		t.Errorf("%d calls", calls)
	}
}

// TestOtherNames checks that names and values of rocsolver-bench and hipSOLVER mean the arguments of the C function.
func TestOtherNames(t *testing.T) {
	for _, test := range []struct{ other, own, taken string }{
		{"hipsolverDsyevd jobz=V uplo=L n=300", "dsyevd evect=original uplo=lower n=300", ""},
		{"dsygvd itype=2 evect=v n=99", "dsygvd itype=abx evect=original uplo=upper n=99", "uplo=upper"},
		{"dgesvd jobu=S jobv=A m=99 n=70 fast_alg=I",
			"dgesvd left_svect=singular right_svect=all m=99 n=70 fast_alg=inplace", ""},
		{"dgesvd left_svect=V m=99", "dgesvd left_svect=singular right_svect=none m=99 n=99 fast_alg=outofplace",
			"right_svect=none n=m fast_alg=outofplace"},
		{"dsyevj sort_eig=1 n=9", "", ""},
		{"dsyevdx range=I evect=N il=1 iu=5 n=99", "dsyevdx erange=index evect=none uplo=upper il=1 iu=5 n=99",
			"uplo=upper"},
		{"hipsolverDgesvdj jobz=V econ=1 m=60 n=50", "dgesvdj left_svect=singular right_svect=singular m=60 n=50", ""},
		{"hipsolverDgesvdj econ=0 m=600 n=50 jobz=v", "dgesvdj left_svect=all right_svect=all m=600 n=50", ""},
		{"hipsolverDgesvdj econ=1 m=60 n=50 jobz=N", "dgesvdj left_svect=none right_svect=none m=60 n=50", ""},
		{"hipsolverDgesvdj econ=1 m=60 n=50", "", ""},
		{"hipsolverDgesvdj jobz=A m=60 n=50", "", ""},
		{"dgetrf jobz=V m=60 n=50", "", ""},
		{"potrf_batched n=9", "", ""},
		{"dpotrf_batched n=9 uplo=L batchSize=50", "dpotrf_batched n=9 uplo=L batch_count=50", ""},
		{"dbdsqr n=50 nu=5", "dbdsqr uplo=upper n=50 nv=0 nu=5 nc=0", "uplo=upper nv=0 nc=0"},
	} {
		have, err := size(t, test.other)
		if test.own == "" {
			if err == nil {
				t.Errorf("%s: %d bytes, want an error", test.other, have)
			}
			continue
		}
		want, wantErr := size(t, test.own)
		if err != nil || wantErr != nil || have != want || want == 0 {
			t.Errorf("%s: %d bytes (%v); %s: %d bytes (%v)", test.other, have, err, test.own, want, wantErr)
		}
		if taken := strings.Join(sequence(t, test.other).Calls[0].Taken(), " "); err == nil && taken != test.taken {
			t.Errorf("%s: defaults %q, want %q", test.other, taken, test.taken)
		}
	}
}

// TestFollowedDefault checks that n has the value of m also where an axis gives it.
func TestFollowedDefault(t *testing.T) {
	calls := parse(t, "dgetrf m=size")
	axis, err := footprint.NewAxis("size", []string{"500", "1000"}, calls)
	if err != nil {
		t.Fatal(err)
	}
	s, err := footprint.NewSequence(calls, []footprint.Axis{axis})
	if err != nil {
		t.Fatal(err)
	}
	want, err := size(t, "dgetrf m=1000 n=1000")
	have, _, failed := s.Bytes(target(t, "rocm-7.2", "gfx90a"), []int{1})
	if err != nil || failed != nil || have != want {
		t.Errorf("%d bytes (%v), want %d (%v)", have, failed, want, err)
	}
}
