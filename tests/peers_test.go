package tests

import (
	"bytes"
	"encoding/json"
	"testing"

	"roclua/host"
)

// TestPeers runs examples of the documentation of k6 and sysbench as workloads, with shorter durations.
func TestPeers(t *testing.T) {
	var stdout, stderr bytes.Buffer
	args := []string{"run", "--out", "json", "--quiet", "testdata/peers"}
	if code := host.Main(args, testEnv(&stdout, &stderr)); code != 0 {
		t.Fatalf("exit %d: %s%s", code, stderr.String(), stdout.String())
	}
	var report struct {
		Cases []struct {
			ID, Scenario string
			Load         struct {
				Clients, Events, Arrivals int
				Stopped                   string
			}
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Cases {
		l := c.Load
		switch c.Scenario {
		case "k6_ramping_clients":
			if l.Clients != 10 || l.Stopped != "duration" || l.Events == 0 {
				t.Errorf("%s: %+v", c.ID, l)
			}
		case "k6_constant_arrival_rate": // 200 a second for 0.6 seconds, at equal distances
			if l.Clients != 50 || l.Arrivals != 119 || l.Events != l.Arrivals {
				t.Errorf("%s: %+v", c.ID, l)
			}
		case "sysbench_threads":
			if l.Clients != 4 || l.Events != 200 || l.Stopped != "count" {
				t.Errorf("%s: %+v", c.ID, l)
			}
		default:
			t.Errorf("%s is not expected", c.ID)
		}
	}
	if len(report.Cases) != 3 {
		t.Errorf("%d cases", len(report.Cases))
	}
}
