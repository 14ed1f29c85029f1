package gate_test

import (
	"strings"
	"testing"

	"roclua/host/gate"
)

// TestParse reads limits, and refuses others.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		above string
		on    []string
		want  gate.Limits
		err   string
	}{
		{"32MiB", nil, gate.Limits{Needs: true, Bytes: 32 << 20}, ""},
		{"0", []string{"growth"}, gate.Limits{Needs: true, Growth: true}, ""},
		{"12.5%", []string{" status"}, gate.Limits{Needs: true, Percent: 12.5, Status: true}, ""},
		{"", []string{"growth", "status"}, gate.Limits{Growth: true, Status: true}, ""},
		{"-1", nil, gate.Limits{}, "--fail-above -1: write a number of bytes or a percentage, such as 32MiB or 10%"},
		{"NaN%", nil, gate.Limits{}, "--fail-above NaN%"},
		{"", []string{"grwth"}, gate.Limits{}, `--fail-on grwth: want growth, status, did you mean "growth"?`},
	} {
		have, err := gate.Parse(test.above, test.on)
		if test.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), test.err) {
				t.Errorf("%q %q: %v", test.above, test.on, err)
			}
		} else if err != nil || *have != test.want {
			t.Errorf("%q %q: %+v, %v", test.above, test.on, have, err)
		}
	}
}
