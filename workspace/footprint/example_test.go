package footprint_test

import (
	"fmt"
	"log"

	"roclua/workspace"
	"roclua/workspace/footprint"
)

// on returns a target on the architecture gfx90a.
func on(profile string) footprint.Target {
	p, err := workspace.FindProfile(profile)
	if err != nil {
		log.Fatal(err)
	}
	return footprint.Target{Profile: p, Arch: "gfx90a"}
}

// calls reads calls from text.
func calls(texts ...string) []*footprint.Call {
	var list []*footprint.Call
	for _, text := range texts {
		c, err := footprint.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// Size a sequence of calls on two releases: factor a matrix and solve with it. Calls run one after the other and share
// the workspace, so the sequence needs as much as its largest call.
func Example() {
	var calls []*footprint.Call
	for _, text := range []string{"dgetrf m=1024 n=1024", "dgetrs n=1024 nrhs=1"} {
		c, err := footprint.Parse(text)
		if err != nil {
			log.Fatal(err)
		}
		calls = append(calls, c)
	}
	s, err := footprint.NewSequence(calls, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, release := range []string{"rocm-6.4", "rocm-7.2"} {
		profile, err := workspace.FindProfile(release)
		if err != nil {
			log.Fatal(err)
		}
		f, err := s.On(footprint.Target{Profile: profile, Arch: "gfx90a"}, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Target)
		for i, need := range f.Calls {
			fmt.Printf("%s: %d bytes in %d buffers\n", calls[i].Text, need.Bytes, len(need.Buffers))
		}
		fmt.Println("the sequence needs", f.Bytes, "bytes, for", calls[f.Decides].Routine.Name)
	}
	// Output:
	// rocm-6.4/gfx90a
	// dgetrf m=1024 n=1024: 4732160 bytes in 9 buffers
	// dgetrs n=1024 nrhs=1: 64 bytes in 4 buffers
	// the sequence needs 4732160 bytes, for dgetrf
	// rocm-7.2/gfx90a
	// dgetrf m=1024 n=1024: 4732160 bytes in 9 buffers
	// dgetrs n=1024 nrhs=1: 1312000 bytes in 4 buffers
	// the sequence needs 4732160 bytes, for dgetrf
}

// Compare two releases over a range of sizes. The name n is an axis: both arguments have its value.
func ExampleNewAxis() {
	c := calls("dgeqrf m=n n=n")
	n, err := footprint.NewAxis("n", []string{"64", "256", "1024"}, c)
	if err != nil {
		log.Fatal(err)
	}
	s, err := footprint.NewSequence(c, []footprint.Axis{n})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("n  rocm-6.4  rocm-7.2")
	for i := range s.Points() {
		point := s.Point(i, nil)
		before, _, err := s.Bytes(on("rocm-6.4"), point)
		if err != nil {
			log.Fatal(err)
		}
		after, _, err := s.Bytes(on("rocm-7.2"), point)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n.Label(point[0]), before, after)
	}
	// Output:
	// n  rocm-6.4  rocm-7.2
	// 64 576 576
	// 256 131648 393280
	// 1024 524864 1572928
}

// A footprint contains warnings, such as a smaller problem that needs more memory.
func ExampleSequence_On() {
	s, err := footprint.NewSequence(calls("dtrsm side=left uplo=upper m=4096 n=128 transA=T"), nil)
	if err != nil {
		log.Fatal(err)
	}
	f, err := s.On(on("rocm-7.2"), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Bytes, "bytes")
	for _, w := range f.Warnings {
		fmt.Println(w)
	}
	// Output:
	// 5242880 bytes
	// call 1, dtrsm: it also runs in 4195328 bytes (4.0 MiB), more slowly (perf_degraded)
	// call 1, dtrsm: a smaller problem needs more: m = 4095 needs 8386560 bytes (8.0 MiB)
}

// Errors say what is wrong and contain the nearest valid name.
func ExampleParse() {
	for _, text := range []string{"dgetrff m=1", "dgetrf mm=1", "dgetrf m=1.5"} {
		_, err := footprint.Parse(text)
		fmt.Println(err)
	}
	// Output:
	// no routine "dgetrff", did you mean "dgetrf"?
	// dgetrf: unknown parameter "mm", did you mean "m"? (has m, n, lda)
	// dgetrf: m: "1.5" is not an integer; a suffix K, M, G or T multiplies by powers of 1024
}
