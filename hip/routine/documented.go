package routine

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// documented lists the names that the documents use and no library exports, with the name that is meant.
var documented = []struct{ pattern, meant string }{
	{`^gemm_ex(_strided)?_batched$`, "the library exports gemm${1}_batched_ex"},
	{`^(dot|dotc|nrm2|trsm)_ex(_strided)?_batched$`, "the library exports ${1}${2}_batched_ex"},
	{`^([sdcz])(max|min)(_strided_batched|_batched)?$`, "the library exports i${1}a${2}${3}"},
	{`^[sdcz]?trsv(_strided_batched|_batched)?_ex$`, "no library exports it; use trsv"},
}

// Documented explains a name that the documents or LAPACK use but no library exports; "" for any other.
func Documented(name string) string {
	for _, d := range documented {
		if pattern := regexp.MustCompile(d.pattern); pattern.MatchString(name) {
			return pattern.ReplaceAllString(name, d.meant)
		}
	}
	if len(name) > 1 && len(name) < 16 && strings.Contains(sdcz, name[:1]) && slices.Contains(onlyLAPACK(), name[1:]) {
		return "neither rocBLAS nor rocSOLVER exports this function of LAPACK"
	}
	return ""
}

// onlyLAPACK lists functions of LAPACK that no library exports, without their precision. Another function with a
// similar name does something else, so none is suggested for them.
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
