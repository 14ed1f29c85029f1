package footprint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/footprint"
)

// TestRefusalsNameTheCall checks where an error says which call it is about.
func TestRefusalsNameTheCall(t *testing.T) {
	on := target(t, "rocm-7.2", "gfx90a")
	_, err := sequence(t, "dgetrf m=8 n=8", "dgetrf m=8 n=8 lda=3").On(on, nil)
	want := "call 2, dgetrf m=8 n=8 lda=3: invalid_size: lda is 3, must be at least m = 8"
	if err == nil || err.Error() != want {
		t.Errorf("in a sequence: %v, want %s", err, want)
	}
	r, _ := routine.Lookup("rocsolver_dgetrf")
	a := r.New()
	a.SetInt(routine.M, 8)
	a.SetInt(routine.N, 8)
	a.SetInt(routine.LDA, 3)
	_, err = footprint.NeedOf(on, a)
	if want := "invalid_size: lda is 3, must be at least m = 8"; err == nil || err.Error() != want {
		t.Errorf("alone: %v, want %s", err, want)
	}
	a.SetInt(routine.LDA, 8)
	if need, err := footprint.NeedOf(on, a); err != nil || len(need.Buffers) != 9 {
		t.Errorf("alone: %v, %v", need, err)
	}
	_, err = footprint.NewSequence(parse(t, "dgetrf m=1 n=1", "dgetrf n=1"), nil)
	if want := "call 2, dgetrf n=1: parameter m is missing"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("a missing parameter: %v, want %s", err, want)
	}
	if have := on.String(); have != "rocm-7.2/gfx90a" {
		t.Errorf("target %s", have)
	}
}

// TestFirstCallDecides checks that the first of two calls with the same need decides.
func TestFirstCallDecides(t *testing.T) {
	s := sequence(t, "dgetrs n=8 nrhs=1", "dgetrf m=500 n=500", "dgetrf m=500 n=500")
	on := target(t, "rocm-7.2", "gfx90a")
	f, err := s.On(on, nil)
	if err != nil || f.Decides != 1 {
		t.Errorf("call %d decides (%v)", f.Decides, err)
	}
	if _, decides, err := s.Bytes(on, nil); err != nil || decides != 1 {
		t.Errorf("call %d decides (%v)", decides, err)
	}
}

// TestEqualDegradedSet checks that a smaller set of buffers that is not smaller is not offered.
func TestEqualDegradedSet(t *testing.T) {
	f, err := sequence(t, "dtrsm side=L uplo=U m=1000 n=1000").On(target(t, "rocm-7.2", "gfx90a"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := f.Calls[0]; n.CanDegrade || n.Degraded != n.Bytes || n.Bytes == 0 {
		t.Errorf("%+v", n)
	}
}

// TestAxisOfAParameterThatIsNotGiven checks that the first axis gives a parameter its value.
func TestAxisOfAParameterThatIsNotGiven(t *testing.T) {
	calls := parse(t, "dgetrf n=600")
	m, err := footprint.NewAxis("m", []string{"64", "600"}, calls)
	if err != nil {
		t.Fatal(err)
	}
	s, err := footprint.NewSequence(calls, []footprint.Axis{m})
	if err != nil {
		t.Fatal(err)
	}
	var have []uint64
	for i := range s.Points() {
		bytes, _, err := s.Bytes(target(t, "rocm-7.2", "gfx90a"), s.Point(i, nil))
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, bytes)
	}
	one, _ := size(t, "dgetrf m=64 n=600")
	two, _ := size(t, "dgetrf m=600 n=600")
	if want := []uint64{one, two}; !slices.Equal(have, want) {
		t.Errorf("%d bytes, want %d", have, want)
	}
}

// TestAxisThatAnArgumentFollows checks that an axis of a new name gets the bounds of the parameter that has its value.
func TestAxisThatAnArgumentFollows(t *testing.T) {
	calls := parse(t, "rocblas_dtrtri uplo=U n=64", "dgetrf m=600 n=order")
	order, err := footprint.NewAxis("order", []string{"64", "600"}, calls)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := footprint.NewAxis("order", []string{"U"}, calls); err == nil {
		t.Error("an axis of integers takes a word")
	}
	s, err := footprint.NewSequence(calls, []footprint.Axis{order})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"64", "600"} {
		bytes, _, err := s.Bytes(target(t, "rocm-7.2", "gfx90a"), s.Point(i, nil))
		alone, _ := size(t, "dgetrf m=600 n="+want) // more than dtrtri needs
		if err != nil || bytes != alone {
			t.Errorf("order %s: %d bytes, %v, want %d", want, bytes, err, alone)
		}
	}
}

// TestArrayAddresses checks that arrays of any slot are not null and far apart.
func TestArrayAddresses(t *testing.T) {
	seen := map[uint64]bool{0: true}
	for s := range routine.SlotCount {
		p := routine.ArrayAddress(routine.Slot(s))
		if seen[p] || p%(1<<40) != 0 {
			t.Errorf("slot %d is at %#x", s, p)
		}
		seen[p] = true
	}
}

// TestFollowing checks parameters that have the value of another one, given or by default.
func TestFollowing(t *testing.T) {
	want, err := size(t, "dgetrf m=500 n=500")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"dgetrf m=500 n=m", "dgetrf m=500 n=lda"} {
		if have, err := size(t, text); err != nil || have != want {
			t.Errorf("%s: %d, %v, want %d", text, have, err, want)
		}
	}
	for _, text := range []string{"dgetrf m=m n=1", "dgetrf m=n n=m"} {
		if _, err := size(t, text); err == nil || !strings.Contains(err.Error(), "has no value, because") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestNamesOfArguments checks which characters begin a name.
func TestNamesOfArguments(t *testing.T) {
	for _, name := range []string{"a", "z", "A", "Z", "_"} {
		want := fmt.Sprintf("%q is not a number, a parameter or an axis", name)
		if _, err := size(t, "dgetrf n=1 m="+name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for _, text := range []string{"[", "`", "{", "^"} {
		want := fmt.Sprintf("%q is not an integer", text)
		if _, err := size(t, "dgetrf n=1 m="+text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestSmallerProblems checks how far the search for smaller problems that need more reaches, and that a smaller problem
// that needs the same is not reported.
func TestSmallerProblems(t *testing.T) {
	for _, test := range []struct{ call, want string }{
		{"dgemv trans=T m=2048 n=2", "a smaller problem needs more: n = 1 needs 64 bytes"},
		{"dgemv trans=T m=2048 n=2 incx=lda", "a smaller problem needs more: n = 1 needs 64 bytes"},
		{"rocblas_dtrtri uplo=U n=66559", "a smaller problem needs more: n = 65535 needs 6442057728 bytes"},
		{"rocblas_dtrtri uplo=U n=66560", ""},
		{"ddot n=1000", ""},
	} {
		f, err := sequence(t, test.call).On(target(t, "rocm-7.2", "gfx90a"), nil)
		if err != nil {
			t.Fatal(err)
		}
		have := strings.Join(f.Warnings, "\n")
		if !strings.Contains(have, test.want) || test.want == "" && strings.Contains(have, "smaller problem") {
			t.Errorf("%s: %q, want %q", test.call, have, test.want)
		}
	}
}
