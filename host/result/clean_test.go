package result

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/host/escape"
)

// TestCleanCase checks that Clean replaces what escape.Clean does, which finds all texts of a case by reflection.
func TestCleanCase(t *testing.T) {
	dirty := func() *Case {
		c := &Case{Tags: []string{"tag", "\x1b"}, Params: map[string]any{"\x00": "\xff", "n": 1.0}}
		v := reflect.ValueOf(c).Elem()
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String {
				v.Field(i).SetString(fmt.Sprintf("%d\x1b", i))
			}
		}
		return c
	}
	have, want := dirty(), dirty()
	have.Clean()
	escape.Clean(want)
	if diff := cmp.Diff(want, have); diff != "" || have.ID != `0\x1b` {
		t.Errorf("(-want +have):\n%s%s", diff, have.ID)
	}
}
