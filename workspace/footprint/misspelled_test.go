package footprint

import (
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/internal/nearest"
	"roclua/tests/busy"
)

// misspelled has misspelled names of routines and their suggestions, separated by spaces.
var misspelled = []struct{ name, want string }{
	// exchanged letters
	{"dgetfr", "dgetrf"}, {"dgertf", "dgetrf"}, {"dgetir", "dgetri"}, {"dgmem", "dgemm"}, {"sgevm", "sgemv"},
	{"dtrms", "dtrsm"}, {"dptorf", "dpotrf"}, {"dysevj", "dsyevj"}, {"zgesdv", "zgesvd"}, {"dgeqfr", "dgeqrf"},
	{"dsrk", "dsyrk"}, {"dopsv", "dposv"}, {"dsytdr", "dsytrd"}, {"dgebdr", "dgebrd"},
	// a letter too many, or missing
	{"dgetrff", "dgetrf"}, {"dgetrrf", "dgetrf"}, {"dgtrf", "dgetrf"}, {"dgemmm", "dgemm"},
	{"dotrf", "dpotrf"},
	{"dpotrff", "dpotrf"}, {"dasyum", "dasum"}, {"daxy", "daxpy"}, {"dgesvdjj", "dgesvdj"}, {"zdotx", "zdotu zdotc"},
	{"dormq", "dormqr dormql"}, {"dgetr", "dgetrf dgetrs dgetri"}, {"dgem", "dgemv dgemm"},
	// the precision stays
	{"zgetfr", "zgetrf"}, {"cgetfr_batched", "cgetrf_batched"}, {"spotfr", "spotrf"}, {"hgemn", "hgemm"},
	{"getrf", "sgetrf dgetrf cgetrf zgetrf"}, {"xgemm", "sgemm dgemm cgemm zgemm hgemm"},
	// the form stays
	{"dgetfr_strided_batched", "dgetrf_strided_batched"}, {"dgetfr_btached", "dgetrf_batched"},
	{"dgemm_strided_batch", "dgemm_strided_batched"}, {"dgemm_batched_strided", "dgemm_strided_batched"},
	{"dgemm_stridedbatched", "dgemm_strided_batched"}, {"dgemnbatched", "dgemv_batched dgemm_batched"},
	{"dgmem_64", "dgemm_64"}, {"gmem_ex", "gemm_ex"}, {"gemm_batched_strided_ex", "gemm_strided_batched_ex"},
	{"dsterf_batched", "dsterf"}, {"sgetrf_btached_64", "sgetrf_batched_64"},
	// a symmetric matrix is a Hermitian one if it is complex
	{"zsyevj", "zheevj"}, {"dheevj", "dsyevj"}, {"dungqr", "dorgqr"}, {"zormqr", "zunmqr"}, {"csytrd", "chetrd"},
	{"dhemm", "dsymm"}, {"zsygst", "zhegst"}, {"cspr2", "chpr2"},
	// names in other libraries
	{"rocsolver_dgetfr", "dgetrf"}, {"rocblas.dgmem", "dgemm"}, {"hipsolverDgetfr", "dgetrf"},
	{"hipblasDgmemStridedBatched", "dgemm_strided_batched"}, {"DGETFR", "dgetrf"}, {"dgetfr_", "dgetrf"},
	{"LAPACKE_dgetfr", "dgetrf"}, {"cblas_dgmem", "dgemm"},
	// no routine of the kind
	{"dabcde", ""}, {"completely", ""}, {"dgarbge", ""}, {"solve", ""}, {"x", ""},
}

func TestMisspelled(t *testing.T) {
	names := Names()
	for _, test := range misspelled {
		have := strings.Join(nearest.Names(routine.ScriptName(test.name), names), " ")
		if have != test.want {
			t.Errorf("%s: %q, want %q", test.name, have, test.want)
		}
	}
}

// TestMisspelledKeepsPrecisionAndForm exchanges two letters of some routines: no suggestion has another precision or
// form.
func TestMisspelledKeepsPrecisionAndForm(t *testing.T) {
	names := Names()
	for i, r := range routine.All() {
		if i%23 != 0 || r.Type == routine.Mixed || len(r.Family.Name) < 4 || r.Name[1:2] == r.Name[2:3] {
			continue
		}
		name := r.Name[:2] + r.Name[3:4] + r.Name[2:3] + r.Name[4:]
		if routine.Named(name) != nil {
			continue
		}
		for _, s := range nearest.Names(name, names) {
			f := routine.Named(s)[0]
			if f.Type != r.Type || f.Variant != r.Variant || f.Wide != r.Wide {
				t.Errorf("%s (for %s): %s has another precision or form", name, r.Name, s)
			}
		}
	}
}

// TestLongNames parses long names, which are not compared with others: that would take a row of numbers for each.
func TestLongNames(t *testing.T) {
	Parse("other") // makes the tables
	for _, name := range []string{strings.Repeat("dgetrf", 1<<11), strings.Repeat("_batched", 1<<11)} {
		used := busy.Allocated(func() {
			if _, err := Parse(name); err == nil || strings.Contains(err.Error(), "did you mean") {
				t.Errorf("a long name is accepted or suggests another: %.100v", err)
			}
		})
		if used > 32*uint64(len(name)) {
			t.Errorf("a name of %d bytes allocates %d", len(name), used)
		}
	}
}
