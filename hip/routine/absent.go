package routine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roclua/hip/release"
)

// unmodelled lists the functions that the libraries export and this program does not reproduce, by their names without
// the prefix of the library, with the reason.
var unmodelled = []struct{ pattern, reason string }{
	{`^gemm(_batched|_strided_batched)?_ex_get_solutions(_by_type)?$`,
		"the list of kernels comes from the tuning files of the library"},
	{`^set_solution_fitness_query$|^set_start_stop_events$`,
		"it concerns how kernels of the library are chosen or measured"},
	{`^device_malloc_(free|get|ptr|success)$`,
		"it is a part of the C++ class for workspace; handle:device_malloc does what the class does"},
	{`^get_commit_hash_string(_size)?$`,
		"only rocm-7.2 exports it, and it returns an empty string in the packages of distributions"},
	{`^abort$`, "it ends the process"},
}

// longestName is more than the bytes of the name of any function. Longer names are not compared: matching a name of a
// megabyte takes long.
const longestName = 100

// NotModelled returns why a function that a library exports is not reproduced; "" for any other name. Names are
// without the prefix of the library.
func NotModelled(name string) string {
	if len(name) > longestName {
		return ""
	}
	for i, pattern := range unmodelledPatterns() {
		if pattern.MatchString(name) {
			return unmodelled[i].reason
		}
	}
	return ""
}

// unmodelledPatterns has the compiled patterns of unmodelled.
var unmodelledPatterns = sync.OnceValue(func() []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, u := range unmodelled {
		list = append(list, regexp.MustCompile(u.pattern))
	}
	return list
})

// documented lists the names that the documents use and no library exports, with the name that is meant.
var documented = []struct{ pattern, meant string }{
	{`^gemm_ex(_strided)?_batched$`, "the library exports gemm${1}_batched_ex"},
	{`^(dot|dotc|nrm2|trsm)_ex(_strided)?_batched$`, "the library exports ${1}${2}_batched_ex"},
	{`^([sdcz])(max|min)(_strided_batched|_batched)?$`, "the library exports i${1}a${2}${3}"},
	{`^[sdcz]?trsv(_strided_batched|_batched)?_ex$`, "no library exports it; use trsv"},
}

// Documented explains a name that the documents or LAPACK use but no library of the releases exports; "" for any other.
func Documented(name string) string {
	for _, d := range documented {
		if pattern := regexp.MustCompile(d.pattern); pattern.MatchString(name) {
			return pattern.ReplaceAllString(name, d.meant)
		}
	}
	if len(name) > 1 && len(name) < 16 && strings.Contains(sdcz, name[:1]) && slices.Contains(onlyLAPACK(), name[1:]) {
		names := release.Names()
		last := len(names) - 1
		return fmt.Sprintf("neither rocBLAS nor rocSOLVER of %s or %s exports this function of LAPACK; later "+
			"releases may", strings.Join(names[:last], ", "), names[last])
	}
	return ""
}

// onlyLAPACK lists functions of LAPACK that no library of the releases exports, without their precision. Another
// function with a similar name does something else, so none is suggested for them.
var onlyLAPACK = sync.OnceValue(func() []string {
	return strings.Fields(`
disna gbbrd gbsv gbsvx gbtf2 gbtrf gbtrs gecon geequ gees geesx geev geevx gehd2 gehrd gejsv gelqt gelsd
gelss gelsy gemqrt geqp3 geqpf geqrt gerfs gesvdq gesvx gges ggesx ggev ggevx ggglm gghrd gglse ggqrf ggrqf
ggsvd ggsvd3 gtcon gtrfs gtsv gtsvx gttrf gttrs hbev hbevd hbevx hbgv hbtrd hecon heevr herfs hesv hesvx
hetf2 hetrf hetri hetrs hgeqz hpev hpevd hpevx hpgv hpsv hptrd hptrf hptri hptrs hsein hseqr lacpy lange
lanhe lansy lantr larfx lartg laset opgtr opmtr orghr ormhr ormrz pbsv pbtrf pbtrs pocon poequ porfs posvx
ppsv pptrf pptri pptrs pstf2 pstrf pteqr ptsv pttrf pttrs sbev sbevd sbevx sbgv sbtrd spev spevd spevx spgv
spsv sptrd sptrf sptri sptrs stegr stemr stev stevd stevr stevx sycon syevr syrfs sysv sysvx sytri sytrs
tgevc tgsen tgsyl tpmqrt tpqrt trcon trevc trexc trrfs trsen trsna trsyl tzrzf unghr unmhr unmrz upgtr upmtr
`)
})
