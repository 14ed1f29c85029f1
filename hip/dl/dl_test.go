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
