package applications

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// A function of a benchmark, with its options, except sizes.
type benchFunction struct{ name, types, options string }

// The functions of rocblas-bench that need workspace, or copy results.
var rocblasFunctions = []benchFunction{
	{"trsm", "sdcz", "side uplo transposeA diag"}, {"trsm_batched", "sdcz", "side uplo transposeA diag batch"},
	{"trsm_strided_batched", "sdcz", "side uplo transposeA diag batch"}, {"trmm", "sdcz", "side uplo transposeA diag"},
	{"trtri", "sdcz", "uplo diag"}, {"trsv", "sdcz", "uplo transposeA diag"}, {"gemm", "sdcz", "transposeA transposeB"},
	{"gemm_batched", "sdcz", "transposeA transposeB batch"}, {"gemv", "sdcz", "transposeA"}, {"symv", "sd", "uplo"},
	{"symm", "sdcz", "side uplo"}, {"syrk", "sdcz", "uplo"}, {"syr2k", "sdcz", "uplo"}, {"dot", "sdcz", ""},
	{"nrm2", "sdcz", ""}, {"asum", "sdcz", ""}, {"iamax", "sdcz", ""}, {"axpy", "sdcz", ""}, {"ger", "sd", ""},
	{"geam", "sdcz", "transposeA transposeB"}, {"trmv", "sdcz", "uplo transposeA diag"}, {"hemv", "cz", "uplo"},
}

// The functions of rocsolver-bench.
var rocsolverFunctions = []benchFunction{
	{"getrf", "sdcz", ""}, {"getrf_batched", "sdcz", "batch"}, {"getrf_strided_batched", "sdcz", "batch"},
	{"getrf_npvt", "sdcz", ""}, {"getf2", "sdcz", ""}, {"getrs", "sdcz", "rhs"}, {"getri", "sdcz", ""},
	{"getri_batched", "sdcz", "batch"}, {"gesv", "sdcz", "rhs"}, {"potrf", "sdcz", "uplo"},
	{"potrf_batched", "sdcz", "uplo batch"}, {"potrs", "sdcz", "uplo rhs"}, {"posv", "sdcz", "uplo rhs"},
	{"potri", "sdcz", "uplo"}, {"geqrf", "sdcz", ""}, {"geqrf_batched", "sdcz", "batch"}, {"geqr2", "sdcz", ""},
	{"gelqf", "sdcz", ""}, {"gerqf", "sdcz", ""}, {"geqlf", "sdcz", ""}, {"gels", "sdcz", "rhs"},
	{"gebrd", "sdcz", ""}, {"gesvd", "sdcz", "svect"}, {"gesvdj", "sdcz", "svect"}, {"sytrd", "sd", "uplo"},
	{"hetrd", "cz", "uplo"}, {"syevd", "sd", "uplo evect"}, {"heevd", "cz", "uplo evect"},
	{"syevj", "sd", "uplo evect"}, {"syevx", "sd", "uplo evect"}, {"sygvd", "sd", "uplo evect"},
	{"sygst", "sd", "uplo"}, {"sytrf", "sdcz", "uplo"}, {"orgqr", "sd", ""}, {"ungqr", "cz", ""},
	{"trtri", "sdcz", "uplo"}, {"stedc", "sdcz", "evect"}, {"larft", "sdcz", ""},
}

// values are the values of options. Dimensions are equal, or m is twice n.
var values = map[string][]string{
	"side": {"L", "R"}, "uplo": {"U", "L"}, "transposeA": {"N", "T"}, "transposeB": {"N", "T"}, "diag": {"N", "U"},
	"svect": {"S", "A", "N"}, "evect": {"V", "N"},
}

// drawBench returns the arguments of a benchmark for a function.
func drawBench(r *rand.Rand, f benchFunction, solver bool) []string {
	largest := 5000.0
	if solver {
		largest = 800
	}
	n := int(math.Exp(math.Log(8) + r.Float64()*math.Log(largest/8)))
	m := n
	square := strings.HasPrefix(f.name, "ge") && !strings.HasPrefix(f.name, "getr") &&
		!strings.HasPrefix(f.name, "gesv")
	if r.IntN(2) == 0 && (!solver || square) {
		m = 2 * n
	}
	args := []string{"-f", f.name, "-r", string(f.types[r.IntN(len(f.types))]), "-m", fmt.Sprint(m), "-n",
		fmt.Sprint(n)}
	if !solver {
		args = append(args, "-k", fmt.Sprint(n), "-i", "1", "-j", "0")
		for _, name := range []string{"lda", "ldb", "ldc", "ldd"} {
			args = append(args, "--"+name, fmt.Sprint(m))
		}
	} else {
		args = append(args, "--iters", "1")
	}
	for _, name := range strings.Fields(f.options) {
		switch name {
		case "batch":
			args = append(args, "--batch_count", fmt.Sprint(1+r.IntN(8)))
		case "rhs":
			args = append(args, "--nrhs", fmt.Sprint(1+r.IntN(n)))
		case "svect":
			args = append(args, "--left_svect", values[name][r.IntN(3)], "--right_svect", values[name][r.IntN(3)])
		default:
			args = append(args, "--"+name, values[name][r.IntN(len(values[name]))])
		}
	}
	return args
}
