package routine

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// signatures reads the parameters, name and C type, of every function that the libraries' headers declare.
func signatures(t *testing.T) map[string][][2]string {
	t.Helper()
	f, err := os.Open("testdata/signatures.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var s map[string][][2]string
	if err := json.NewDecoder(z).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTableMatchesHeaders(t *testing.T) {
	headers := signatures(t)
	for _, r := range All() {
		want, ok := headers[r.CName()]
		if !ok {
			t.Errorf("%s: no header declares it", r.CName())
			continue
		}
		if want[0][1] != "rocblas_handle" {
			t.Errorf("%s: its first parameter is %s, not the handle", r.CName(), want[0][1])
		}
		want = want[1:]
		if len(want) != len(r.Params) {
			t.Errorf("%s: table has %d parameters, header %d", r.CName(), len(r.Params), len(want))
			continue
		}
		for i, p := range r.Params {
			if p.Name != want[i][0] {
				t.Errorf("%s: parameter %d is %s in the table, %s in the header", r.CName(), i+1, p.Name, want[i][0])
			}
			if have, want := normalize(r.CType(&p)), normalize(want[i][1]); have != want {
				t.Errorf("%s: %s is %q in the table, %q in the header", r.CName(), p.Name, have, want)
			}
		}
	}
}

// normalize drops what the headers spell now one way, now another: const, spaces, and the second star of an array of pointers
// declared with brackets.
func normalize(c string) string {
	pointers := strings.Contains(c, "* const")
	c = strings.NewReplacer("const", "", " ", "", "*", "").Replace(c)
	if pointers {
		return c + "[]"
	}
	return c
}

func TestNamesAndSlotsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.CName()] {
			t.Errorf("%s stands twice in the table", r.CName())
		}
		seen[r.CName()] = true
		slots := map[Slot]bool{}
		for _, p := range r.Params {
			if slots[p.Slot] {
				t.Errorf("%s: two parameters share a slot, %s the second", r.CName(), p.Name)
			}
			slots[p.Slot] = true
		}
		if found, ok := Find(r.Library, r.Name); !ok || found != r {
			t.Errorf("Find(%s, %s) does not find it", r.Library, r.Name)
		}
	}
	if len(seen) < 384 {
		t.Errorf("the table has %d routines, fewer than the 384 of the documentation's table", len(seen))
	}
}
