package api_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"roclua/hip/function"
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

// TestDeclarationsMatchC compares the declarations of C functions with their parameters in C: a declaration has those
// that are not results, and may leave out one that scripts cannot choose.
func TestDeclarationsMatchC(t *testing.T) {
	leftOut := []string{"buf", "len", "pool", "ms", "error_node", "log", "nodes", "value", "fn", "buffer_size"}
	for _, f := range api.Functions() {
		c, ok := function.Lookup(f.C)
		if !ok {
			if f.C != "" && f.Name != "sizeof_datatype" {
				t.Errorf("%s calls %s, which is not in the table of functions", f.Title(), f.C)
			}
			continue
		}
		i := 0
		for _, p := range c.Params {
			if i < len(f.Params) && sameKind(p, &f.Params[i]) {
				i++
			} else if !p.Kind.IsResult() && !returned(f, p.Name) && !slices.Contains(leftOut, p.Name) {
				t.Errorf("%s: the parameter %s of %s is missing or of another kind", f.Title(), p.Name, f.C)
			}
		}
		if i < len(f.Params) && !f.Params[i].Optional {
			t.Errorf("%s: %s does not have the parameter %s", f.Title(), f.C, f.Params[i].Name)
		}
	}
}

// returned reports whether a function returns what it has no parameter for.
func returned(f *api.Function, name string) bool {
	return slices.ContainsFunc(f.Results, func(r api.Result) bool { return r.Name == name })
}

// sameKind reports whether a script's argument can be a C argument.
func sameKind(c function.Param, p *api.Param) bool {
	lua := p.Kind
	switch c.Kind {
	case function.Handle:
		return lua == api.Handle
	case function.Stream:
		return lua == api.Stream
	case function.Event:
		return lua == api.Event
	case function.Graph:
		return lua == api.Graph || lua == api.GraphExec
	case function.Size:
		return lua == api.Bytes
	case function.Int32, function.Int64, function.Uint32:
		return lua == api.Integer || lua == api.Enum || lua == api.Status
	case function.Double:
		return lua == api.Number
	case function.IntOut: // which a call can also read
		return lua == api.Integer && p.Name == c.Name
	case function.Pointer, function.Address, function.Value:
		return slices.Contains([]api.Kind{api.Pointer, api.Memory, api.Array, api.Numbers, api.Rfinfo, api.Jacobi,
			api.Params, api.Func, api.Callable, api.Any}, lua) || lua == api.Bytes && p.Name == c.Name
	}
	return false
}
