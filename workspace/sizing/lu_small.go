package sizing

// luRow is a row of the tables of small LU kernels, which factorize without memory. It applies to values of n up to its
// own, and m must lie in one of its spans. A lower bound of n is written fromN. The tables were read from the published
// source (roclapack_getf2.hpp) and are the same in both releases.
type luRow struct {
	n     int64
	spans []luSpan
}

type luSpan struct{ low, high int64 }

const (
	fromN  = -1   // m >= n
	smallM = 1024 // largest m of any small kernel
	smallN = 256  // largest n
)

var (
	anyM     = []luSpan{{0, smallM}}
	tallFrom = []luSpan{{fromN, smallM}}
)

func upTo(high int64) []luSpan             { return []luSpan{{0, high}} }
func between(low, high int64) []luSpan     { return []luSpan{{low, high}} }
func except(low, gap, next int64) []luSpan { return []luSpan{{low, gap}, {next, smallM}} }

var luRealBatchPivot = []luRow{
	{44, anyM}, {52, except(0, 392, 505)}, {60, except(0, 392, 625)}, {68, except(0, 296, 865)},
	{76, except(fromN, 296, 593)}, {92, except(fromN, 244, 849)}, {108, except(fromN, 256, 593)},
	{smallN, except(fromN, 164, 737)},
}

var luRealBatchPlain = []luRow{{68, anyM}, {smallN, tallFrom}}

var luRealPivot = []luRow{
	{20, anyM}, {28, between(6, smallM)}, {36, between(8, 512)}, {44, between(10, 512)}, {52, between(16, 512)},
	{60, between(44, 344)}, {68, between(fromN, 344)}, {smallN, between(fromN, 256)},
}

var luRealPlain = []luRow{
	{20, anyM}, {28, between(6, 912)}, {36, between(6, 512)}, {44, between(10, 512)}, {52, between(24, 512)},
	{60, between(fromN, 256)}, {92, between(fromN, 196)}, {smallN, between(fromN, 128)},
}

var luComplexBatchPivot = []luRow{
	{20, anyM}, {28, upTo(656)}, {36, upTo(504)}, {44, between(6, 624)}, {52, between(8, 504)},
	{60, []luSpan{{10, 256}, {449, 504}}}, {68, []luSpan{{fromN, 148}, {329, 656}}},
	{76, []luSpan{{fromN, 148}, {205, 896}}}, {124, except(fromN, 128, 329)}, {229, []luSpan{{229, smallM}}},
	{smallN, tallFrom},
}

var luComplexBatchPlain = []luRow{
	{20, anyM}, {28, upTo(752)}, {36, upTo(608)}, {52, between(fromN, 608)}, {68, between(fromN, 736)},
	{smallN, tallFrom},
}

var luComplexPivot = []luRow{
	{12, anyM}, {20, between(6, smallM)}, {28, between(10, 512)}, {36, between(fromN, 368)},
	{60, between(fromN, 336)}, {smallN, between(fromN, 256)},
}

var luComplexPlain = []luRow{
	{12, anyM}, {20, upTo(928)}, {28, between(8, 704)}, {36, between(fromN, 480)}, {52, between(fromN, 256)},
	{60, between(fromN, 208)}, {68, between(fromN, 172)}, {smallN, between(fromN, 128)},
}

// luTable chooses the table of a factorization: both batch forms share one.
func luTable(complexType, batch, pivot bool) []luRow {
	switch {
	case !complexType && batch && pivot:
		return luRealBatchPivot
	case !complexType && batch:
		return luRealBatchPlain
	case !complexType && pivot:
		return luRealPivot
	case !complexType:
		return luRealPlain
	case batch && pivot:
		return luComplexBatchPivot
	case batch:
		return luComplexBatchPlain
	case pivot:
		return luComplexPivot
	}
	return luComplexPlain
}

// smallLU reports whether a small kernel factorizes m x n without memory.
func smallLU(m, n int64, table []luRow) bool {
	if m > smallM || n > smallN {
		return false
	}
	for _, row := range table {
		if n > row.n {
			continue
		}
		for _, s := range row.spans {
			low := s.low
			if low == fromN {
				low = n
			}
			if m >= low && m <= s.high {
				return true
			}
		}
		return false
	}
	return false
}
