package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/tests/randomcall"
)

// compared is what was compared of the products of a type.
type compared struct {
	products, differ int
	bytes, nonzero   int // of queries, and how many are not 0
	kernels, without int // calls with a kernel of the tuning files, and other calls
}

// add counts a product by what the library reports and prints.
func (c *compared) add(lines []string, same bool) {
	c.products++
	if !same {
		c.differ++
	}
	kernel := false
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "query "):
			c.bytes++
			if !strings.HasSuffix(line, " 0") {
				c.nonzero++
			}
		case strings.HasPrefix(line, "Cijk_"):
			kernel = true
		case kernel:
			c.kernels++
			kernel = false
		default:
			c.without++
		}
	}
}

// comparedByType is what was compared by the types of products.
type comparedByType map[string]*compared

func (c comparedByType) add(p *randomcall.Product, lines []string, same bool) {
	of := typesOf(p)
	if c[of] == nil {
		c[of] = &compared{}
	}
	c[of].add(lines, same)
}

// table is a table of Markdown of what was compared.
func (c comparedByType) table(profile, arch string) string {
	var b strings.Builder
	b.WriteString("| release, architecture | types | products | queries | with bytes | names of kernels " +
		"| calls without | differ |\n")
	b.WriteString("|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, of := range slices.Sorted(maps.Keys(c)) {
		t := c[of]
		fmt.Fprintf(&b, "| %s, %s | %s | %d | %d | %d | %d | %d | %d |\n", profile, arch, of, t.products, t.bytes,
			t.nonzero, t.kernels, t.without, t.differ)
	}
	return b.String()
}

// typesOf returns the types of a product: the plain routine that has them, or gemm_ex with the types of the factors, of
// the result and of the sum, each if it differs from the one before.
func typesOf(p *randomcall.Product) string {
	r, ok := routine.Lookup(p.Fn)
	if !ok {
		return p.Fn
	}
	if r.Family.ID != routine.GemmEx {
		plain, _ := routine.Sibling(r, routine.Plain)
		return strings.TrimSuffix(plain.Name, "_64")
	}
	var names []string
	for _, argument := range []string{"a_type", "c_type", "compute_type"} {
		name := strings.TrimPrefix(routine.ConstantName(routine.Datatype, p.Args[argument]), "datatype_")
		if len(names) == 0 || name != names[len(names)-1] {
			names = append(names, name)
		}
	}
	return r.Family.Name + " " + strings.Join(names, " ")
}

// borrowed returns the architecture whose tuning file another one has in its place, see root/install.sh; "" if the file
// is its own.
func borrowed(file string) (from string) {
	target, err := os.Readlink(file)
	if err != nil || filepath.Base(target) == filepath.Base(file) {
		return ""
	}
	name := strings.TrimSuffix(filepath.Base(target), filepath.Ext(target))
	return name[strings.LastIndexByte(name, '_')+1:]
}

func TestBorrowedKernels(t *testing.T) {
	folder := t.TempDir()
	own := filepath.Join(folder, "TensileLibrary_lazy_gfx90a.dat")
	other := filepath.Join(folder, "TensileLibrary_lazy_gfx942.dat")
	if err := os.WriteFile(own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(own), other); err != nil {
		t.Skip(err)
	}
	if from := borrowed(own); from != "" {
		t.Errorf("%s has the kernels of %q", own, from)
	}
	if from := borrowed(other); from != "gfx90a" {
		t.Errorf("%s has the kernels of %q, want gfx90a", other, from)
	}
}

func TestComparedByType(t *testing.T) {
	p := &randomcall.Product{Fn: "rocblas_gemm_ex", Args: map[string]int64{"a_type": routine.DatatypeF16,
		"c_type": routine.DatatypeF16, "compute_type": routine.DatatypeF32}}
	c := comparedByType{}
	c.add(p, []string{"query size_increased 64", "Cijk_A", "1 bytes: success", "0 bytes: success"}, true)
	c.add(p, []string{"query success 0", "Cijk_A", "1 bytes: success", "Cijk_B", "0 bytes: success"}, false)
	want := "| rocm-7.2, gfx90a | gemm_ex f16_r f32_r | 2 | 2 | 1 | 3 | 1 | 1 |\n"
	if have := c.table("rocm-7.2", "gfx90a"); !strings.HasSuffix(have, want) {
		t.Errorf("%s, want %s", have, want)
	}
}
