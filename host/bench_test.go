package host

import (
	"io"
	"strings"
	"testing"
	"time"
)

// BenchmarkMillionQueries measures roclua size over a million points, written as JSON.
func BenchmarkMillionQueries(b *testing.B) {
	env := Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard,
		Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 1}
	for b.Loop() {
		if code := Main([]string{"size", "dgetrf m=n n=n", "--sweep", "n=1:1000000", "--json"}, env); code != 0 {
			b.Fatalf("exit %d", code)
		}
	}
}
