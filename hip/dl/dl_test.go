package dl

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestOpenNamesWhatItTried(t *testing.T) {
	_, err := Open("libnosuch-one.so", "libnosuch-two.so")
	if err == nil || !strings.Contains(err.Error(), "libnosuch-one.so") ||
		!strings.Contains(err.Error(), "libnosuch-two.so") {
		t.Errorf("got %v", err)
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
	absent := func(name string) attempt {
		return attempt{name, name + ": cannot open shared object file: No such file"}
	}
	broken := attempt{"b.so", "b.so: file too short"}
	for want, tried := range map[string][]attempt{
		"not found: a.so":                               {absent("a.so")},
		"not found: a.so, c.so":                         {absent("a.so"), absent("c.so")},
		"b.so (b.so: file too short)":                   {broken},
		"b.so (b.so: file too short); not found: a.so":  {absent("a.so"), broken},
		"d.so (a.so: cannot open shared object file: )": {{"d.so", "a.so: cannot open shared object file: "}},
	} {
		if have := notFound(tried).Error(); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
}
