//go:build browser

package browser

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"roclua/hip/amd"
	"roclua/hip/dl/dltest"
	"roclua/host/exit"
)

// folders are scenarios in two folders; one case fails.
var folders = map[string]string{
	"c.toml":          "[[scenario]]\nscript = 's'\nmatrix = { n = '1:6' }\n",
	"s/first/one.lua": `return { params = { n = 1 }, run = function(t) t:check(t.n ~= 4, "not four") end }`,
	"s/first/two.lua": `return { params = { n = 1 }, run = function(t) t:metric("n", t.n) end }`,
	"s/second/one.lua": `local hip = require "hip"
return { params = { n = 1 }, run = function(t) hip.free(hip.malloc(t.n * 2^20)) end }`,
	"s/second/two.lua": `return { params = { n = 1 }, run = function(t) end }`,
}

// open shows a page, and returns what an expression finds.
func openPage(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(url), chromedp.WaitReady(`html[data-ready="true"]`))
}

// press sends a key to the element with the focus.
func press(t *testing.T, ctx context.Context, key string) {
	t.Helper()
	eval[bool](t, ctx, "document.activeElement.dispatchEvent(new KeyboardEvent(`keydown`, {key: `"+key+
		"`, bubbles: true, cancelable: true})); true")
}

// TestAddress checks that the address keeps the open case, the filter and the order, and shows them again.
func TestAddress(t *testing.T) {
	url := reportOf(t, folders, "c.toml", "--profile", "rocm-6.4,rocm-7.2")
	ctx := browse(t)
	openPage(t, ctx, url)
	address := func() string { return eval[string](t, ctx, "decodeURIComponent(location.hash)") }
	opened := func() string {
		return eval[string](t, ctx,
			`[...document.querySelectorAll("tr.detail .about code")].map(e => e.textContent).join()`)
	}
	press(t, ctx, "n")
	failed := "first/one[n=4]@cpu/rocm-6.4/gfx90a"
	if opened() != failed || address() != "#case="+failed {
		t.Errorf("n opens %q, the address is %q", opened(), address())
	}
	const covered = "document.querySelector(`tr.case.open`).getBoundingClientRect().top < " +
		"document.getElementById(`controls`).getBoundingClientRect().bottom - 1"
	if eval[bool](t, ctx, covered) {
		t.Error("the controls cover the row of the open case")
	}
	press(t, ctx, "n")
	if other := strings.Replace(failed, "6.4", "7.2", 1); opened() != other {
		t.Errorf("n opens %q, want %s", opened(), other)
	}
	press(t, ctx, "p")
	if opened() != failed {
		t.Errorf("p opens %q, want %s", opened(), failed)
	}
	search(t, ctx, "first 6.4")
	click(t, ctx, `[data-outcome="passed"]`)
	click(t, ctx, "#cases > thead th:last-child")
	want := "#case=" + failed + "&q=first+6.4&outcome=passed&sort=-seconds"
	if address() != want {
		t.Errorf("the address is %q, want %q", address(), want)
	}
	before := eval[[]string](t, ctx, `[...document.querySelectorAll("tr.case")].map(row => row.dataset.id)`)
	again := eval[string](t, ctx, `location.hash`)
	openPage(t, ctx, url+strings.Replace(again, "case=", "other=", 1))
	after := eval[[]string](t, ctx, `[...document.querySelectorAll("tr.case")].map(row => row.dataset.id)`)
	if len(after) != 11 || strings.Join(before, " ") != strings.Join(after, " ") {
		t.Errorf("the page shows %q, and by its address %q", before, after)
	}
	openPage(t, ctx, url+"#failure=1")
	if have := eval[string](t, ctx, `document.getElementById("count").textContent`); have != "2 of 48 cases" {
		t.Errorf("the address of the failure shows %s", have)
	}
	second := "second/one[n=2]@cpu/rocm-7.2/gfx90a"
	openPage(t, ctx, url+"#case="+strings.NewReplacer("[", "%5B", "=", "%3D", "]", "%5D").Replace(second))
	if opened() != second {
		t.Errorf("the address of a case in a closed folder opens %q", opened())
	}
}

// TestFolders checks the headings of the table, and the keys of the matrix.
func TestFolders(t *testing.T) {
	url := reportOf(t, folders, "c.toml", "--profile", "rocm-6.4,rocm-7.2")
	ctx := browse(t)
	openPage(t, ctx, url)
	headings := eval[string](t, ctx,
		`[...document.querySelectorAll("#cases tr.folder")].map(r => r.textContent).join("; ")`)
	if want := "first/ 2 failed 22 passed; second/ 24 passed"; headings != want {
		t.Errorf("the folders are %q, want %q", headings, want)
	}
	const bad = `[...document.querySelectorAll("tr.case .outcome")].findLastIndex(e => e.matches(".bad"))`
	if last := eval[int](t, ctx, bad); last != 1 {
		t.Errorf("the last failed case is in row %d of the table, want 1", last)
	}
	if n := eval[int](t, ctx, countRows); n != 24 {
		t.Errorf("%d rows, want the 24 of the folder with failures", n)
	}
	click(t, ctx, "#cases tr.folder:last-child button")
	if n := eval[int](t, ctx, countRows); n != 48 {
		t.Errorf("%d rows with both folders open, want 48", n)
	}
	if stops := eval[int](t, ctx, `document.querySelectorAll("#matrix button[tabindex='0']").length`); stops != 1 {
		t.Errorf("the matrix has %d stops of the tab key, want 1", stops)
	}
	const place = `(b => b.closest("td").cellIndex + " " + b.closest("tr").textContent)(document.activeElement)`
	eval[bool](t, ctx, `document.querySelector("#matrix button[tabindex='0']").focus(); true`)
	for _, step := range []struct{ key, want string }{
		{"ArrowRight", "2 one"}, {"ArrowDown", "2 two"}, {"ArrowDown", "2 one"}, {"ArrowLeft", "1 one"},
		{"ArrowUp", "1 two"},
	} {
		press(t, ctx, step.key)
		if have := eval[string](t, ctx, place); !strings.HasPrefix(have, step.want) {
			t.Errorf("after %s the focus is in column %s, want %s", step.key, have, step.want)
		}
	}
}

// TestMap checks that a matrix of many cells is a map with a row for each folder.
func TestMap(t *testing.T) {
	files := map[string]string{"c.toml": "[[scenario]]\nscript = 's'\n"}
	for i := range 260 {
		name := filepath.Join("s", string(rune('a'+i%5)), "s"+strings.Repeat("x", i/5)+".lua")
		files[name] = `return { run = function(t) end }`
	}
	ctx := browse(t)
	openPage(t, ctx, reportOf(t, files, "c.toml", "--profile", "rocm-6.4,rocm-7.2"))
	rows := eval[int](t, ctx, `document.querySelectorAll("#matrix tbody tr").length`)
	squares := eval[int](t, ctx, `document.querySelectorAll("#matrix .square").length`)
	if rows != 5 || squares != 520 {
		t.Errorf("the map has %d rows and %d squares, want 5 and 520", rows, squares)
	}
	click(t, ctx, "#matrix .square")
	if have := eval[string](t, ctx, `document.getElementById("count").textContent`); have != "1 of 520 cases" {
		t.Errorf("a square shows %s", have)
	}
}

// axe is where npm install axe-core puts the checker of accessibility.
const axe = "../../node_modules/axe-core/axe.min.js"

// TestAccessibility checks roles and contrast of reports, comparisons and pages of the manual, light and dark, at the
// widths of a monitor and of a phone.
func TestAccessibility(t *testing.T) {
	script, err := os.ReadFile(axe)
	if err != nil {
		t.Skip("no axe-core found (npm install --no-save axe-core)")
	}
	web, answers := served(t), answerPages(t)
	manual := web + "/manual/"
	pages := []string{reportOf(t, folders, "c.toml", "--profile", "rocm-6.4,rocm-7.2"),
		pageOf(t, map[string]string{"three.lua": threeHandles}, exit.Baseline, "compare", "rocm-6.4", "rocm-7.2",
			"three.lua"), manual + "index.html", manual + "module-hip.html", manual + "rocsolver-getrf.html",
		web + "/index.html"}
	ctx := browse(t)
	pages = append(pages, answers...)
	for i, url := range pages {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1400, 390} {
				emulate(t, ctx, scheme, width)
				if i < 2 {
					openPage(t, ctx, url)
					press(t, ctx, "n")
				} else {
					do(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("main"))
				}
				for _, problem := range violations(t, ctx, string(script)) {
					t.Errorf("%s, %s, %d pixels: %.600s", path.Base(url), scheme, width, problem)
				}
				if wide := eval[float64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
					t.Errorf("%s: at %d pixels the page is %v pixels too wide", url, width, wide)
				}
				if !slices.Contains(answers, url) {
					continue
				}
				const parts = "[...document.querySelectorAll(`h2`)].every(h => h.parentElement.id &&" +
					" document.querySelectorAll(`#` + CSS.escape(h.parentElement.id)).length === 1)"
				if !eval[bool](t, ctx, parts) {
					t.Errorf("%s: not every part has an address", url)
				}
				if pre := eval[int](t, ctx, "document.querySelectorAll(`pre`).length"); pre > 0 {
					t.Errorf("%s: %d parts are text", url, pre)
				}
			}
		}
	}
}

// answerPages returns pages of commands that answer with tables and pictures.
func answerPages(t *testing.T) (urls []string) {
	tuning, err := filepath.Abs("../../workspace/testdata/rocm-7.2/tuning-gfx90a.zip")
	if err != nil {
		t.Fatal(err)
	}
	fake, err := os.ReadFile("../../host/verify/testdata/fake.c")
	if err != nil {
		t.Fatal(err)
	}
	library, rocm := dltest.Compile(t, string(fake)), t.TempDir()
	for _, name := range []string{"libamdhip64.so.7", "librocblas.so.5", "librocsolver.so.0"} {
		if err := os.Symlink(library, filepath.Join(rocm, name)); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"app.log": "rocblas_create_handle,atomics_not_allowed\n" +
		"rocblas_dtrsm,L,U,N,N,512,512,1,0x7f00,512,0x7f10,512,atomics_not_allowed\n" +
		"rocsolver-bench -f getrf --precision d -m 4096 -n 4096\n"}
	for _, args := range [][]string{
		{"size", "dgetrf m=1024 n=1024", "dgetrs n=1024 nrhs=1"},
		{"size", "dgetrf m=n n=n", "--sweep", "n=64:8192:x2"},
		{"log", "app.log"},
		{"plan", "app.log", "--budget", "16MiB"},
	} {
		urls = append(urls, pageOf(t, files, exit.Pass, append(args, "--profile", "rocm-6.4,rocm-7.2")...))
	}
	urls = append(urls, pageOf(t, files, exit.Pass, "gemm", "TN:128x128x65536", "64x64x64", "--workspace", "0,1MiB",
		"--tuning", tuning))
	t.Setenv(amd.EnvPath, rocm)
	return append(urls, pageOf(t, nil, exit.Failed, "verify", "^rocblas_[sdcz]scal$", "--count", "100", "--kind",
		"queries,calls"))
}

// emulate sets the color scheme and the width of the page.
func emulate(t *testing.T, ctx context.Context, scheme string, width int64) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.EmulateViewport(width, 900))
}

// violations returns what the checker finds on the page.
func violations(t *testing.T, ctx context.Context, checker string) []string {
	t.Helper()
	eval[bool](t, ctx, checker+"; window.found = undefined; "+
		"axe.run().then(r => { window.found = r.violations.map(v => v.id + `: ` + "+
		"v.nodes.map(n => n.target + ` ` + n.failureSummary).join(`, `)) }); true")
	for eval[bool](t, ctx, "window.found === undefined") {
		time.Sleep(10 * time.Millisecond)
	}
	return eval[[]string](t, ctx, "window.found")
}
