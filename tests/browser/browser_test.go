//go:build browser

// Package browser has tests of the pages that the program writes, in a headless Chromium. They have a build tag: their
// dependencies take longer to compile than all other ones. Run them by "make browser".
package browser

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"roclua/host"
	"roclua/host/exit"
	"roclua/tests/leaks"
)

var picture = flag.String("picture", "", "write the screenshots of the README to this folder")

var all = flag.Bool("all", false, "run every variant, not a sample")

// browser is the headless browser shared by all tests. The first test starts it; nil before. closeBrowser ends it.
var (
	browser      context.Context
	closeBrowser = func() {}
)

// TestMain lets the test's program be its own worker process, and that of verify, and ends the browser after the tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "worker" || os.Args[1] == "verify") {
		os.Exit(host.Main(os.Args[1:], host.OSEnv()))
	}
	leaks.Main(withBrowser{m})
}

type withBrowser struct{ leaks.Tests }

func (w withBrowser) Run() int {
	defer func() { closeBrowser() }()
	return w.Tests.Run()
}

// browse opens a tab in a headless browser. It skips the test if the machine has none.
func browse(t *testing.T) context.Context {
	t.Helper()
	if browser == nil {
		startBrowser(t)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func startBrowser(t *testing.T) {
	t.Helper()
	found := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		t.Skip("no Chromium found (Debian: apt-get install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(found), chromedp.NoSandbox, chromedp.WindowSize(1400, 1000))
	allocator, release := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	closeBrowser = func() {
		cancel()
		release()
	}
	do(t, ctx) // starts it
	browser = ctx
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval evaluates a JavaScript expression on the page.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// growing is a scenario with a growing handle and a failing last check.
const growing = `
local hip, array = require "hip", require "array"
return {
  about = "a handle grows, and a <check> fails",
  params = { n = 100, batch = 200 },
  schemes = { "managed", "manual", "stream_ordered" },
  bytes = 48 * 2^20,
  run = function(t)
    local n, batch = t.n, t.batch
    local A, C = hip.upload(array.random("d", n, n * batch)), hip.malloc(8 * n * n * batch)
    local ipiv, info = hip.malloc(4 * n * batch), hip.malloc(4 * batch)
    t:defer(function() for _, p in ipairs { A, C, ipiv, info } do hip.free(p) end end)
    local side = hip.stream_create()
    t:defer(function() hip.stream_destroy(side) end)
    t.handle:dgetrf_strided_batched { m = n, n = n, A = A, ipiv = ipiv, info = info, batch_count = batch }
    hip.memset_async(C, 0, 8 * n * n * batch, side)
    t.handle:dgetri_strided_batched { n = n, A = A, ipiv = ipiv, info = info, batch_count = batch }
    hip.device_synchronize()
    t:metric("matrix_bytes", 8 * n * n * batch, "bytes")
    t:equal(t.scheme, "managed", "only managed passes")
  end,
}
`

// reportOf runs scripts and returns the URL of the HTML report.
func reportOf(t *testing.T, files map[string]string, args ...string) string {
	t.Helper()
	return pageOf(t, files, exit.Failed, append([]string{"run", "--quiet"}, args...)...)
}

// pageOf runs a command, which passes or ends with an exit code, and returns the URL of its HTML page.
func pageOf(t *testing.T, files map[string]string, failed exit.Code, args ...string) string {
	t.Helper()
	return "file://" + outputOf(t, files, failed, "report.html", append(args, "--out", "html=report.html")...)
}

// outputOf runs a command like pageOf, and returns the path of a file that it writes.
func outputOf(t *testing.T, files map[string]string, failed exit.Code, name string, args ...string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	env := host.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 2,
	}
	t.Chdir(folder)
	code := host.Main(args, env)
	if code != int(exit.Pass) && code != int(failed) {
		t.Fatalf("exit %d: %s", code, stderr.String())
	}
	return filepath.Join(folder, name)
}

// click clicks on the element matched by a selector.
func click(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	eval[bool](t, ctx, "document.querySelector(`"+selector+"`).click(); true")
}

// search types text into the filter field.
func search(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	eval[bool](t, ctx, "(() => { const box = document.getElementById(`search`); box.value = `"+text+"`; "+
		"box.dispatchEvent(new Event(`input`)); return true })()")
}

const countRows = `document.querySelectorAll("tr.case").length`

func TestReportInBrowser(t *testing.T) {
	page := reportOf(t, map[string]string{"growing.lua": growing}, "growing.lua", "--profile", "rocm-6.4,rocm-7.2")
	ctx := browse(t)
	do(t, ctx, chromedp.Navigate(page), chromedp.WaitReady(`html[data-ready="true"]`))
	eval[bool](t, ctx, `window.thrown = []; addEventListener("error", e => thrown.push(e.message)); true`)
	shows := func(what, have, want string) {
		t.Helper()
		if !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want it to contain %q", what, have, want)
		}
	}
	rows := func(after string, want int) {
		t.Helper()
		if have := eval[int](t, ctx, countRows); have != want {
			t.Errorf("%s: %d rows, want %d", after, have, want)
		}
	}
	rows("initially", 6)
	summary := eval[string](t, ctx, `document.getElementById("summary").textContent`)
	shows("the summary", summary, "2 passed, 4 not passed")
	search(t, ctx, "manual 7.2")
	rows("filtered by words", 1)
	search(t, ctx, "no such case")
	rows("filtered away", 0)
	search(t, ctx, "")
	click(t, ctx, `[data-outcome="failed"]`)
	rows("filtered by outcome", 4)
	click(t, ctx, `[data-outcome="failed"]`)
	rows("without a filter", 6)
	sort := `[...document.querySelectorAll("#cases th")].find(th => th.textContent === "handle").click(); ` +
		`document.querySelector("tr.case").dataset.id`
	shows("sorted by the memory of the handle", eval[string](t, ctx, sort), "scheme=m")
	shows("sorted in reverse", eval[string](t, ctx, sort), "scheme=stream_ordered")
	click(t, ctx, `tr.case[data-id*="scheme=manual"][data-id*="rocm-7.2"]`)
	shows("the failure", eval[string](t, ctx, `document.querySelector("pre.why").textContent`), "only managed passes")
	shows("the schemes", eval[string](t, ctx, `document.querySelector(".schemes").textContent`), "stream_ordered")
	shows("the about", eval[string](t, ctx, `document.querySelector(".about").textContent`), "a <check> fails")
	kernels := `[...document.querySelectorAll(".picture rect.kernel")].map(k => k.dataset.tip).join()`
	shows("the kernels", eval[string](t, ctx, kernels), "rocsolver_dgetrf")
	checkGrowth(t, ctx)
	if loaded := eval[[]string](t, ctx, `performance.getEntriesByType("resource").map(r => r.name)`); len(loaded) != 0 {
		t.Errorf("the page loads %v", loaded)
	}
	if thrown := eval[[]string](t, ctx, `window.thrown`); len(thrown) != 0 {
		t.Errorf("the page throws %v", thrown)
	}
}

// failing is a configuration with scenarios that fail in several ways: in many cases alike, with a hazard, and not at
// all.
var failing = map[string]string{
	"c.toml": "[[scenario]]\nscript = 'alike.lua'\nmatrix = { n = '1:4' }\n[[scenario]]\nscript = 'hazard.lua'\n" +
		"[[scenario]]\nscript = 'passes.lua'\n",
	"alike.lua":  `return { params = { n = 1 }, run = function(t) t:check(false, "always") end }`,
	"passes.lua": `return { run = function(t) t:metric("bytes", 2^20, "bytes") end }`,
	"hazard.lua": `local hip, rocblas = require "hip", require "rocblas"
return { run = function(t)
  local x, a, b = hip.malloc(64), hip.stream_create(), hip.stream_create()
  hip.memset_async(x, 0, 64, a)
  hip.memset_async(x, 1, 64, b)
  hip.device_synchronize()
  local handle = rocblas.create_handle()
  handle:set_device_memory_size(2^20)
  rocblas.destroy_handle(handle)
  hip.stream_destroy(a) hip.stream_destroy(b) hip.free(x)
end }`,
	".git/HEAD":          "0123456789012345678901234567890123456789\n",
	".git/objects/empty": "",
	".git/refs/empty":    "",
}

// TestFirstScreen checks that the first screen shows the failures and the matrix, at the widths of a monitor and of a
// phone, and that the details have the hazard and the history of the handle.
func TestFirstScreen(t *testing.T) {
	url := reportOf(t, failing, "c.toml", "--profile", "rocm-6.4,rocm-7.2")
	ctx := browse(t)
	for _, width := range []int64{1280, 1100, 800, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(url),
			chromedp.WaitReady(`html[data-ready="true"]`))
		if wide := eval[float64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("at %d pixels the page is %v pixels too wide", width, wide)
		}
		for _, last := range []string{"#failures details:last-of-type > summary", "#matrix tr:last-child"} {
			place := "document.querySelector(`" + last + "`).getBoundingClientRect().bottom"
			if at := eval[float64](t, ctx, place); at > 900 {
				t.Errorf("at %d pixels %s ends at %v, below the first screen", width, last, at)
			}
		}
	}
	text := func(selector string) string {
		return eval[string](t, ctx, "document.querySelector(`"+selector+"`).textContent")
	}
	for selector, want := range map[string]string{
		"#machine":                       "git revision 012345678901",
		"#failures h2":                   "What failed: 10 cases",
		"#failures summary":              "failed alike.lua:1: always: have false, want true 8 cases",
		"#failures .names code":          "alike[n={1..4}]@cpu/{rocm-6.4,rocm-7.2}/gfx90a",
		"#matrix thead":                  "scenariorocm-6.4rocm-7.2",
		"#matrix tbody tr:first-child":   "alike4 not passed 4 not passed",
		"#matrix tbody tr:nth-child(3) ": "passesok 1 MiB ok 1 MiB",
	} {
		if have := text(selector); !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want it to contain %q", selector, have, want)
		}
	}
	click(t, ctx, "#matrix tbody tr:nth-child(2) button.cell")
	if have := text("#count"); have != "1 of 12 cases" {
		t.Errorf("after a click on a cell: %q", have)
	}
	click(t, ctx, "tr.case")
	for selector, want := range map[string]string{".numbers": "handle 32 MiB → 1 MiB", ".bar": "hazard"} {
		if have := text("tr.detail " + selector); !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want it to contain %q", selector, have, want)
		}
	}
	tip := eval[string](t, ctx, "document.querySelector(`.picture .hazardlink`).dataset.tip")
	if !strings.Contains(tip, "hipMemsetAsync in stream 2 (hazard.lua:5)") {
		t.Errorf("the hazard has the tooltip %q", tip)
	}
	const clipped = "[...document.querySelectorAll(`.picture svg text`)].filter(e => " +
		"e.getBoundingClientRect().right > e.ownerSVGElement.getBoundingClientRect().right + 1).length"
	if n := eval[int](t, ctx, clipped); n != 0 {
		t.Errorf("%d labels of the picture are clipped", n)
	}
	click(t, ctx, "#failures .names button")
	if have := eval[int](t, ctx, countRows); have != 8 {
		t.Errorf("the button of the failure shows %d cases, want 8", have)
	}
}

// TestWideTable checks that a table wider than the window scrolls in its box while the page does not, even with an open
// case, and that the page shows the note of a case without injected faults.
func TestWideTable(t *testing.T) {
	name := strings.Repeat("w", 90)
	url := reportOf(t, map[string]string{name + ".lua": `local hip = require "hip"
return { params = { n = 1 }, run = function(t)
  t:metric("` + strings.Repeat("m", 90) + `", 1)
  hip.free(hip.malloc(64))
end }`}, name+".lua", "--set", "faults.nth=40", "--axis", "n=1:2")
	ctx := browse(t)
	for _, width := range []int64{1280, 800, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(url),
			chromedp.WaitReady(`html[data-ready="true"]`))
		click(t, ctx, "tr.case")
		if wide := eval[float64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("at %d pixels the page is %v pixels too wide", width, wide)
		}
		const picture = "document.querySelector(`.picture`).getBoundingClientRect().right"
		if right := eval[float64](t, ctx, picture); right > float64(width) {
			t.Errorf("at %d pixels the picture ends at %v", width, right)
		}
		const box = "(b => b.scrollWidth - b.clientWidth)(document.querySelector(`main .scroll`))"
		if width == 1280 && eval[float64](t, ctx, box) <= 0 {
			t.Error("the table does not scroll in its box")
		}
	}
	text := eval[string](t, ctx, "document.querySelector(`tr.case`).textContent + "+
		"document.querySelector(`tr.detail`).textContent")
	if n := strings.Count(text, "nothing was injected"); n != 2 {
		t.Errorf("the note is shown %d times, want 2: %q", n, text)
	}
}

// checkGrowth opens the managed case and checks that its growth has a mark with a tooltip, in both scales.
func checkGrowth(t *testing.T, ctx context.Context) {
	managed := `tr.case[data-id*="scheme=managed"][data-id*="rocm-7.2"]`
	detail := `document.querySelector('` + managed + ` + tr.detail')`
	click(t, ctx, managed)
	sign := detail + `.querySelector(".picture .sign.growth")`
	tip := eval[string](t, ctx, sign+`.dataset.tip`)
	shown := eval[string](t, ctx, `(() => { const sign = `+sign+`, box = sign.getBoundingClientRect();
		sign.dispatchEvent(new MouseEvent("mousemove", {bubbles: true, clientX: box.x, clientY: box.y}));
		return document.getElementById("tip").textContent })()`)
	if !strings.Contains(tip, "because of growth") || shown != tip {
		t.Errorf("the tooltip of the growth is %q, the page shows %q", tip, shown)
	}
	count := detail + `.querySelector("button.switch").click(); ` +
		detail + `.querySelectorAll(".picture .handle").length`
	if lines := eval[int](t, ctx, count); lines != 1 {
		t.Errorf("%d lines for handles, want 1", lines)
	}
	for _, width := range []int64{1400, 1180, 800, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900))
		eval[bool](t, ctx, count+"; true") // draw again
		if wide := eval[float64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("at %d pixels the page is %v pixels wider than the window", width, wide)
		}
	}
}

// TestPictures writes the screenshots for the README. It needs the flag -picture.
func TestPictures(t *testing.T) {
	if *picture == "" {
		t.Skip("the flag -picture is not set")
	}
	folder, err := filepath.Abs(*picture)
	if err != nil {
		t.Fatal(err)
	}
	script := strings.Replace(growing, `t:equal(t.scheme, "managed", "only managed passes")`, "", 1)
	script = strings.Replace(script, ", and a <check> fails", "", 1)
	page := reportOf(t, map[string]string{"growing.lua": script}, "growing.lua", "--profile", "rocm-7.2")
	ctx := browse(t)
	do(t, ctx, chromedp.EmulateViewport(1180, 900, chromedp.EmulateScale(1.5)),
		chromedp.Navigate(page), chromedp.WaitReady(`html[data-ready="true"]`))
	click(t, ctx, "tr.case")
	click(t, ctx, "button.switch")
	light, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	dark, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"report.png": light, "report-dark.png": dark} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
