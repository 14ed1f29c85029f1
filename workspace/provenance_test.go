package workspace

import "testing"

// TestBuilds checks that every modelled release names the build that it reproduces, and that no other profile does.
func TestBuilds(t *testing.T) {
	for _, p := range Profiles() {
		if b, ok := p.Build(); !ok || b.Distribution == "" {
			t.Errorf("%s does not say which build it reproduces", p.Name)
		}
	}
	for _, name := range []string{"cuda", "rocblas-5.3"} {
		p, err := FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := p.Build(); ok {
			t.Errorf("%s reproduces %s", name, b)
		}
	}
}
