package result

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"roclua/host/baseline"
	"roclua/luabind/record"
)

// TestOutlinesAreSmall stores results with large texts. Little of each stays in memory.
func TestOutlinesAreSmall(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	long := strings.Repeat("é", 1<<18)
	sent := &record.Record{Log: long, Skipped: long, Problems: []string{long, "leak"}, Required: []string{"a.lua"},
		End: &record.End{Kind: record.EndScript, Message: long, Traceback: long, File: "a.lua", Line: 7}}
	for i := range 10_000 {
		check := record.Check{Text: fmt.Sprint("check ", i), Where: "a.lua:1", Have: long[:i%64*2]}
		sent.Checks = append(sent.Checks, check)
	}
	s, before := &Store{}, heapInUse()
	var list []*Result
	for i := range 10 {
		r := &Result{Case: &Case{ID: fmt.Sprint(i)}, Record: &record.Record{}}
		*r.Record = *sent
		r.Changes = []baseline.Change{{Name: r.Record.Checks[0].Text, New: r.Record.Checks[1].Text}}
		s.Put(r)
		list = append(list, r)
	}
	defer s.Close()
	if used := heapInUse() - before; used > 10*4*outlineBytes {
		t.Errorf("10 results take %d bytes", used)
	}
	short := list[0].Record
	if last := short.Problems[len(short.Problems)-1]; short.End.Line != 7 || short.Required[0] != "a.lua" ||
		len(short.Problems) != 3 || !strings.HasSuffix(last, " more checks failed; --out json lists them") ||
		list[0].Outcome() != Error {
		t.Errorf("%+v, outcome %s", short, list[0].Outcome())
	}
	full, err := s.Full(list[9])
	if err != nil || full.Record.Log != long || len(full.Record.Checks) != 10_000 {
		t.Errorf("the whole record: %v", err)
	}
	runtime.KeepAlive(sent)
}

// heapInUse returns the bytes of values that are in use.
func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestHeadlinesAreShort has problems with long texts.
func TestHeadlinesAreShort(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for name, r := range map[string]*record.Record{"skip": {Skipped: long}, "problem": {Problems: []string{long}},
		"end":   {End: &record.End{Kind: record.EndScript, Message: long}},
		"check": {Checks: []record.Check{{Have: long}}}} {
		text := (&Result{Case: &Case{}, Record: r}).Headline()
		if len(text) > longestHeadline+40 || !strings.HasSuffix(text, " more bytes)") {
			t.Errorf("%s: the headline has %d bytes and ends with %q", name, len(text), text[len(text)-20:])
		}
	}
}
