package record

import (
	"strings"
	"testing"

	"roclua/workspace"
)

// TestVariablesAreRecorded checks that the recorder writes the variables on which the memory of new handles depends.
func TestVariablesAreRecorded(t *testing.T) {
	text, err := sources.ReadFile("c/recorder.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range workspace.HandleVariables() {
		if !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("the recorder does not write %s", name)
		}
	}
}
