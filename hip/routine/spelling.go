package routine

import (
	"strings"
	"sync"
)

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
	_, second := r.ParamAt(TransB)
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
