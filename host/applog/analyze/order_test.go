package analyze_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
)

// order lists the calls in their order, "dtrsm 6000*2".
func order(t *testing.T, texts ...string) (list []string) {
	t.Helper()
	l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-7.2")}, Order: true})
	for _, text := range texts {
		if err := l.Read(context.Background(), "app.log", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	steps, missing := l.Order()
	for _, s := range steps {
		if s.Call == nil {
			list = append(list, "a new handle")
			continue
		}
		list = append(list, fmt.Sprint(s.Call.Routine.Name, " ", s.Call.Needs[0].Bytes, "*", s.Times))
	}
	if missing != 0 {
		t.Errorf("%d calls are missing", missing)
	}
	return list
}

// TestOrder lists each call once even if several kinds of lines describe it, in the order of the best kind.
func TestOrder(t *testing.T) {
	a, b, lu := "dtrsm 294144000*", "dtrsm 8388608*", "dgetrf 250880*"
	tree := "------- ENTER rocsolver_dgetrf trace tree -------\nrocsolver_getrf_template (m: 200, n: 200, lda: 200)\n" +
		"------- EXIT rocsolver_dgetrf trace tree -------\n"
	if need := read(t, "rocm-7.2", solverCall).Targets[0].Bytes; need > 0 {
		lu = fmt.Sprintf("dgetrf %d*", need)
	}
	for _, test := range []struct {
		about string
		texts []string
		want  []string
	}{
		{"a trace", []string{created + large + large + small + large}, []string{a + "2", b + "1", a + "1"}},
		{"a trace with commands", []string{created + large + command + large + command}, []string{a + "2"}},
		{"commands before their traces", []string{created + command + large + small}, []string{a + "1", b + "1"}},
		{"only commands", []string{command + command}, []string{a + "2"}},
		{"a trace and a profile", []string{created + large + profileLine + small}, []string{a + "1", b + "1"}},
		{"only a profile", []string{profileLine + profileLine}, []string{a + "2"}},
		{"ranges and a trace", []string{marker(large, 7, 1, 2) + marker(small, 7, 3, 4), created + small + large},
			[]string{b + "1", a + "1"}},
		{"a handle after another", []string{created + large + destroyed + created + large + small},
			[]string{a + "1", "a new handle", a + "1", b + "1"}},
		{"two handles at once", []string{created + large + created + destroyed + large}, []string{a + "2"}},
		{"both libraries", []string{created + large + solverCall + large}, []string{a + "1", lu + "1", a + "1"}},
		{"a tree and commands", []string{tree + solverCall + tree + solverCall}, []string{lu + "2"}},
	} {
		if have := order(t, test.texts...); !slices.Equal(have, test.want) {
			t.Errorf("%s: %s, want %s", test.about, have, test.want)
		}
	}
}

// TestFormats recognizes files that are not logs by their first lines, and advises another command.
func TestFormats(t *testing.T) {
	const docs = "(roclua docs logging)"
	const record = "record the calls with rocprofv3 --marker-trace " + docs
	for start, want := range map[string]string{
		"\x1f\x8b\x08":     "compressed; write gzip -dc a | roclua log -",
		"\x28\xb5\x2f\xfd": "compressed; write zstd -dc a | roclua log -",
		"\xfd7zXZ\x00":     "compressed; write xz -dc a | roclua log -",
		"BZh9":             "compressed; write bzip2 -dc a | roclua log -",
		"SQLite format 3\x00x": "a database, which rocprofv3 writes without --output-format csv; " +
			"convert it with rocpd convert -i a --output-format csv " + docs,
		`{"rocprofiler-sdk-tool":[{`: "JSON of rocprofv3, which is not read; " +
			"write CSV files with --output-format csv " + docs,
		`{"traceEvents":[{`:                 "a trace for a browser, which is not read; " + record,
		"\ufeff" + `"Index","KernelName",1`: "a list of kernels of rocprof, which is not read; " + record,
		"Index,KernelName,gpu-id":           "a list of kernels of rocprof, which is not read; " + record,
		"Dispatch_ID,GPU_ID,Queue_ID":       "a list of kernels of rocprofv2, which is not read; " + record,
		"Domain,Function,Start":             "a profile without rocBLAS calls; " + record,
		`"Kind","Operation","Agent_Id","Allocation_Size"`: "a list of allocations of rocprofv3, which is not read; " +
			"roclua record shows the growths of a program (roclua docs recording)",
		`"Name","Calls","TotalDurationNs","AverageNs"`: "a statistic, which has no single calls; " + record,
		`"Kind","Agent_Id","Queue_Id"`: "a list of kernels or copies of rocprofv3, which is not read; " +
			"name its files of markers " + docs,
		"rocblas": "", "": "", "Index": "", "x\nBZh": "",
	} {
		have := ""
		if f := read(t, "rocm-7.2", start+"\nBZh\n").Files[0].Format; f != nil {
			have = f.Is + "; " + f.Advice("a", "log")
			if f.Binary != strings.HasPrefix(start, "SQLite") {
				t.Errorf("%q: binary is %t", start, f.Binary)
			}
		}
		if have != want {
			t.Errorf("%q: %q, want %q", start, have, want)
		}
	}
}

// marker is a row of the file of markers of rocprofv3, with a line of a trace.
func marker(line string, thread, start, end int) string {
	return fmt.Sprintf("\"MARKER_CORE_API\",\"%s\",7,%d,1,%d,%d\n", strings.TrimSuffix(line, "\n"), thread, start, end)
}
