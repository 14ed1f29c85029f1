package routine

import "regexp"

// documented lists the names that the documents use and no library exports, with the name that is meant.
var documented = []struct{ pattern, meant string }{
	{`^gemm_ex(_strided)?_batched$`, "the library exports gemm${1}_batched_ex"},
	{`^(dot|dotc|nrm2|trsm)_ex(_strided)?_batched$`, "the library exports ${1}${2}_batched_ex"},
	{`^([sdcz])(max|min)(_strided_batched|_batched)?$`, "the library exports i${1}a${2}${3}"},
	{`^[sdcz]?trsv(_strided_batched|_batched)?_ex$`, "no library exports it; use trsv"},
}

// Documented explains a name that the documents use but no library exports; "" for any other.
func Documented(name string) string {
	for _, d := range documented {
		if pattern := regexp.MustCompile(d.pattern); pattern.MatchString(name) {
			return pattern.ReplaceAllString(name, d.meant)
		}
	}
	return ""
}
