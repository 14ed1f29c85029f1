package sequence_test

import (
	"testing"

	"roclua/workspace/sequence"
)

// TestAsPrinted checks that results of the model are compared in the precision of a script's output.
func TestAsPrinted(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "true": "true", "0": "0", "4732160": "4732160", "9007199254740992": "9007199254740992",
		"9007199254740993": "9007199254740992", "18446744068769587776": "18446744068769587200",
	} {
		have := sequence.Result{Status: "success", Value: text, Held: text}.AsPrinted()
		if have.Value != want || have.Held != want || have.Status != "success" {
			t.Errorf("%s is printed as %+v, want %s", text, have, want)
		}
	}
}
