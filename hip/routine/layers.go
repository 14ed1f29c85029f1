package routine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roclua/hip/release"
)

// layers has the functions of the modules above rocBLAS and rocSOLVER: by library in the order of the documentation,
// and by C name. Their indices follow the indices of All.
var layers = sync.OnceValue(func() (t struct {
	lists  map[Library][]*Routine
	byName map[string]*Routine
	count  int
}) {
	t.lists, t.byName = map[Library][]*Routine{}, map[string]*Routine{}
	add := func(r *Routine) {
		r.Index = Count() + t.count
		t.count++
		t.lists[r.Library] = append(t.lists[r.Library], r)
		t.byName[r.cName] = r
	}
	for _, f := range layerFamilies() {
		v := Plain
		if strings.HasPrefix(f.Name, "potr") && strings.HasSuffix(f.Name, "Batched") {
			v = Batched
		}
		for _, r := range f.all(v) {
			add(r)
			if size, ok := bufferSizes()[r.cName+bufferSuffix]; ok {
				own := *size
				own.Name = r.Name + bufferSuffix
				add(&own)
			}
		}
	}
	for _, r := range hipblasRoutines() {
		add(r)
	}
	return t
})

// Find finds a routine by the name that scripts use in one library's module.
func Find(lib Library, name string) (*Routine, bool) {
	if lib == RocBLAS || lib == RocSOLVER {
		r, ok := Lookup(lib.String() + "_" + name)
		return r, ok && r.Family.ID < endOfListed
	}
	r, ok := layers().byName[lib.String()+name]
	return r, ok
}

// Routine returns the routine of a family.
func (f *Family) Routine(t Type, v Variant, wide bool) (*Routine, bool) {
	return Lookup(f.Library.String() + "_" + f.nameOf(t, v, wide))
}

// Sibling returns the routine of the same family, type and width in another variant.
func Sibling(r *Routine, v Variant) (*Routine, bool) { return r.Family.Routine(r.Type, v, r.Wide) }

// Under returns a routine under the name of the function that calls it, for messages: no header declares the name of an
// unlisted routine. It returns other routines as they are.
func (r *Routine) Under(f *Routine) *Routine {
	if r.Family.ID < endOfListed {
		return r
	}
	named := *r
	named.Name, named.cName = f.cName, f.cName
	return &named
}

// Routines returns the routines of a library, of rocBLAS and rocSOLVER in the order of All.
func (l Library) Routines() []*Routine {
	if l != RocBLAS && l != RocSOLVER {
		return layers().lists[l]
	}
	return slices.DeleteFunc(slices.Clone(All()), func(r *Routine) bool { return r.Library != l })
}

// IsLayer reports whether a routine belongs to a library above rocBLAS and rocSOLVER.
func (r *Routine) IsLayer() bool { return r.Library != RocBLAS && r.Library != RocSOLVER }

// LayerNamed finds a routine of a library above rocBLAS and rocSOLVER, by its name in C, in scripts, or in cuSOLVER:
// "hipsolverDgetrf", "hipsolver.Dgetrf", "cusolverDnDgetrf_bufferSize". Names that end in _v2 mean the same functions.
func LayerNamed(name string) (*Routine, bool) {
	name = strings.Replace(fromCUDA(strings.Replace(name, ".", "", 1)), "_v2", "", 1)
	if !strings.HasPrefix(name, "hip") {
		return nil, false // their tables need not be made
	}
	if r, ok := layers().byName[name]; ok {
		return r, true
	}
	return BufferSize(name)
}

// ReturnsNumber reports whether calls return an integer in host memory in both pointer modes.
func (r *Routine) ReturnsNumber() bool {
	return slices.ContainsFunc(r.Params, func(p Param) bool { return p.IsNumber() })
}

// Numbers returns how many integers calls return in host memory in both pointer modes.
func (r *Routine) Numbers() (n int) {
	for i := range r.Params {
		if r.Params[i].IsNumber() {
			n++
		}
	}
	return n
}

// IsSize reports whether a function returns the size of a buffer.
func (r *Routine) IsSize() bool { return strings.HasSuffix(r.cName, bufferSuffix) }

// IndexCount returns the number of routines, of Layer too, for tables by Routine.Index.
func IndexCount() int { return Count() + layers().count }

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
