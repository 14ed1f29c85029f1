package dl

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestOpenNamesWhatItTried(t *testing.T) {
	_, err := Open("libnosuch-one.so", "libnosuch-two.so")
	var missing *NotFound
	if !errors.As(err, &missing) || len(missing.Tried) != 2 || missing.Tried[1].Path != "libnosuch-two.so" ||
		missing.Tried[1].Reason == "" {
		t.Errorf("got %v", err)
	}
	if err != nil && !strings.Contains(err.Error(), "libnosuch-one.so") {
		t.Errorf("the message names no library: %v", err)
	}
}

func TestBind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the C library has another name here")
	}
	m, err := Open("libnosuch.so", "libm.so.6")
	if err != nil {
		t.Skip(err)
	}
	var sqrt func(float64) float64
	if err := m.Bind(&sqrt, "sqrt"); err != nil || sqrt(2) != math.Sqrt2 {
		t.Errorf("%v", err)
	}
	var nothing func()
	if err := m.Bind(&nothing, "no_such_function"); err == nil || !strings.Contains(err.Error(), "no_such_function") {
		t.Errorf("got %v", err)
	}
}

// TestErrorOfOpen lists names without a file together, and the reasons of others.
func TestErrorOfOpen(t *testing.T) {
	absent := func(name string) Attempt {
		return Attempt{name, name + ": cannot open shared object file: No such file"}
	}
	broken := Attempt{"b.so", "b.so: file too short"}
	for want, tried := range map[string][]Attempt{
		"not found: a.so":                               {absent("a.so")},
		"not found: a.so, c.so":                         {absent("a.so"), absent("c.so")},
		"b.so (b.so: file too short)":                   {broken},
		"b.so (b.so: file too short); not found: a.so":  {absent("a.so"), broken},
		"d.so (a.so: cannot open shared object file: )": {{"d.so", "a.so: cannot open shared object file: "}},
	} {
		if have := (&NotFound{Tried: tried}).Error(); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
}
