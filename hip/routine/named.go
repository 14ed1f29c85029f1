package routine

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Named returns the routines that a name means: the name in scripts or in C, or the name of the same function in BLAS
// and LAPACK ("dgetrf_", "cblas_dgemm", "LAPACKE_dgetrf"), hipBLAS ("hipblasDgemmStridedBatched"), hipSOLVER
// ("hipsolverDgetrf", "hipsolverDnDgetrf_bufferSize") or cuSOLVER ("cusolverDnDgetrf"). There are two for a name in
// scripts that both libraries have: see Ambiguous. Of them rocSOLVER's has the signature of LAPACK.
func Named(name string) []*Routine {
	short, libraries := translate(name)
	if list := inLibraries(short, libraries...); list != nil || len(libraries) < 2 {
		return list
	}
	list := inLibraries(fromFortran(short), RocSOLVER, RocBLAS)
	return list[:min(1, len(list))]
}

// Ambiguous says which routines a name means that both libraries have, rocBLAS's first. "dtrtri" is one.
func Ambiguous(name string, list []*Routine) string {
	return fmt.Sprintf("%s is %s or %s, which need different workspaces", name, list[0].cName, list[1].cName)
}

// UniqueName returns the name in scripts, or the name in C if both libraries have a routine of that name.
func (r *Routine) UniqueName() string {
	if r.Family.shared {
		return r.cName
	}
	return r.Name
}

// ScriptName returns the name that scripts use for a name as Named takes it, whether or not there is such a routine:
// "dgetfr" for "hipsolverDgetfr".
func ScriptName(name string) string {
	short, _ := translate(name)
	if lower := strings.ToLower(short); strings.HasSuffix(lower, "_") || strings.HasPrefix(lower, "lapacke_") ||
		strings.HasPrefix(lower, "cblas_") {
		return fromFortran(short)
	}
	return short
}

// translate returns the name in scripts and the libraries that may have the routine: none for a name that hipBLAS and
// hipSOLVER could have, but do not. It leaves names of BLAS and LAPACK as they are.
func translate(name string) (short string, libraries []Library) {
	for _, lib := range []Library{RocBLAS, RocSOLVER} {
		for _, mark := range []string{"_", "."} {
			if short, ok := strings.CutPrefix(name, lib.String()+mark); ok {
				return short, []Library{lib}
			}
		}
	}
	rest, solver := strings.CutPrefix(fromCUDA(name), "hipsolver")
	rest, blas := strings.CutPrefix(rest, "hipblas")
	if !solver && !blas {
		return name, []Library{RocBLAS, RocSOLVER}
	}
	if f, ok := LayerNamed(name); ok {
		libraries = []Library{RocSOLVER}
		if f.Family.Library == RocBLAS {
			libraries[0] = RocBLAS
		}
	}
	if solver {
		rest = strings.TrimPrefix(rest, "Dn")
	}
	return fromCamelCase(rest, solver), libraries
}

func inLibraries(short string, libraries ...Library) (list []*Routine) {
	for _, lib := range libraries {
		if r, ok := Find(lib, short); ok {
			list = append(list, r)
		}
	}
	return list
}

// fromFortran converts a name of BLAS or LAPACK, or of their C interfaces, which may be in upper case.
func fromFortran(name string) string {
	short := strings.ToLower(name)
	for _, prefix := range []string{"lapacke_", "cblas_"} {
		short = strings.TrimPrefix(short, prefix)
	}
	for _, suffix := range []string{"_", "_64", "64", "_work", "_sub"} {
		short = strings.TrimSuffix(short, suffix)
	}
	return short
}

// stridedBatches are the operations whose batches in hipSOLVER have strides; others are arrays of pointers.
var stridedBatches = []string{"syevj", "heevj", "gesvdj"}

// fromCamelCase converts the end of a name of hipBLAS or hipSOLVER: "DgemmStridedBatched_64" to
// "dgemm_strided_batched_64". Solvers that name two precisions, as "DDgels", have one of them here.
func fromCamelCase(name string, solver bool) string {
	cut := func(suffix string) bool {
		rest, ok := strings.CutSuffix(name, suffix)
		name = rest
		return ok
	}
	cut("_bufferSize")
	cut("_v2")
	end := ""
	if cut("_64") {
		end = "_64"
	}
	cut("WithFlags")
	if cut("Ex") {
		end = "_ex" + end
	}
	strided := cut("StridedBatched")
	batched := !strided && cut("Batched")
	if solver && len(name) > 2 && name[0] == name[1] { // both in upper case: Ssyevd is in single precision
		name = name[1:]
	}
	name = strings.ToLower(name)
	if batched && solver && slices.Contains(stridedBatches, name[min(1, len(name)):]) {
		strided = true
	}
	switch {
	case strided:
		name += StridedBatched.Suffix()
	case batched:
		name += Batched.Suffix()
	}
	return name + end
}

// spellings has the names that the headers use for each slot.
var spellings = sync.OnceValue(func() map[Slot]map[string]bool {
	bySlot := map[Slot]map[string]bool{}
	for _, r := range All() {
		for i := range r.Params {
			p := &r.Params[i]
			if bySlot[p.Slot] == nil {
				bySlot[p.Slot] = map[string]bool{}
			}
			bySlot[p.Slot][p.Name] = true
		}
	}
	return bySlot
})

// Spelled finds a parameter by its C name, or by the name that another routine has for it: one that differs in case
// and underscores, as strideA, stride_A and stride_a do, and trans or transA for the operation on the only matrix that
// has one.
func (r *Routine) Spelled(name string) (*Param, bool) {
	if p, ok := r.Param(name); ok {
		return p, true
	}
	second := r.Has(TransB)
	var found *Param
	for i := range r.Params {
		p := &r.Params[i]
		same := folded(p.Name) == folded(name) || p.Kind == Operation && !second
		if !same || !spellings()[p.Slot][name] {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = p
	}
	return found, found != nil
}

func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// ConstantNamed finds a value of an enumeration by its name, with or without the prefix of the enumeration
// ("operation_none" or "none"), or by its letter in BLAS, LAPACK or rocsolver-bench. Names of hipSOLVER and cuSOLVER
// are known, too.
func ConstantNamed(kind Kind, text string) (int64, bool) {
	if len(text) == 1 {
		if v, ok := Letter(kind, strings.ToUpper(text)[0]); ok {
			return v, true
		}
	}
	text = withoutLibrary(text)
	for _, k := range ConstantsOf(kind) {
		if k.Name == text || k.Short() == text || kind == Datatype && strings.TrimSuffix(k.Short(), "_r") == text {
			return k.Value, true
		}
	}
	return 0, false
}

// withoutLibrary returns the name of a constant in a header of hipSOLVER or cuSOLVER as it is in scripts:
// "HIPSOLVER_EIG_MODE_VECTOR", "CUBLAS_FILL_MODE_LOWER", "CUDA_R_64F".
func withoutLibrary(text string) string {
	for _, prefix := range []string{"HIPSOLVER_", "HIPBLAS_", "CUSOLVER_", "CUBLAS_"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return strings.ToLower(rest)
		}
	}
	for _, prefix := range []string{"HIP_", "CUDA_"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return "hip_" + strings.ToLower(rest)
		}
	}
	return text
}

// Short returns the name of a constant without the prefix of its enumeration: "left" for side_left.
func (c Constant) Short() string { return strings.TrimPrefix(c.Name, EnumName(c.Enum)+"_") }

// ShortNames lists the names of an enumeration's values without their prefix.
func ShortNames(kind Kind) []string {
	var names []string
	for _, c := range ConstantsOf(kind) {
		names = append(names, c.Short())
	}
	return names
}
