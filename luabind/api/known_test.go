package api_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind/api"
)

// TestEveryFunctionIsKnown checks that each function of the libraries' headers is a routine, a function of a module or
// explained as not modelled, and that no modelled function is explained.
func TestEveryFunctionIsKnown(t *testing.T) {
	f, err := os.Open("../../hip/routine/testdata/signatures.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var headers map[string]json.RawMessage
	if err := json.NewDecoder(z).Decode(&headers); err != nil {
		t.Fatal(err)
	}
	available := map[string]bool{}
	for _, f := range api.Functions() {
		available[f.C] = true
	}
	for name := range headers {
		_, declared := routine.Lookup(name)
		modelled := declared || available[name]
		reason := routine.NotModelled(routine.ScriptName(name))
		switch {
		case modelled && reason != "":
			t.Errorf("%s is modelled, and explained as not modelled: %s", name, reason)
		case !modelled && reason == "":
			t.Errorf("%s is neither modelled nor explained", name)
		}
	}
	if len(headers) < 2000 {
		t.Errorf("%d functions", len(headers))
	}
}
