package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/tests/randomcall"
	"roclua/workspace"
	"roclua/workspace/tuning"
)

var tuningFiles = flag.String("conformance.tuning", "/usr/lib/*/rocblas/*/library /opt/rocm/lib/rocblas/library",
	"patterns of the folder of the library's tuning files")

// printsKernels is the environment variable that makes the library print the kernel of each product.
const printsKernels = "TENSILE_DB"

// products draws the products of a seed. They are the same in every process.
func products() []*randomcall.Product {
	var routines []*routine.Routine
	_, all := admitted()
	for _, rt := range all {
		if id := rt.Family.ID; id == routine.Gemm || id == routine.GemmEx {
			routines = append(routines, rt)
		}
	}
	if len(routines) == 0 {
		return nil
	}
	r := rand.New(rand.NewPCG(*seed, 32))
	list := make([]*randomcall.Product, *count)
	for i := range list {
		list[i] = randomcall.DrawProduct(r, routines)
	}
	return list
}

// printed begins the lines with results of TestPrintedKernels.
const printed = "product "

// TestPrintedKernels is not a test: it makes the products in its own process, where the library prints kernels.
func TestPrintedKernels(t *testing.T) {
	if os.Getenv(printsKernels) == "" {
		t.Skip(printsKernels + " is not set")
	}
	rt, err := hip.Open("amd", driver.Config{Devices: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	found := hip.Probe("amd", driver.Config{Devices: 1})
	name, _ := workspace.ProfileOfLibrary(found.Version, found.Solver)
	profile, err := workspace.FindProfile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range products() {
		if err := runProduct(rt.Device(), workspace.Config{Profile: profile}, p, func(line string) {
			fmt.Printf("%s%d %s\n", printed, i, line)
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// runProduct makes a product with its own handle.
func runProduct(dev *hip.Device, c workspace.Config, p *randomcall.Product, report func(line string)) error {
	h, err := workspace.Create(dev, c)
	if err != nil {
		return err
	}
	block, err := dev.Malloc(1 << 20)
	if err != nil {
		return err
	}
	return errors.Join(p.Run(h, block, report), h.Destroy(), dev.Free(block))
}

// TestProducts compares the kernels of products with the kernels that the library prints, and the bytes and statuses of
// size queries.
func TestProducts(t *testing.T) {
	library, model, closeBoth := pair(t, 64<<30)
	defer closeBoth()
	name, _, _ := strings.Cut(library.Runtime.Device().Properties().Arch, ":")
	lib, err := tuning.Open(os.DirFS(tuningFolder(t, name)), name)
	if err != nil {
		t.Skip(err)
	}
	c := workspace.Config{Profile: library.Profile, Tuning: tuning.Libraries{name: lib},
		Environment: map[string]string{}}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		c.Environment[name] = value
	}
	have := runPrinting(t)
	var kept []randomcall.RecordedProduct
	all, wrong := comparedByType{}, 0
	for i, p := range products() {
		var want []string
		keep := func(line string) { want = append(want, line) }
		if err := runProduct(model.Runtime.Device(), c, p, keep); err != nil {
			t.Fatal(err)
		}
		same := slices.Equal(want, have[i])
		all.add(p, want, same)
		if !same {
			if wrong++; wrong <= 10 {
				text, _ := json.Marshal(p)
				t.Errorf("seed %d, product %d: %s\nthe model:\n%s\nthe library:\n%s", *seed, i, text,
					strings.Join(want, "\n"), strings.Join(have[i], "\n"))
			}
		}
		if recorded(p) {
			kept = append(kept, randomcall.RecordedProduct{Product: *p, Lines: have[i]})
		}
	}
	t.Logf("%s %s: %d products, %d differ\n%s", library.Profile.Name, name, *count, wrong,
		all.table(library.Profile.Name, name))
	writeProducts(t, library.Profile.Name, name, kept)
}

// recorded reports whether a product is of the type whose tuning files the tests have.
func recorded(p *randomcall.Product) bool { return p.Args["a_type"] == routine.DatatypeBF16 }

// writeProducts writes recorded products.
func writeProducts(t *testing.T, profile, arch string, list []randomcall.RecordedProduct) {
	if *record == "" {
		return
	}
	var text bytes.Buffer
	zip, err := gzip.NewWriterLevel(&text, gzip.BestCompression)
	for _, p := range list {
		err = errors.Join(err, json.NewEncoder(zip).Encode(p))
	}
	folder := filepath.Join(*record, profile)
	err = errors.Join(err, zip.Close(), os.MkdirAll(folder, 0o755),
		os.WriteFile(filepath.Join(folder, "products-"+arch+".jsonl.gz"), text.Bytes(), 0o644))
	if err != nil {
		t.Fatal(err)
	}
}

// tuningFolder returns the folder with the files of an architecture. Distributions name folders by the version of the
// library, and several versions can be installed.
func tuningFolder(t *testing.T, arch string) string {
	major := func(version string) string { return version[:strings.IndexFunc(version+".", notDigit)] }
	library := major(hip.Probe("amd", driver.Config{Devices: 1}).Version)
	for _, pattern := range strings.Fields(*tuningFiles) {
		found, _ := filepath.Glob(filepath.Join(pattern, "*lazy_"+arch+".dat"))
		for _, file := range found {
			folder := filepath.Dir(file)
			if of := major(filepath.Base(filepath.Dir(folder))); of != "" && of != library {
				continue
			}
			if from := borrowed(file); from != "" {
				t.Skipf("%s has links to the files of %s: the library was built without kernels for it", arch, from)
			}
			return folder
		}
	}
	t.Skipf("no tuning files for %s in %s", arch, *tuningFiles)
	return ""
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// runPrinting returns what the library reports and prints for each product.
func runPrinting(t *testing.T) map[int][]string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestPrintedKernels$", "-conformance.seed", fmt.Sprint(*seed),
		"-conformance.count", fmt.Sprint(*count), "-conformance.routines", *only)
	c.Env = append(os.Environ(), printsKernels+"=0x8000")
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		tail := func(text string) string { return text[max(0, len(text)-2000):] }
		t.Fatalf("%v\n%s%s", err, tail(stdout.String()), tail(stderr.String()))
	}
	lines, i, printedKernels := map[int][]string{}, 0, []string(nil)
	for s := bufio.NewScanner(&stdout); s.Scan(); {
		if kernel, ok := strings.CutPrefix(s.Text(), "Running kernel: "); ok {
			printedKernels = append(printedKernels, kernel)
		} else if text, ok := strings.CutPrefix(s.Text(), printed); ok {
			number, line, _ := strings.Cut(text, " ")
			fmt.Sscan(number, &i)
			lines[i] = append(append(lines[i], printedKernels...), line)
			printedKernels = nil
		}
	}
	return lines
}
