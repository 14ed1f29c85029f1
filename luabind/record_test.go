package luabind

import (
	"context"
	"errors"
	"testing"
	"time"

	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// TestTimeoutOfTheDevice completes the end of a case whose time the device noticed.
func TestTimeoutOfTheDevice(t *testing.T) {
	for _, test := range []struct {
		err   error
		limit time.Duration
		want  record.LimitUse
	}{
		{context.DeadlineExceeded, time.Second, record.LimitUse{Name: "timeout", Max: 1e9, Used: 1e9}},
		{context.DeadlineExceeded, 0, record.LimitUse{}},
		{TimedOut(2 * time.Second), time.Second, record.LimitUse{Name: "timeout", Max: 2e9, Used: 2e9}},
		{&LimitError{LimitUse: bounds.LimitUse{Name: "heap", Max: 1, Used: 2}}, time.Second,
			record.LimitUse{Name: "heap", Max: 1, Used: 2}},
		{errors.New("other"), time.Second, record.LimitUse{}},
	} {
		var r record.Record
		endRecord(&r, test.err, record.Limits{Timeout: test.limit})
		var have record.LimitUse
		if r.End.Limit != nil {
			have = *r.End.Limit
		}
		if have != test.want {
			t.Errorf("%v with a limit of %s: %+v, want %+v", test.err, test.limit, have, test.want)
		}
	}
}
