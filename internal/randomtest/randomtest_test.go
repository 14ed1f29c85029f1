package randomtest

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestEach runs, in another process, a test that fails if a case has a 9: it must end with the shortest such case.
func TestEach(t *testing.T) {
	if os.Getenv("TEST_SEED") == "42" {
		Each(t, 100, 30, func(t *testing.T, r *rand.Rand, length int) {
			for n := range length {
				if r.IntN(200) == 9 {
					t.Fatalf("the 9 is number %d", n+1)
				}
			}
		})
		return
	}
	for range 2 {
		c := exec.Command(os.Args[0], "-test.run", "^TestEach$")
		c.Env = append(os.Environ(), "TEST_SEED=42")
		out, err := c.CombinedOutput()
		if err == nil {
			t.Fatal("a test with a 9 passes")
		}
		for _, want := range []string{"the 9 is number 21\n", "the shortest that fails: case 11, length 21\n",
			"TEST_SEED=42 repeats this\n"} {
			if !strings.Contains(string(out), want) {
				t.Errorf("have\n%swant %q", out, want)
			}
		}
	}
}
