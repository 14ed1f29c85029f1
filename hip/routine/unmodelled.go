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
	{`^(create|destroy)_rfinfo$|^[gs]et_rfinfo_mode$`,
		"it serves the refactorization of sparse matrices (csrrf), which needs rocSPARSE"},
	{`^[gs]et_alg_mode$`,
		"it chooses between algorithms of rocSOLVER, of which only the default ones are modelled"},
	{`^log_(begin|end|flush_profile|restore_defaults|set_layer_mode|set_max_levels|write_profile)$`,
		"logs of rocSOLVER are not written"},
	{`^[gs]et_math_mode$|^[gs]et_performance_metric$|^set_solution_fitness_query$|^set_start_stop_events$`,
		"it concerns how kernels of the library are chosen or measured"},
	{`^device_malloc_(free|get|ptr|success)$`,
		"it is a part of the C++ class for workspace; handle:device_malloc does what the class does"},
	{`^is_device_memory_size_query$`, "a script knows whether it started a query"},
	{`^get_commit_hash_string(_size)?$|^get_version_string_size$`,
		"get_version_string returns the version as a string of Lua"},
	{`^[gs]et_(vector|matrix)(_async)?_64$`, "the function without _64 does the same"},
	{`^(initialize|abort|pointer_to_mode)$`, "it has no meaning for a script"},
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
