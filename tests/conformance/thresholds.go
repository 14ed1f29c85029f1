package conformance

import (
	"math"
	"slices"

	"roclua/hip/routine"
)

// grid is a set of calls: every combination of the values of its arguments. Other arguments have defaults: enumerations
// their first value, leading dimensions, increments and strides their minimum, and other numbers 1.
type grid map[routine.Slot][]int64

// around returns the numbers at and next to thresholds. None is negative.
func around(thresholds ...int64) []int64 {
	var list []int64
	for _, t := range thresholds {
		list = append(list, t-1, t, t+1)
	}
	list = slices.DeleteFunc(list, func(n int64) bool { return n < 0 })
	slices.Sort(list)
	return slices.Compact(list)
}

// WithDefaults returns a call with the given integers and enumerations. Others have defaults: enumerations their first
// value, leading dimensions, increments and strides their minimum, optional numbers 0 and other numbers 1. Pointers,
// scalars and reals are not set.
func WithDefaults(r *routine.Routine, given map[routine.Slot]int64) *routine.Args {
	a := r.New()
	for _, distances := range []bool{false, true} {
		for i := range r.Params {
			p := &r.Params[i]
			if !isWhole(p) || distances != (p.Of != 0) {
				continue
			}
			v, ok := given[p.Slot]
			switch {
			case ok:
			case distances:
				v = routine.Smallest(a, p)
			case p.Kind.IsEnum():
				v = p.Legal()[0]
			case p.Slot == routine.InvASize || p.Slot == routine.SolutionIndex || p.Slot == routine.Flags:
			default:
				v = 1
			}
			a.SetInt(p.Slot, v)
		}
	}
	return a
}

// isWhole reports whether a parameter is an integer or an enumeration.
func isWhole(p *routine.Param) bool {
	return !p.Kind.IsPointer() && p.Kind != routine.Scalar && p.Kind != routine.Real
}

// thresholds are the calls at and next to every threshold of a family's size rule, for one routine of the family.
// A family without an entry needs no memory, or an amount without thresholds.
var thresholds = map[routine.FamilyID]func(r *routine.Routine) []grid{
	routine.Gemv: gemvThresholds,
	routine.Symv: columnThresholds, routine.Hemv: columnThresholds,
	routine.Trmv: linearThresholds, routine.Tpmv: linearThresholds, routine.Tbmv: linearThresholds,
	routine.Trsv: linearThresholds,
	routine.Asum: reductionThresholds, routine.Nrm2: reductionThresholds, routine.Dot: reductionThresholds,
	routine.Dotu: reductionThresholds, routine.Dotc: reductionThresholds, routine.DotEx: reductionThresholds,
	routine.DotcEx: reductionThresholds, routine.Nrm2Ex: reductionThresholds,
	routine.Iamax: reductionThresholds, routine.Iamin: reductionThresholds,
	routine.Syrk: syrkThresholds, routine.Herk: syrkThresholds,
	routine.Trsm: trsmThresholds, routine.TrsmEx: trsmThresholds, routine.Trtri: trtriThresholds,
	routine.Getf2: luThresholds, routine.Getrf: luThresholds, routine.GetrfNpvt: luThresholds,
	routine.Getri: getriThresholds, routine.Getrs: systemThresholds, routine.Gesv: systemThresholds,
	routine.Potrf: choleskyThresholds, routine.Potrs: potrsThresholds, routine.Posv: potrsThresholds,
	routine.Geqrf: geqrfThresholds, routine.Geqlf: geqrfThresholds, routine.Gelqf: geqrfThresholds,
	routine.Gels: gelsThresholds, routine.Larfg: larfgThresholds,
	routine.Orgqr: generationThresholds, routine.Orglq: generationThresholds, routine.Orgbr: orgbrThresholds,
	routine.Sytd2: tridiagonalThresholds, routine.Sytrd: tridiagonalThresholds,
	routine.Sygst: standardThresholds, routine.Sygv: standardThresholds, routine.Sygvj: standardThresholds,
	routine.SolverTrtri: inverseThresholds, routine.Potri: inverseThresholds,
}

// dependsOnArchitecture reports whether the bytes of a family differ between architectures.
func dependsOnArchitecture(f *routine.Family) bool {
	return f.ID == routine.Syrk || f.ID == routine.Herk || f.ID == routine.Geqrf || f.ID == routine.Larfg
}

const (
	beyond32 = math.MaxInt32 + 1
	chunk    = 65520
)

// batches returns the batch counts to draw, including counts near the chunk size for 64-bit forms.
func batches(r *routine.Routine, ordinary ...int64) []int64 {
	switch {
	case r.Variant == routine.Plain:
		return []int64{1}
	case r.Wide:
		return append(ordinary, around(chunk)...)
	}
	return ordinary
}

func gemvThresholds(r *routine.Routine) []grid {
	operations := routine.Legal(routine.Operation)
	list := []grid{
		{routine.TransA: operations, routine.N: {2}, routine.M: around(4096), routine.BatchCount: batches(r, 0, 3)},
		{routine.TransA: operations[1:2], routine.N: {2}, routine.M: around(5120, 102400)},
	}
	for _, n := range around(1, 16, 64, 128, 256) {
		list = append(list, grid{routine.TransA: operations[1:2], routine.N: {n}, routine.M: around(2048 * n)})
	}
	if r.Wide {
		list = append(list, grid{routine.TransA: operations[:2], routine.N: {1, beyond32 - 1, beyond32},
			routine.M: append(around(beyond32-1), 8192)})
	}
	return list
}

func columnThresholds(r *routine.Routine) []grid {
	return []grid{{routine.N: around(1, 64, 128, 1024), routine.BatchCount: batches(r, 0, 3)}}
}

func linearThresholds(r *routine.Routine) []grid {
	return []grid{{routine.N: around(1, 16, 64), routine.BatchCount: batches(r, 0, 1, 16)}}
}

func reductionThresholds(r *routine.Routine) []grid {
	list := []grid{
		{routine.N: around(1, 512, 1024, 2048, 4096, 8192), routine.BatchCount: {0, 3}},
		{routine.N: {1000}, routine.IncX: around(1), routine.IncY: {-1, 0, 1}},
		{routine.N: {1000}, routine.IncX: {-1}},
	}
	if r.Wide {
		// These numbers of elements fill 64 bytes: one more partial sum needs more.
		full := []int64{512 * 15, 1024 * 15, 2048 * 15, 4096 * 31}
		distances := append(around(beyond32-1), -beyond32-1, -beyond32, -beyond32+1, -beyond32+2)
		list = append(list,
			grid{routine.N: around(1<<28, 1<<29, beyond32, 1<<33), routine.BatchCount: {2}},
			grid{routine.N: {1000, 1 << 28, 1 << 33}, routine.BatchCount: batches(r)},
			grid{routine.N: full, routine.IncX: distances}, grid{routine.N: full, routine.IncY: distances})
	}
	return list
}

func syrkThresholds(r *routine.Routine) []grid {
	list := []grid{
		{routine.N: around(1, 1600, 2500, 3000, 4000), routine.K: around(500), routine.BatchCount: batches(r, 0, 2)},
		{routine.N: {1000}, routine.K: around(1)},
	}
	if r.Wide {
		list = append(list, grid{routine.N: append(around(beyond32, 1<<32), 100), routine.K: {600}},
			grid{routine.N: {100}, routine.K: around(beyond32, 1<<32, 1<<32+500), routine.BatchCount: batches(r, 2)})
	}
	return list
}

// trsmThresholds follow the tuning table of trsm. Its entries depend on both dimensions, the form and the batch.
func trsmThresholds(r *routine.Routine) []grid {
	sides, operations := routine.Legal(routine.SideKind)[:2], routine.Legal(routine.Operation)[:2]
	batch := []int64{1}
	if r.Variant != routine.Plain {
		batch = around(16)
	}
	list := []grid{
		{routine.Side: sides, routine.M: around(32, 64), routine.N: around(1, 32, 64), routine.BatchCount: batch[:1]},
		{routine.Side: sides[:1], routine.M: around(340, 480, 511), routine.N: around(32, 128),
			routine.BatchCount: batch},
		{routine.Side: sides[:1], routine.M: around(40), routine.N: around(64), routine.BatchCount: batch[:1]},
		{routine.Side: sides, routine.M: around(128, 1024), routine.N: around(64, 256), routine.BatchCount: batch[:1]},
		{routine.Side: sides, routine.M: around(64), routine.N: {256}, routine.BatchCount: batch[:1]},
		{routine.Side: sides, routine.TransA: operations, routine.M: {8064, 8192, 8320},
			routine.N: around(2016, 2048, 2080), routine.BatchCount: batch[:1]},
		// The limit of 128 MiB, for elements of 4, 8 and 16 bytes.
		{routine.Side: sides[:1], routine.M: {130944, 131072, 131200}, routine.N: around(128)},
		{routine.Side: sides[:1], routine.M: {65408, 65536, 65664}, routine.N: around(128)},
		{routine.Side: sides[:1], routine.M: {32640, 32768, 32896}, routine.N: around(128)},
	}
	if r.Family.ID == routine.TrsmEx {
		for _, k := range []int64{33, 128, 256, 300} {
			list = append(list, grid{routine.Side: sides, routine.M: {k}, routine.N: {k},
				routine.InvASize: around(128*(k-1), 128*k), routine.BatchCount: {2}})
		}
	}
	if r.Wide {
		list = append(list,
			grid{routine.Side: sides, routine.M: append(around(beyond32-1), 100), routine.N: {100}},
			grid{routine.Side: sides, routine.M: {100}, routine.N: around(beyond32 - 1)},
			grid{routine.M: {100}, routine.N: {200}, routine.LDA: around(beyond32 - 1), routine.LDB: {100, beyond32}},
			grid{routine.M: {100}, routine.N: {200}, routine.LDB: around(beyond32 - 1)},
			grid{routine.M: {700}, routine.N: {200}, routine.BatchCount: batches(r, 1)})
	}
	return list
}

// trtriThresholds are the orders where the blocks change, or where 32-bit products begin to overflow.
func trtriThresholds(r *routine.Routine) []grid {
	orders := around(1, 32, 48, 64, 96, 128, 160, 192, 224, 256, 288, 480, 511, 1024, 1056, 4096, 10016, 32768, 46341,
		65536, 65568, 81920, 92682, 98304, 114688, 131072, 1<<20, 1<<29)
	return []grid{
		{routine.N: orders, routine.BatchCount: batches(r, 3)},
		{routine.N: {100}, routine.BatchCount: batches(r, -1, 0, 1)},
	}
}

// luThresholds are the block sizes of getrf. TestSmallLU covers the sizes that need no memory.
func luThresholds(r *routine.Routine) []grid {
	if r.Family.ID == routine.Getf2 {
		return []grid{{routine.M: around(1, 1024), routine.N: around(1, 257), routine.BatchCount: {0, 1, 2}}}
	}
	sides := around(20, 23, 29, 40, 43, 46, 50, 52, 64, 128, 256, 384, 512, 640)
	var wide []grid
	if r.Wide {
		wide = []grid{
			{routine.M: {600}, routine.N: around(beyond32 - 1)}, {routine.M: around(beyond32 - 1), routine.N: {600}},
			{routine.M: {600}, routine.N: {600}, routine.LDA: around(beyond32 - 1)},
			{routine.M: {600}, routine.N: {600}, routine.BatchCount: around(chunk)},
		}
	}
	return append(wide, []grid{
		{routine.N: {2000}, routine.M: sides, routine.BatchCount: {2}},
		{routine.N: sides, routine.M: {2000}, routine.BatchCount: {2}},
		{routine.N: {64, 65, 600}, routine.M: {64, 65, 600}, routine.BatchCount: {0, 1, 16}},
	}...)
}

func getriThresholds(*routine.Routine) []grid {
	orders := around(1, 35, 43, 64, 96, 128, 245, 256, 480, 505, 1009, 1024, 1185, 2049, 4096, 65536, 1<<23, 1<<24)
	return []grid{{routine.N: orders, routine.BatchCount: {2}}, {routine.N: {100}, routine.BatchCount: {0, 16}}}
}

// systemThresholds are for getrs and gesv: their solves depend on the table of trsm.
func systemThresholds(r *routine.Routine) []grid {
	return append(wideSystems(r), []grid{
		{routine.N: around(20, 32, 64, 128, 340, 480, 511, 1024), routine.NRHS: around(1, 32, 64, 128),
			routine.BatchCount: {2}},
		{routine.N: around(340, 480, 511), routine.NRHS: {32, 33}, routine.BatchCount: around(16)},
		{routine.N: {600}, routine.NRHS: around(512)}, {routine.N: {8192, 8320}, routine.NRHS: {2048, 2049}},
		{routine.N: around(1), routine.NRHS: around(1), routine.BatchCount: {0, 1}},
	}...)
}

// wideSystems are sizes of solves beyond 32 bits.
func wideSystems(r *routine.Routine) []grid {
	if !r.Wide {
		return nil
	}
	return []grid{
		{routine.N: around(beyond32 - 1), routine.NRHS: {100}}, {routine.N: {1000}, routine.NRHS: around(beyond32 - 1)},
		{routine.N: {1000}, routine.NRHS: {100}, routine.LDA: around(beyond32 - 1)},
		{routine.N: {1000}, routine.NRHS: {100}, routine.LDB: around(beyond32 - 1)},
		{routine.N: {1000}, routine.NRHS: {1000}, routine.BatchCount: around(chunk)},
	}
}

func choleskyThresholds(*routine.Routine) []grid {
	return []grid{{routine.Uplo: routine.Legal(routine.Fill)[:2], routine.N: around(1, 90, 127, 180, 1024, 7860),
		routine.BatchCount: {0, 2}}}
}

// potrsThresholds are the borders of the regions where potrs and posv call rocBLAS.
func potrsThresholds(r *routine.Routine) []grid {
	list := wideSystems(r)
	list = append(list,
		grid{routine.N: around(1, 90, 127, 180, 7860), routine.NRHS: {0, 1}, routine.BatchCount: {0, 1}})
	for _, n := range []int64{20, 28, 40, 176, 240, 288, 352, 480} {
		list = append(list, grid{routine.N: {n, n + 1},
			routine.NRHS: around(1, 23, 37, 47, 449, 769, 929, 961, 1473, 7681), routine.BatchCount: {2}})
	}
	return append(list, grid{routine.N: around(512, 1024, 8192), routine.NRHS: around(1, 128, 2048)})
}

func geqrfThresholds(*routine.Routine) []grid {
	return []grid{
		{routine.M: around(1, 64, 128, 514, 1026, 2048, 2050), routine.N: around(1, 64, 128), routine.BatchCount: {2}},
		{routine.M: {1000}, routine.N: around(192, 256)},
		{routine.M: {500}, routine.N: {500}, routine.BatchCount: {0, 1}},
	}
}
