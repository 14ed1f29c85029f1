package routine

import (
	"regexp"
	"sync"
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

// longestName is more than the bytes of the name of any function. Longer names are not compared, which takes long for a
// name of a megabyte.
const longestName = 100

// NotModelled returns why a function that a library exports is not reproduced; "" for any other name. Names have no
// prefix of a library.
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

var unmodelledPatterns = sync.OnceValue(func() []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, u := range unmodelled {
		list = append(list, regexp.MustCompile(u.pattern))
	}
	return list
})
