package arch

import (
	"slices"
	"testing"

	"roclua/hip/release"
)

// TestTable checks that every row has the columns that have no usual value, and that no fact contradicts another.
func TestTable(t *testing.T) {
	names, chips, defaults := map[string]bool{}, map[string]bool{}, 0
	for _, a := range rows {
		if !Valid(a.Name) || names[a.Name] {
			t.Errorf("%q is not a name, or an earlier row has it", a.Name)
		}
		names[a.Name] = true
		if a.Wavefront != 32 && a.Wavefront != 64 {
			t.Errorf("%s: a wavefront has %d threads", a, a.Wavefront)
		}
		for _, r := range []string{a.Since, a.Until} {
			if _, ok := release.Find(r); r != "" && !ok {
				t.Errorf("%s: there is no release %s", a, r)
			}
		}
		for _, r := range release.All() {
			if !r.ScansUnknown && a.ScanOf(r).Elements == 0 {
				t.Errorf("%s: how many integers a block of rocPRIM sums is missing for %s", a, r)
			}
		}
		for r, scan := range a.ScanFor {
			if known, ok := release.Find(r); !ok || known.ScansUnknown || scan == a.Scan {
				t.Errorf("%s: ScanFor of %s is of no use", a, r)
			}
		}
		if c := a.TriangleCopy; (c.Real == 0) != (c.C == 0) || (c.Real == 0) != (c.Z == 0) {
			t.Errorf("%s: triangles are copied for some types only: %+v", a, c)
		}
		if c := a.Chip; c != (Chip{}) && (c.Name == "" || c.Multiprocessors == 0 || c.ClockKHz == 0 || chips[c.Name]) {
			t.Errorf("%s: the chip %+v is not complete, or an earlier row has it", a, c)
		}
		chips[a.Chip.Name] = true
		if a.Default {
			defaults++
		}
	}
	if defaults != 1 || Default().Chip.Name == "" {
		t.Errorf("%d rows are the default, want 1, which has a chip", defaults)
	}
}

// TestFacts checks the facts that depend on a release.
func TestFacts(t *testing.T) {
	for _, test := range []struct {
		name, release string
		bytes         uint64
		xf32          bool
		scan          Scan
	}{
		{"gfx90a", "rocm-7.2", 32 << 20, false, Scan{Elements: 1280}},
		{"gfx940", "rocm-6.4", 128 << 20, true, usualScan},
		{"gfx941", "rocm-7.1", 32 << 20, false, usualScan},
		{"gfx940", "rocm-7.2", 32 << 20, false, usualScan},
		{"gfx942:sramecc+:xnack-", "rocm-6.4", 128 << 20, true, Scan{Elements: 5376}},
		{"gfx942", "rocm-7.2", 128 << 20, true, Scan{Elements: 5376, Counter: true}},
		{"gfx950", "rocm-6.4", 32 << 20, false, usualScan},
		{"gfx950", "rocm-7.1", 128 << 20, false, Scan{Elements: 4096, Counter: true}},
		{"gfx9-4-generic", "rocm-7.2", 32 << 20, false, usualScan},
		{"gfx9999", "rocm-7.2", 32 << 20, false, usualScan},
	} {
		a := Of(test.name)
		r, _ := release.Find(test.release)
		if a.DefaultBytes(r) != test.bytes || a.HasXF32(r) != test.xf32 || a.ScanOf(r) != test.scan {
			t.Errorf("%s on %s: %d bytes, xf32 %v, %+v", test.name, r, a.DefaultBytes(r), a.HasXF32(r), a.ScanOf(r))
		}
	}
}

func TestLookup(t *testing.T) {
	for _, a := range rows {
		if found, ok := Find(a.Name + ":xnack-"); !ok || found != a || Of(a.Name) != a {
			t.Errorf("Find(%s:xnack-) = %v, %v", a.Name, found, ok)
		}
	}
	for name, wavefront := range map[string]int{"gfx909": 64, "gfx1037:xnack+": 32, "gfx9999": 64, "sm_90": 64} {
		if a, ok := Find(name); ok {
			t.Errorf("Find(%s) = %s", name, a)
		}
		if a := Of(name); a.Wavefront != wavefront || a.Model().ClockKHz != Default().Chip.ClockKHz {
			t.Errorf("Of(%s) = %+v", name, a)
		}
	}
	if c := Of("gfx1103").Model(); c.Name != "AMD gfx1103" {
		t.Errorf("gfx1103 is %+v", c)
	}
	if large := LargeNames(release.Default()); !slices.Equal(large, []string{"gfx942", "gfx950"}) {
		t.Errorf("handles hold 128 MiB on %v", large)
	}
}

func TestValid(t *testing.T) {
	for name, want := range map[string]bool{"gfx90a": true, "gfx942:sramecc+:xnack-": true, "gfx9-4-generic": true,
		"gfx11-generic": true, "gfx1250": true, "gfx9999": true, "": false, "gfx": false, "gfx90": false,
		"GFX90A": false, "gfx90a:": false, "gfx90a:xnack": false, "gfx-generic": false,
		"sm_90": false, "gfx90a:xnack-x": false} {
		if Valid(name) != want {
			t.Errorf("Valid(%q) is not %v", name, want)
		}
	}
}
