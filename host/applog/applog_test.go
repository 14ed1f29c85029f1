package applog_test

import (
	"strings"
	"testing"

	"roclua/host/applog"
)

// TestDatabase refuses a database, although a string in it looks like a line of a log.
func TestDatabase(t *testing.T) {
	const line = "rocblas_dgemm,N,N,8,8,8,1,0x1,8,0x2,8,0,0x3,8,atomics_not_allowed\n"
	for text, want := range map[string]string{
		line: "",
		"SQLite format 3\x00\n" + line: "standard input is a database, which rocprofv3 writes without " +
			"--output-format csv: convert it with rocpd convert -i FILE --output-format csv (roclua docs logging)",
	} {
		have := ""
		_, err := applog.Read(t.Context(), applog.Request{Files: []string{"-"}, Profiles: []string{"rocm-7.2"},
			Archs: []string{"gfx90a"}, Stdin: strings.NewReader(text)})
		if err != nil {
			have = err.Error()
		}
		if have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}
