package amd

import (
	"strings"
	"testing"
)

// TestReadLog keeps all calls, and of equal pairs in a row a bounded number.
func TestReadLog(t *testing.T) {
	const pair = "hipMemcpyAsync 4 0 0\nhipStreamSynchronize 0 0 0\n"
	for _, c := range []struct {
		log  string
		want int
	}{
		{"hipMalloc 64 0 0\nhipMalloc x\nhipFree 0 0 1\n", 2},
		{strings.Repeat(pair, 3) + "hipFree 0 0 0\n", 7},
		{"hipMalloc 8 0 0\n" + strings.Repeat(pair, 3*iterationsKept) + "hipFree 0 0 0\n", 2*iterationsKept + 4},
		{strings.Repeat("hipStreamSynchronize 0 0 0\n", 5*iterationsKept), 2*iterationsKept + 2},
	} {
		list := readLog(c.log)
		if n := len(list); n != c.want {
			t.Errorf("%.40q: %d calls, want %d", c.log, n, c.want)
		}
		if last := list[len(list)-1].Name; !strings.Contains(c.log[max(0, len(c.log)-30):], last) {
			t.Errorf("%.40q: the last call is %s", c.log, last)
		}
	}
}
