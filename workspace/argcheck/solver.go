package argcheck

var solver = map[string]list{
	"getrf":      factor(null(matA).unless(noElements), null(pivots).unless(noElements), null(info).unless(zero(batchCount))),
	"getf2":      factor(null(matA).unless(noElements), null(pivots).unless(noElements), null(info).unless(zero(batchCount))),
	"getrf_npvt": factor(null(matA).unless(noElements), null(info).unless(zero(batchCount))),
	"geqrf":      factor(null(matA).unless(noElements), null(pivots).unless(noElements)),
	"getri":      getri,
	"getrs":      getrs,
	"gesv":       gesv,
	"potrf":      potrf,
	"potrs":      potrs,
	"posv":       posv,
}

var (
	noElements = either(zero(m), zero(n))
	noMatrix   = zero(n)
	noSides    = either(zero(n), zero(nrhs))
)

func factor(ptrs ...condition) list {
	return func(o operands) []rule {
		return []rule{
			size(negative(m), negative(n), negative(batchCount), o.thinOrEmpty(matA)),
			unchanged(zero(m), zero(n), zero(batchCount)),
			queryAnswered,
			pointers(ptrs...),
		}
	}
}

func getri(o operands) []rule {
	return []rule{
		size(negative(n), negative(batchCount), o.thinOrEmpty(matA)),
		unchanged(zero(n), zero(batchCount)),
		queryAnswered,
		pointers(null(matA).unless(noMatrix), null(pivots).unless(noMatrix), null(info).unless(zero(batchCount))),
	}
}

func getrs(o operands) []rule {
	return []rule{
		value(badTransA),
		size(negative(n), negative(nrhs), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matB)),
		unchanged(zero(n), zero(nrhs), zero(batchCount)),
		queryAnswered,
		pointers(null(matA).unless(noMatrix), null(pivots).unless(noMatrix), null(matB).unless(noSides)),
	}
}

func gesv(o operands) []rule {
	return []rule{
		size(negative(n), negative(nrhs), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matB)),
		unchanged(zero(n), zero(nrhs), zero(batchCount)),
		queryAnswered,
		pointers(null(matA).unless(noMatrix), null(pivots).unless(noMatrix), null(matB).unless(noSides), null(info).unless(zero(batchCount))),
	}
}

func potrf(o operands) []rule {
	return []rule{
		value(badUplo),
		size(negative(n), negative(batchCount), o.thinOrEmpty(matA)),
		unchanged(zero(n), zero(batchCount)),
		queryAnswered,
		pointers(null(matA).unless(noMatrix), null(info).unless(zero(batchCount))),
	}
}

func potrs(o operands) []rule {
	return []rule{
		value(badUplo),
		size(negative(n), negative(nrhs), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matB)),
		unchanged(zero(n), zero(nrhs), zero(batchCount)),
		queryAnswered,
		pointers(null(matA).unless(noMatrix), null(matB).unless(noSides)),
	}
}

func posv(o operands) []rule {
	return []rule{
		value(badUplo),
		size(negative(n), negative(nrhs), negative(batchCount), o.thinOrEmpty(matA), o.thinOrEmpty(matB)),
		unchanged(zero(n), zero(nrhs), zero(batchCount)),
		queryAnswered,
		pointers(null(matA).unless(noMatrix), null(matB).unless(noSides), null(info).unless(zero(batchCount))),
	}
}
