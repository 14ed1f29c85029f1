package analyze_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roclua/host/applog/analyze"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// made is a call in a recorded run, with the HIP calls that the library made during it.
type made struct {
	Function string   `json:"fn"`
	HIP      []string `json:"hip"`
}

func target(t testing.TB, profile string) footprint.Target {
	t.Helper()
	p, err := workspace.FindProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	return footprint.Target{Profile: p, Arch: "gfx90a"}
}

// unzip returns the text of a file; nil if there is none.
func unzip(t testing.TB, name string) []byte {
	packed, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var text []byte
	if err == nil {
		text, err = gunzip(packed)
	}
	if err != nil && t != nil {
		t.Fatal(err)
	}
	return text
}

func gunzip(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// read analyzes the logs of processes.
func read(t testing.TB, profile string, texts ...string) *analyze.Answer {
	t.Helper()
	l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, profile)}})
	for _, text := range texts {
		if err := l.Read(context.Background(), "app.log", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	return l.Answer()
}

var allocated = regexp.MustCompile(`^hipMalloc (\d+) -> 0$`)

// recordedGrowths returns the sizes after each growth of the library's handles: a call freed the memory and allocated
// more.
func recordedGrowths(calls []made) (list []uint64) {
	for _, c := range calls {
		if strings.Contains(c.Function, "set_") {
			continue
		}
		for i, text := range c.HIP {
			if m := allocated.FindStringSubmatch(text); m != nil && i > 0 && strings.HasPrefix(c.HIP[i-1], "hipFree ") {
				n, _ := strconv.ParseUint(m[1], 10, 64)
				list = append(list, n)
			}
		}
	}
	return list
}

func predictedGrowths(a *analyze.Answer) (list []uint64) {
	for _, g := range a.Targets[0].Managed.Growths {
		list = append(list, g.To)
	}
	return list
}

// TestRuns compares the growths predicted from the logs of recorded runs with the actual growths.
func TestRuns(t *testing.T) {
	right, uncertain := 0, 0
	for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
		records, _ := filepath.Glob("testdata/" + profile + "/*.calls.json.gz")
		if len(records) < 15 {
			t.Fatalf("%s: %d records", profile, len(records))
		}
		for _, record := range records {
			run := strings.TrimSuffix(record, ".calls.json.gz")
			logs, _ := filepath.Glob(run + ".*.gz")
			var calls []made
			json.Unmarshal(unzip(t, record), &calls)
			if len(calls) == 0 {
				continue
			}
			for _, log := range slices.DeleteFunc(logs, func(s string) bool { return s == record }) {
				answer := read(t, profile, string(unzip(t, log)))
				have, want := predictedGrowths(answer), recordedGrowths(calls)
				switch {
				case slices.Equal(have, want):
					right++
				case !answer.Targets[0].Managed.Exact:
					uncertain++
				default:
					t.Errorf("%s: a handle grows to %d, and the library's to %d", log, have, want)
				}
			}
		}
	}
	t.Logf("%d predictions are right, %d are wrong and said to be uncertain", right, uncertain)
}

// TestRecordedCalls reads every call of the recorded run that logs all kinds of lines, once.
func TestRecordedCalls(t *testing.T) {
	for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
		for _, log := range []string{"blas.l1.trace.log", "blas.l7.all.log"} {
			a := read(t, profile, string(unzip(t, "testdata/"+profile+"/"+log+".gz")))
			times := int64(0)
			for _, c := range a.Calls {
				times += c.Times
			}
			if times != 39 || len(a.Cut)+len(a.NotModeled) > 0 {
				t.Errorf("%s %s: %d calls, cut %v, not modelled %v", profile, log, times, a.Cut, a.NotModeled)
			}
		}
	}
}
