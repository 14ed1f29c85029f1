package analyze_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/internal/randomtest"
	"roclua/workspace"
)

const (
	columns = `"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"` + "\n"

	allocationColumns = `"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id",` +
		`"Start_Timestamp","End_Timestamp"` + "\n"
)

// marker writes the range of a trace line on a thread of process 7, as rocprofv3 of ROCm 7.2 does.
func marker(line string, thread, start, end int) string {
	return fmt.Sprintf("\"MARKER_CORE_RANGE_API\",\"%s\",7,%d,1,%d,%d\n", strings.TrimSpace(line), thread, start, end)
}

// hipRow writes a call of HIP of process 7.
func hipRow(function string, thread, correlation, start, end int) string {
	return fmt.Sprintf("\"HIP_RUNTIME_API_EXT\",\"%s\",7,%d,%d,%d,%d\n", function, thread, correlation, start, end)
}

// allocation writes an allocation.
func allocation(operation string, bytes uint64, correlation, start, end int) string {
	return fmt.Sprintf("\"MEMORY_ALLOCATION\",\"MEMORY_ALLOCATION_%s\",\"Agent 4\",%d,\"0x00007f\",%d,%d,%d\n",
		operation, bytes, correlation, start, end)
}

// seen lists the growths that the profiler saw, by lines and bytes, and compares them with the predicted ones.
func seen(a *analyze.Answer) string {
	if a.Seen == nil {
		return "nothing"
	}
	var b strings.Builder
	for _, g := range a.Seen.Growths {
		fmt.Fprintf(&b, "%d:%d %s %d, ", g.File, g.Line, g.Name, g.Bytes)
	}
	c := a.Targets[0].Seen
	fmt.Fprintf(&b, "%d both", c.Both)
	for _, g := range c.NotSeen {
		fmt.Fprintf(&b, ", not seen %d", g.Line)
	}
	for _, g := range c.NotPredicted {
		fmt.Fprintf(&b, ", not predicted %d", g.Line)
	}
	return b.String()
}

// TestProfiler finds actual growths: a hipFree followed by a hipMalloc in the innermost range of a call, on its thread.
func TestProfiler(t *testing.T) {
	grow := hipRow("hipFree", 7, 4, 210, 220) + hipRow("hipMalloc", 7, 5, 230, 240)
	guid := `"0000ddb5-8903-7903-b269-cd8d3745bb8a",`
	start := columns + marker(created, 7, 10, 20)
	one := start + marker(large, 7, 200, 300)
	for _, test := range []struct {
		about string
		texts []string
		want  string
	}{
		{"a growth", []string{one, columns + grow}, "0:3 rocblas_dtrsm 0, 1 both"},
		{"the files in another order", []string{columns + grow, one}, "1:3 rocblas_dtrsm 0, 1 both"},
		{"of ROCm 6.4", []string{strings.ReplaceAll(one, "CORE_RANGE", "CORE"),
			strings.ReplaceAll(columns+grow, "_EXT", "")}, "0:3 rocblas_dtrsm 0, 1 both"},
		{"from a database", []string{strings.ReplaceAll(one, "\"MARKER", guid+"\"MARKER"),
			strings.ReplaceAll(grow, "\"HIP", guid+"\"HIP")}, "0:3 rocblas_dtrsm 0, 1 both"},
		{"with the end of lines of Windows", []string{strings.ReplaceAll(one, "\n", "\r\n"),
			strings.ReplaceAll(grow, "\n", "\r\n")}, "0:3 rocblas_dtrsm 0, 1 both"},
		{"not seen", []string{one, hipRow("hipMalloc", 7, 1, 12, 14)}, "0 both, not seen 3"},
		{"stream-ordered", []string{one, hipRow("hipMallocAsync", 7, 1, 210, 214) +
			hipRow("hipFreeAsync", 7, 2, 215, 216)},
			"0 both, not seen 3"},
		{"not predicted", []string{start + marker(small, 7, 200, 300), grow},
			"0:3 rocblas_dtrsm 0, 0 both, not predicted 3"},
		{"twice, by two handles", []string{one + marker(large, 8, 205, 305), grow + hipRow("hipFree", 8, 6, 211, 221) +
			hipRow("hipMalloc", 8, 7, 231, 241)},
			"0:3 rocblas_dtrsm 0, 0:4 rocblas_dtrsm 0, 1 both, not predicted 4"},
		{"on another thread", []string{one, strings.ReplaceAll(grow, "7,7,", "7,8,")}, "0 both, not seen 3"},
		{"of another process", []string{one, strings.ReplaceAll(grow, "7,7,", "8,7,")}, "0 both, not seen 3"},
		{"before the range", []string{start + marker(large, 7, 221, 300), grow}, "0 both, not seen 3"},
		{"after the range", []string{start + marker(large, 7, 200, 205), grow}, "0 both, not seen 3"},
		{"only an allocation", []string{one, hipRow("hipMalloc", 7, 4, 210, 220)}, "0 both, not seen 3"},
		{"allocated first", []string{one, hipRow("hipMalloc", 7, 4, 210, 220) + hipRow("hipFree", 7, 5, 230, 240)},
			"0 both, not seen 3"},
		{"within a range of the application", []string{start + "\"MARKER_CORE_RANGE_API\",\"step\",7,7,1,100,900\n" +
			marker(large, 7, 200, 300), grow}, "0:4 rocblas_dtrsm 0, 1 both"},
		{"after an inner range", []string{start + marker(small, 7, 201, 202) + marker(large, 7, 200, 300), grow},
			"0:4 rocblas_dtrsm 0, 1 both"},
		{"in the inner range", []string{start + marker(small, 7, 205, 250) + marker(large, 7, 200, 300), grow},
			"0:3 rocblas_dtrsm 0, 0 both, not seen 4, not predicted 3"},
		{"with its size", []string{one, grow, allocationColumns + allocation("FREE", 0, 4, 211, 212) +
			allocation("ALLOCATE", 327700480, 5, 231, 239)}, "0:3 rocblas_dtrsm 327700480, 1 both"},
		{"with another size", []string{one, grow, allocation("ALLOCATE", 327700481, 5, 231, 239)},
			"0:3 rocblas_dtrsm 327700481, 0 both, not seen 3, not predicted 3"},
		{"with an allocation of another number", []string{one, grow, allocation("ALLOCATE", 327698432, 9, 231, 239)},
			"0:3 rocblas_dtrsm 327698432, 1 both"},
		{"with two allocations", []string{one, grow, allocation("ALLOCATE", 64, 9, 231, 239) +
			allocation("ALLOCATE", 327698432, 5, 232, 239)}, "0:3 rocblas_dtrsm 327698432, 1 both"},
		{"with two that may be it", []string{one, grow, allocation("ALLOCATE", 64, 9, 231, 239) +
			allocation("ALLOCATE", 64, 8, 232, 239)}, "0:3 rocblas_dtrsm 0, 1 both"},
		{"with allocations outside", []string{one, grow, allocation("ALLOCATE", 64, 5, 229, 239) +
			allocation("ALLOCATE", 64, 5, 231, 241)}, "0:3 rocblas_dtrsm 0, 1 both"},
		{"only ranges", []string{one}, "nothing"},
		{"only calls of HIP", []string{created + large, grow}, "nothing"},
		{"with a trace", []string{created + large, one, grow}, "1:3 rocblas_dtrsm 0, 1 both"},
		{"of a call that is not modelled", []string{start + marker("rocblas_new,1,2,atomics_not_allowed", 7, 200, 300),
			grow}, "0:3 rocblas_new 0, 0 both, not predicted 3"},
		{"cut rows", []string{one, "\"HIP_RUNTIME_API\",\"hipFree\",7,7,4,210\n" +
			"\"HIP_RUNTIME_API\",\"hipMalloc\",7,7\n" +
			"\"MEMORY_ALLOCATION\"\n\"HIP_\n"}, "nothing"},
	} {
		a := read(t, "rocm-7.2", test.texts...)
		if have := seen(a); have != test.want ||
			slices.Contains(codes(a), analyze.NotSeen) != strings.Contains(test.want, "not seen") ||
			slices.Contains(codes(a), analyze.NotPredicted) != strings.Contains(test.want, "not predicted") ||
			slices.Contains(codes(a), analyze.OneProfile) != (a.Seen == nil) {
			t.Errorf("%s: %s, want %s; notes %s", test.about, have, test.want, codes(a))
		}
	}
}

// TestNoGrowthsOfStreamOrderedHandles predicts no growths for the release whose managed handles never grow.
func TestNoGrowthsOfStreamOrderedHandles(t *testing.T) {
	m := read(t, "rocm-7.1", created+large+larger).Targets[0].Managed
	if m.Count() != 0 || m.Most != 0 || m.Final != m.Initial || !m.Exact {
		t.Errorf("%+v", m)
	}
}

// TestRecordedRanges converts the ranges and the calls of HIP of recorded runs into files of rocprofv3. The growths in
// them must match the runs, and every predicted growth must be seen.
func TestRecordedRanges(t *testing.T) {
	for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
		text := string(unzip(t, "testdata/"+profile+"/memory.ranges.gz"))
		markers, calls, sizes := columns, columns, allocationColumns
		time, begin, line := 0, 0, ""
		for l := range strings.Lines(text) {
			time += 10
			switch words := strings.Fields(l); {
			case strings.HasPrefix(l, "roctx: push"):
				begin, line = time, words[len(words)-1]
			case strings.HasPrefix(l, "roctx: pop"):
				markers += marker(line, 7, begin, time)
			case words[1] == "hipMalloc":
				var size uint64
				fmt.Sscan(words[2], &size)
				calls += hipRow(words[1], 7, time, time, time+5)
				sizes += allocation("ALLOCATE", size, time, time+1, time+4)
			case strings.HasPrefix(words[1], "hip"):
				calls += hipRow(words[1], 7, time, time, time+5)
			}
		}
		var made []made
		if err := json.Unmarshal(unzip(t, "testdata/"+profile+"/memory.roctx.calls.json.gz"), &made); err != nil {
			t.Fatal(err)
		}
		a := read(t, profile, calls, markers, sizes)
		var have []uint64
		for _, g := range a.Seen.Growths {
			have = append(have, g.Bytes)
		}
		c := a.Targets[0].Seen
		if want := recordedGrowths(made); !slices.Equal(have, want) || len(want) != 2 || c.Both != 2 ||
			len(c.NotSeen)+len(c.NotPredicted) > 0 {
			t.Errorf("%s: saw growths to %d, want %d: %+v", profile, have, want, c)
		}
	}
}

// profilerRun makes the files of a profiler for random calls on several threads, each with a handle. It returns the
// number of growths.
func profilerRun(random *rand.Rand) (markers, calls, sizes []string, growths []string) {
	list := []string{small, large, larger, strings.ReplaceAll(large, "6000", "7000")}
	needs := map[string]uint64{small: 8388608, large: 294144000, larger: 520192000, list[3]: 399169024}
	for thread := range 1 + random.IntN(4) {
		time := random.IntN(1000)
		memory := workspace.Growing{Default: 32 << 20, Held: 32 << 20}
		tick := func() int { time += 1 + random.IntN(50); return time }
		for range 1 + random.IntN(20) {
			line := list[random.IntN(len(list))]
			begin := tick()
			if random.IntN(3) == 0 {
				calls = append(calls, hipRow("hipLaunchKernel", thread, time, tick(), tick()))
			}
			if memory.Call(needs[line]) {
				calls = append(calls, hipRow("hipFree", thread, time, tick(), tick()))
				start := tick()
				// Two threads may allocate at the same time: then only the number identifies the thread.
				number := 1000*start + thread
				sizes = append(sizes, allocation("ALLOCATE", memory.Held, number, tick(), tick()))
				calls = append(calls, hipRow("hipMalloc", thread, number, start, tick()))
				growths = append(growths, fmt.Sprint(strings.Split(line, ",")[5], " ", memory.Held, " ", thread))
			}
			markers = append(markers, marker(line, thread, begin, tick()))
			if random.IntN(3) == 0 { // the application frees and allocates memory outside of calls
				calls = append(calls, hipRow("hipFree", thread, time, tick(), tick()), hipRow("hipMalloc", thread, time,
					tick(), tick()))
			}
		}
	}
	return markers, calls, sizes, growths
}

// TestProfilerRuns finds the growths of random runs on several threads, with rows in any order and in several files.
func TestProfilerRuns(t *testing.T) {
	randomtest.Each(t, *mixtures/10, 1, func(t *testing.T, random *rand.Rand, _ int) {
		markers, calls, sizes, want := profilerRun(random)
		texts := []string{columns, columns, allocationColumns}
		for i, rows := range [][]string{markers, calls, sizes} {
			random.Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
			texts[i] += strings.Join(rows, "")
		}
		random.Shuffle(len(texts), func(i, k int) { texts[i], texts[k] = texts[k], texts[i] })
		a := read(t, "rocm-7.2", texts...)
		var have []string
		if a.Seen == nil && len(calls) == 0 {
			return
		}
		for _, g := range a.Seen.Growths {
			have = append(have, fmt.Sprint(g.Call.Args().Int(routine.M), " ", g.Bytes, " ", g.Thread))
		}
		slices.SortFunc(have, cmp.Compare)
		slices.SortFunc(want, cmp.Compare)
		if !slices.Equal(have, want) {
			t.Fatalf("saw %s, want %s in\n%s", have, want, strings.Join(texts, "\n"))
		}
	})
}
