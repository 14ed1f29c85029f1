package release

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Names of libraries.
const (
	RocBLAS   = "rocBLAS"
	RocSOLVER = "rocSOLVER"
)

// Change is a change of a library for its callers.
type Change struct {
	Library, Version string
	ROCm             string   // the first release of ROCm with the version
	Families         []string // families of routines that it concerns; nil for none of the table, or for all
	What             string   // the behavior from the version on
	Source           string
}

// changes are the known changes, oldest first for each library. They explain how a version differs from a profile; the
// model does not use them.
var changes = []Change{
	{RocBLAS, "4.0.0", "6.0", nil, "integers of 8 bits packed by four are not supported", "rocBLAS changelog 4.0"},
	{RocBLAS, "4.2.0", "6.2", nil, "handles of gfx94x start with 128 MiB instead of 32", "rocBLAS changelog 4.2"},
	{RocBLAS, "4.3.0", "6.3", nil, "level 3 has 64-bit forms", "rocBLAS changelog 4.3"},
	{RocBLAS, "4.4.0", "6.4", []string{"dot", "asum", "nrm2", "iamax", "iamin"},
		"64-bit reductions need less workspace", "rocBLAS changelog 4.4"},
	{RocBLAS, "4.4.0", "6.4", []string{"syrk", "herk"}, "other kernels, with workspace, for k of at least 500",
		"rocBLAS changelog 4.4"},
	{RocBLAS, "4.4.1", "6.4.2", []string{"herk"}, "no rounding errors in the imaginary part of the diagonal",
		"rocBLAS pull request 1651"},
	{RocBLAS, "5.0.0", "7.0", nil, "atomic operations are not allowed by default", "rocBLAS changelog 5.0"},
	{RocBLAS, "5.0.0", "7.0", []string{"gemm"}, "kernels of gemv where they fit", "rocBLAS changelog 5.0"},
	{RocBLAS, "5.0.0", "7.0", []string{"trsm"}, "the numbers of a result with perf_degraded are checked, too",
		"rocBLAS changelog 5.0"},
	{RocBLAS, "5.1.0", "7.1", nil, "managed memory is always stream-ordered", "rocm-libraries issue 1516"},
	{RocBLAS, "5.1.1", "7.1.1", nil, "memory is stream-ordered only if ROCBLAS_STREAM_ORDER_ALLOC is set",
		"rocBLAS changelog 5.1.1"},
	{RocBLAS, "5.2.0", "7.2", []string{"syrk_ex"}, "the function is new", "rocBLAS changelog 5.2"},
	{RocBLAS, "5.3.0", "7.12", nil, "herk_ex is new", "rocBLAS changelog 5.3"},
	{RocBLAS, "5.3.0", "7.12", []string{"trsv"}, "the current device is not changed; it must be the handle's",
		"rocBLAS changelog 5.3"},
	{RocBLAS, "5.3.0", "7.12", []string{"trsv"}, "another kernel for batch_count > 16 n and n < 128",
		"rocBLAS changelog 5.3"},
	{RocBLAS, "5.3.0", "7.12", []string{"trsm"},
		"another kernel on the left for n = 1, batch_count > 16 m and m < 128", "rocBLAS changelog 5.3"},
	{RocBLAS, "5.4.0", "7.13", nil, "gemm_batched_ex_get_solutions takes null pointers with hipBLASLt, too",
		"rocBLAS changelog 5.4"},
	{RocBLAS, "5.5.0", "7.14", nil, "large batches are computed in parts of 65535 on every architecture",
		"rocm-libraries pull request 7322"},
	{RocBLAS, "5.6.0", "10.0", nil, "gemm_batched_ex_get_solutions returns the best ones with hipBLASLt, too",
		"rocBLAS changelog 5.6"},
	{RocBLAS, "5.7.0", "10.1", []string{"dot", "trsm", "trmm", "syrk", "herk"},
		"defects of large batches are repaired", "rocBLAS changelog 5.7"},

	{RocSOLVER, "3.24.0", "6.0", nil, "csrrf_refactchol is new", "rocSOLVER changelog 3.24"},
	{RocSOLVER, "3.25.0", "6.1", []string{"syevdj", "sygvdj"}, "the functions are new",
		"rocSOLVER changelog 3.25"},
	{RocSOLVER, "3.26.0", "6.2", []string{"syevdx", "sygvdx"}, "the functions are new",
		"rocSOLVER changelog 3.26"},
	{RocSOLVER, "3.27.0", "6.3", []string{"syevj"}, "memory allocated in the call is workspace",
		"rocSOLVER changelog 3.27"},
	{RocSOLVER, "3.28.0", "6.4", nil, "lasr is new, and some functions can compute on the host",
		"rocSOLVER changelog 3.28"},
	{RocSOLVER, "3.28.2", "6.4.2", []string{"stedc", "syevd", "sygvd"},
		"an n x n matrix less of workspace", "rocSOLVER changelog 3.28.2, pull request 869"},
	{RocSOLVER, "3.28.2", "6.4.2", []string{"gesdd"}, "the functions are new", "rocSOLVER changelog 3.28.2"},
	{RocSOLVER, "3.30.0", "7.0", []string{"larft", "geqr2", "geqrf", "steqr", "syev", "bdsqr", "gesvd"},
		"other kernels", "rocSOLVER changelog 3.30"},
	{RocSOLVER, "3.30.1", "7.0.2", []string{"larf", "larft", "geqr2", "geqrf", "ormtr", "syevd"},
		"other kernels", "rocSOLVER changelog 3.30.1"},
	{RocSOLVER, "3.31.0", "7.1", []string{"larf", "larft", "geqr2", "geqrf", "stedc", "syevd"},
		"other kernels", "rocSOLVER changelog 3.31"},
	{RocSOLVER, "3.32.0", "7.2", []string{"larfb", "geqrf", "ormtr"}, "other kernels, and another workspace",
		"rocSOLVER changelog 3.32"},
	{RocSOLVER, "3.33.0", "7.12", nil, "lange and gecon are new", "rocSOLVER changelog 3.33"},
	{RocSOLVER, "3.34.0", "7.13", nil, "getrs_npvt and sytrs are new", "rocSOLVER changelog 3.34"},
	{RocSOLVER, "3.34.0", "7.13", []string{"potf2", "potrf"}, "other kernels", "rocSOLVER changelog 3.34"},
	{RocSOLVER, "3.35.0", "7.14", nil, "errors of rocBLAS and rocSPARSE inside a call are returned",
		"rocSOLVER changelog 3.35"},
	{RocSOLVER, "3.36.0", "10.0", []string{"syev", "syevd"}, "64-bit forms are new",
		"rocSOLVER changelog 3.36"},
	{RocSOLVER, "3.37.0", "10.1", []string{"syevd", "sygvd"},
		"reduction to tridiagonal form in two stages", "rocSOLVER changelog 3.37"},
	{RocSOLVER, "3.37.0", "10.1", nil, "cholqr, gehd2, gehrd and lahr2 are new", "rocSOLVER changelog 3.37"},
}

// Version is the numbers of a version. A release of ROCm has two or three, those of libraries three.
type Version [3]int

// ParseVersion reads the first three numbers of a version, "5.2.0" of "5.2.0.b6328b4". ok is false for a text that does
// not start with two numbers.
func ParseVersion(text string) (v Version, ok bool) {
	parts := strings.Split(text, ".")
	for i := range min(len(v), len(parts)) {
		n, err := strconv.ParseUint(parts[i], 10, 16)
		if err != nil {
			return v, i == 2 && parts[i] == ""
		}
		v[i] = int(n)
	}
	return v, len(parts) > 1
}

func version(text string) Version {
	v, ok := ParseVersion(text)
	if !ok {
		panic(fmt.Sprintf("release: the table has the version %q", text))
	}
	return v
}

// Compare returns -1, 0 or 1.
func (v Version) Compare(o Version) int { return slices.Compare(v[:], o[:]) }

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// distance is how far two versions are apart: a major version is more than any number of minor ones.
func distance(v, o Version) int {
	d := 0
	for i := range v {
		d = d<<16 + v[i] - o[i]
	}
	return max(d, -d)
}

// Unmodelled is the error for libraries that no release of the table has.
type Unmodelled struct {
	RocBLAS, RocSOLVER string // as they were given; RocSOLVER is "" if it is not known
	Nearest            *Release
	Differs            []Change // between the libraries and Nearest, as far as it is known
}

// Of returns the release with versions of rocBLAS and rocSOLVER, such as "4.4.1" and "3.28.2". All three numbers of
// each decide. The version of rocSOLVER is "" if it is not known. The error is an Unmodelled.
func Of(rocblas, rocsolver string) (*Release, error) {
	blas, valid := ParseVersion(rocblas)
	solver, known := ParseVersion(rocsolver)
	if !valid || rocsolver != "" && !known {
		return nil, &Unmodelled{rocblas, rocsolver, Default(), nil}
	}
	nearest := releases[0]
	for _, r := range releases {
		if distance(version(r.RocBLAS), blas) <= distance(version(nearest.RocBLAS), blas) {
			nearest = r
		}
	}
	if version(nearest.RocBLAS) == blas && (!known || version(nearest.RocSOLVER) == solver) {
		return nearest, nil
	}
	err := &Unmodelled{RocBLAS: rocblas, RocSOLVER: rocsolver, Nearest: nearest}
	for _, c := range changes {
		have, of := blas, nearest.RocBLAS
		if c.Library == RocSOLVER {
			have, of = solver, nearest.RocSOLVER
		}
		if from, to := version(of), version(c.Version); have != (Version{}) && between(to, have, from) {
			err.Differs = append(err.Differs, c)
		}
	}
	return nil, err
}

// between reports whether a change of a version is in one of two other versions and not in both.
func between(change, a, b Version) bool { return (change.Compare(a) <= 0) != (change.Compare(b) <= 0) }

func named(library, version string) string {
	switch _, ok := ParseVersion(version); {
	case version == "":
		return library + " of an unknown version"
	case !ok:
		return fmt.Sprintf("%s %q, which is no version such as 5.2.0,", library, version)
	}
	return library + " " + strings.TrimSuffix(version, ".")
}

// listed bounds the differences in a message.
const listed = 4

func (e *Unmodelled) Error() string {
	text := named(RocBLAS, e.RocBLAS)
	if e.RocSOLVER != "" {
		text += " with " + named(RocSOLVER, e.RocSOLVER)
	}
	text += fmt.Sprintf(" is not modelled; the nearest profile is %s (rocBLAS %s, rocSOLVER %s)", e.Nearest,
		e.Nearest.RocBLAS, e.Nearest.RocSOLVER)
	for i, c := range e.Differs {
		switch i {
		case 0:
			text += "; known to differ: "
		case listed:
			return fmt.Sprintf("%s; and %d more (roclua docs provenance)", text, len(e.Differs)-listed)
		default:
			text += "; "
		}
		text += c.String()
	}
	return text
}

// String describes the change in a line: "from rocBLAS 5.3.0 on, trsv: the current device is not changed (...)".
func (c Change) String() string {
	text := fmt.Sprintf("from %s %s on, ", c.Library, c.Version)
	if c.Families != nil {
		text += strings.Join(c.Families, ", ") + ": "
	}
	return text + c.What + " (" + c.Source + ")"
}

// Later returns the changes of a library for a family of routines that came after the release.
func (r *Release) Later(library, family string) (list []Change) {
	of := map[string]string{RocBLAS: r.RocBLAS, RocSOLVER: r.RocSOLVER}[library]
	for _, c := range changes {
		if c.Library == library && slices.Contains(c.Families, family) && version(c.Version).Compare(version(of)) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// Changes returns all known changes.
func Changes() []Change { return changes }

// Named explains a name of a release that is not in the table: the versions of the release of ROCm, and how they differ
// from the nearest one. name is "7.0", "rocm-7.0" or "7.0.2"; the error is nil for a text that is no version, or a
// release of ROCm whose versions are not known.
func Named(name string) error {
	v, ok := ParseVersion(strings.TrimPrefix(name, "rocm-"))
	if !ok {
		return nil
	}
	found := map[string]string{}
	for _, c := range changes {
		if of := version(c.ROCm); of.Compare(v) <= 0 && of[0] == v[0] && of[1] == v[1] {
			found[c.Library] = c.Version
		}
	}
	if len(found) < 2 {
		return nil
	}
	r, err := Of(found[RocBLAS], found[RocSOLVER])
	if err == nil {
		err = fmt.Errorf("rocBLAS %s and rocSOLVER %s are profile %s", found[RocBLAS], found[RocSOLVER], r)
	}
	return fmt.Errorf("ROCm %s: %w", strings.TrimPrefix(name, "rocm-"), err)
}
