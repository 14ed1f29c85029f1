package worker

import (
	"fmt"
	"os"
	"regexp"
	"testing"
)

// TestLimitsOfTheProcess checks that a worker writes no core dump, and that Linux ends it before other processes when
// memory runs out.
func TestLimitsOfTheProcess(t *testing.T) {
	pool, run := newPool(t)
	run(job(64))
	folder := fmt.Sprintf("/proc/%d/", pool.idle[0].command.Process.Pid)
	for name, want := range map[string]string{
		"limits":        `(?m)^Max core file size +0 +0 `,
		"oom_score_adj": `^500\n$`,
	} {
		text, err := os.ReadFile(folder + name)
		if err != nil || !regexp.MustCompile(want).Match(text) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}
