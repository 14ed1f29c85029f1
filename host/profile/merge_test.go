package profile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// whole returns a profile with every field set. Profiles with different numbers share functions, locations and a
// sample.
func whole(n int64) *profile.Profile {
	m := []*profile.Mapping{{ID: 1, Start: 1 << 40, Limit: 1 << 41, Offset: 3, File: "/bin/roclua", BuildID: "abc",
		HasFunctions: true}, {ID: 2, Start: 1 << 42, Limit: 1 << 43, File: fmt.Sprintf("/lib/%d.so", n)}}
	var functions []*profile.Function
	var locations []*profile.Location
	for i := range int64(4) {
		name := fmt.Sprintf("f%d", i*n)
		functions = append(functions, &profile.Function{ID: uint64(i + 1), Name: name, SystemName: "system." + name,
			Filename: name + ".go", StartLine: 10 * i})
		locations = append(locations, &profile.Location{ID: uint64(i + 1), Mapping: m[i%2], Address: 1<<40 + uint64(i),
			IsFolded: i == 3, Line: []profile.Line{{Function: functions[i], Line: 10*i + n, Column: i},
				{Function: functions[0], Line: 7}}})
	}
	return &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, DefaultSampleType: "cpu",
		DropFrames: "drop", KeepFrames: "keep", Comments: []string{"one", "two", "three"}, DocURL: "https://example.com",
		TimeNanos: 1e18, DurationNanos: n * 1e9, Period: 1e7, Mapping: m, Function: functions, Location: locations,
		Sample: []*profile.Sample{
			{Location: locations[:1], Value: []int64{1, -5}},
			{Location: locations, Value: []int64{n, 1 << 62}, NumLabel: map[string][]int64{"bytes": {n, 3}},
				NumUnit: map[string][]string{"bytes": {"bytes", "bytes"}}},
			{Value: []int64{0, 0}, Label: map[string][]string{"other": {"label"}}},
		},
	}
}

// normal returns a profile in a form independent of its ids.
func normal(t *testing.T, p ...*profile.Profile) string {
	t.Helper()
	for _, p := range p {
		if err := p.CheckValid(); err != nil {
			t.Fatal(err)
		}
	}
	merged, err := profile.Merge(p)
	if err != nil {
		t.Fatal(err)
	}
	return merged.String()
}

// TestMergeIsThatOfPprof compares the merged profile with the result of pprof's own package.
func TestMergeIsThatOfPprof(t *testing.T) {
	folder := t.TempDir()
	var parts []Part
	var list []*profile.Profile
	for i, process := range []string{"program", "worker", "worker"} {
		p := whole(int64(i + 1))
		var file bytes.Buffer
		if err := p.Write(&file); err != nil {
			t.Fatal(err)
		}
		part := Part{File: filepath.Join(folder, fmt.Sprint(i)), Process: process}
		if err := os.WriteFile(part.File, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Sample {
			if s.Label == nil {
				s.Label = map[string][]string{}
			}
			s.Label["process"] = []string{process}
		}
		parts, list = append(parts, part), append(list, p)
	}
	var file bytes.Buffer
	if lost, err := Merge(&file, parts); lost != 0 || err != nil {
		t.Fatal(lost, err)
	}
	have, err := profile.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(normal(t, list...), normal(t, have)); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

// TestDamagedPart adds truncated profiles: each is added whole or not at all.
func TestDamagedPart(t *testing.T) {
	var file bytes.Buffer
	if err := whole(1).WriteUncompressed(&file); err != nil {
		t.Fatal(err)
	}
	for size := range file.Len() {
		m := newMerger()
		before := bytes.Clone(m.out)
		if err := m.add(file.Bytes()[:size], "worker"); err != nil && (!bytes.Equal(m.out, before) || m.added > 0) {
			t.Errorf("%d bytes: %v, and a part is added", size, err)
		}
		if err := m.add(file.Bytes(), "program"); err != nil {
			t.Errorf("after %d bytes of another profile: %v", size, err)
		}
	}
	for _, data := range []string{"\x12\x01", "\x12\x02\x0d\x00", "\x0d\x00\x00\x00\x00", "\x10\x01",
		"\x12\x03\x0a\x01\xff"} {
		if err := newMerger().add([]byte(data), "worker"); err == nil {
			t.Errorf("%q is a profile", data)
		}
	}
}
