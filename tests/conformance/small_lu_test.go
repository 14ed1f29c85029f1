package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// smallLU are the sizes without memory needs: ranges of m for every n from 1.
type smallLU struct {
	Fn    string       `json:"fn"`
	Spans [][][2]int64 `json:"spans"`
}

const (
	smallLUColumns = 258
	smallLURows    = 1026
)

// TestSmallLU compares all sizes for which getf2 needs no memory, because its tables have too many entries to test only
// their neighbourhoods. getrf uses the same tables for sizes up to its smallest block, and getrf_npvt uses the tables
// without pivots. With -conformance.record it writes the library's result.
func TestSmallLU(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	begin(t, library, model)
	defer end(t, library, model)
	families := []routine.FamilyID{routine.Getf2, routine.Getrf, routine.GetrfNpvt}
	var results []smallLU
	_, all := admitted()
	for _, r := range all {
		if !slices.Contains(families, r.Family.ID) || r.Variant == routine.StridedBatched ||
			r.Type != routine.TypeD && r.Type != routine.TypeZ {
			continue
		}
		have, want := drawSmallLU(t, library, r), drawSmallLU(t, model, r)
		for i := range have.Spans {
			if !slices.Equal(have.Spans[i], want.Spans[i]) {
				t.Errorf("%s, n=%d: the library needs no memory for m in %v, the model for %v", r.CName(), i+1,
					have.Spans[i], want.Spans[i])
			}
		}
		results = append(results, have)
	}
	if *record == "" {
		return
	}
	var text bytes.Buffer
	zip, err := gzip.NewWriterLevel(&text, gzip.BestCompression)
	for _, x := range results {
		err = errors.Join(err, json.NewEncoder(zip).Encode(x))
	}
	err = errors.Join(err, zip.Close(), os.MkdirAll(*record, 0o755),
		os.WriteFile(filepath.Join(*record, "small-lu.json.gz"), text.Bytes(), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// unblocked is the largest min(m, n) for getrf in TestSmallLU; getrf is unblocked up to this size.
func unblocked(r *routine.Routine) int64 {
	switch {
	case r.Family.ID == routine.Getf2:
		return smallLURows
	case r.Variant == routine.Plain:
		return 64
	case r.Type.IsComplex():
		return 20
	}
	return 40
}

func drawSmallLU(t *testing.T, s *sequence.Side, r *routine.Routine) smallLU {
	t.Helper()
	out := smallLU{Fn: r.CName()}
	for n := int64(1); n <= smallLUColumns; n++ {
		spans := [][2]int64{}
		for m := int64(1); m <= smallLURows && min(m, n) <= unblocked(r); m++ {
			bytes, _, err := needs(s, complete(r, map[routine.Slot]int64{routine.M: m, routine.N: n}))
			last := len(spans) - 1
			switch {
			case err != nil:
				t.Fatal(err)
			case bytes > 0:
			case last >= 0 && spans[last][1] == m-1:
				spans[last][1] = m
			default:
				spans = append(spans, [2]int64{m, m})
			}
		}
		out.Spans = append(out.Spans, spans)
	}
	return out
}
