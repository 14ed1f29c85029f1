package size_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"roclua/host/files"
	"roclua/host/output"
	"roclua/host/size"
)

func ExampleQuery_Table() {
	q, err := size.New(size.Request{Calls: []string{"dgetrf m=n n=n"}, Profiles: []string{"rocm-7.2"},
		Archs: []string{"gfx90a"}, Sweeps: []string{"n=512:2048:x2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	format, _ := output.Find("csv")
	format.Write(os.Stdout, q)
	// Output:
	// profile,arch,n,bytes,decided_by,error
	// rocm-7.2,gfx90a,512,2628864,1,
	// rocm-7.2,gfx90a,1024,4732160,1,
	// rocm-7.2,gfx90a,2048,8938752,1,
}

// TestFallingSizes checks the warning for a smaller problem that needs more.
func TestFallingSizes(t *testing.T) {
	q, err := size.New(size.Request{Calls: []string{"rocblas_strtri uplo=upper"}, Profiles: []string{"rocm-7.2"},
		Archs: []string{"gfx90a"}, Sweeps: []string{"n=62:65"}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := output.WriteText(&b, q); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "warning: a smaller problem needs more\n  n = 63 needs 3968 ") {
		t.Errorf("no warning in\n%s", b.String())
	}
}

func TestReadCalls(t *testing.T) {
	calls, err := size.ReadCalls(t.Context(), []string{"dgemm m=1", "-"},
		strings.NewReader("# comment\n\ndgetrf m=2 n=2 # why\n"), files.Options{})
	if err != nil || len(calls) != 2 || strings.TrimSpace(calls[1]) != "dgetrf m=2 n=2" {
		t.Errorf("%q, %v", calls, err)
	}
	calls, err = size.ReadCalls(t.Context(), []string{"-"},
		strings.NewReader("m,n,k,type\n1,2,3,f64\n1,2,3,f64\n"), files.Options{})
	if err != nil || len(calls) != 1 || !strings.HasPrefix(calls[0], "gemm_ex transA=none transB=none m=1 n=2 k=3 ") {
		t.Error(calls, err)
	}
	if _, err := size.ReadCalls(t.Context(), []string{"-"}, strings.NewReader(""), files.Options{}); err == nil {
		t.Error("an empty input is accepted")
	}
}

// TestRefusedRequests checks the messages about profiles, architectures and sweeps that cannot be computed.
func TestRefusedRequests(t *testing.T) {
	for _, test := range []struct{ call, profile, arch, sweep, want string }{
		{"dgetrf m=8 n=8", "cuda", "gfx90a", "", "profile cuda is not modelled: only the libraries on a machine with " +
			"platform nvidia report what calls need"},
		{"dgetrf m=8 n=8", "rocm-7.3", "gfx90a", "", `unknown profile "rocm-7.3"`},
		{"dgetrf m=8 n=8", "rocm-7.2", "mi300", "", `arch "mi300"`},
		{"dgetrf", "rocm-7.2", "gfx90a", "", "call 1, dgetrf: parameter m is missing"},
		{"dgetrg m=8", "rocm-7.2", "gfx90a", "", `no routine "dgetrg"`},
		{"dgetrf m=8", "rocm-7.2", "gfx90a", "n", "--sweep n: want NAME=VALUES, such as n=64:8192:x2"},
		{"dgetrf m=8", "rocm-7.2", "gfx90a", "n=8:3", "--sweep n: "},
		{"dgetrf m=8", "rocm-7.2", "gfx90a", "q=8", "--sweep: no call has a parameter"},
		{"dgetrf m=8", "rocm-7.2", "gfx90a", "n=1 n=2", "--sweep n=2: n is swept twice"},
	} {
		_, err := size.New(size.Request{Calls: []string{test.call}, Profiles: []string{test.profile},
			Archs: []string{test.arch}, Sweeps: strings.Fields(test.sweep)})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	for _, text := range []string{"-1", "x", "1.5"} {
		_, err := size.New(size.Request{Calls: []string{"dgetrf m=8 n=8"}, Profiles: []string{"rocm-7.2"},
			Archs: []string{"gfx90a"}, Unknown: text})
		if err == nil || !strings.HasPrefix(err.Error(), "--unknown") {
			t.Errorf("a bound of %q: %v", text, err)
		}
	}
	// A call can also be rejected during the computation.
	q, err := size.New(size.Request{Calls: []string{"rocblas_dtrtri uplo=upper n=1073741824"},
		Profiles: []string{"rocm-7.2"}, Archs: []string{"gfx90a"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := output.WriteText(io.Discard, q); err == nil || !strings.Contains(err.Error(), "never returns") {
		t.Errorf("a query that does not end: %v", err)
	}
}

// TestSweepsAreBounded checks that a sweep of too many points fails before it starts.
func TestSweepsAreBounded(t *testing.T) {
	for _, test := range []struct {
		sweeps []string
		want   string
	}{
		{[]string{"n=1:50000000"}, `"1:50000000" has 50000000 values, at most 1000000 are possible`},
		{[]string{"n=1:100000", "m=1:100000"}, "n(100000) x m(100000) has more than 1000000000 points"},
		{[]string{"n=1:1000000", "m=1:1000000", "lda=1:1000000"}, "has more than 1000000000 points"},
		{[]string{"n=1:1000000", "m=1:1001"}, "n(1000000) x m(1001) has more than 1000000000 points"},
		{[]string{"n=1:1000000", "m=1:1000"}, "1000000000 points are too many for a table"},
		{[]string{"n=1:100000", "m=1"}, ""},
		{[]string{"n=1:100001", "m=1"},
			"100001 points are too many for a table, which can have 100000; use --csv or --json"},
	} {
		q, err := size.New(size.Request{Calls: []string{"dgetrf m=m n=n"}, Profiles: []string{"rocm-7.2"},
			Archs: []string{"gfx90a"}, Sweeps: test.sweeps})
		if err == nil {
			err = output.WriteText(io.Discard, q)
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.sweeps, err, test.want)
		}
	}
}
