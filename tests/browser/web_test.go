//go:build browser

package browser

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var webFolder = flag.String("web", "", "test the page in this folder, which make web wrote, and do not write one")

var webBuilt struct {
	once   sync.Once
	folder string
	err    error
}

// served returns the address of a server of the page that runs the program, and of the manual.
func served(t *testing.T) string {
	t.Helper()
	web := &webBuilt
	web.once.Do(func() {
		if web.folder = *webFolder; web.folder != "" {
			return
		}
		if web.folder, web.err = os.MkdirTemp("", "roclua-web-"); web.err != nil {
			return
		}
		c := exec.Command("go", "run", "./web", web.folder)
		c.Dir = "../.."
		if out, err := c.CombinedOutput(); err != nil {
			web.err = fmt.Errorf("go run ./web: %w: %s", err, out)
		}
	})
	if web.err != nil {
		t.Fatal(web.err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(web.folder)))
	t.Cleanup(server.Close)
	return server.URL
}

// openWeb opens an address and collects what the page throws or is forbidden to load.
func openWeb(t *testing.T, url string) context.Context {
	t.Helper()
	ctx := browse(t)
	do(t, ctx, chromedp.Navigate(url), chromedp.WaitReady("main"))
	eval[bool](t, ctx, `window.bad = []; addEventListener("error", e => bad.push(e.message)); `+
		`addEventListener("unhandledrejection", e => bad.push(String(e.reason))); `+
		`addEventListener("securitypolicyviolation", e => bad.push(e.violatedDirective + " " + e.blockedURI)); true`)
	t.Cleanup(func() {
		if bad := eval[[]string](t, ctx, `bad`); len(bad) > 0 {
			t.Errorf("on the page: %q", bad)
		}
		server := strings.Join(strings.SplitN(url, "/", 4)[:3], "/")
		for _, name := range eval[[]string](t, ctx, `performance.getEntriesByType("resource").map(r => r.name)`) {
			if !strings.HasPrefix(name, server+"/") && !strings.HasPrefix(name, "blob:") {
				t.Errorf("loaded %s", name)
			}
		}
	})
	return ctx
}

// until waits until an expression is true.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for !eval[bool](t, ctx, expression) {
		if ctx.Err() != nil {
			t.Fatalf("timed out waiting for %s", expression)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// runOnPage chooses a tab, writes a text and flags, and runs them. It returns the state at the end and the text.
func runOnPage(t *testing.T, ctx context.Context, tab, text, flags string) (state, shown string) {
	t.Helper()
	start(t, ctx, tab, text, flags)
	return ended(t, ctx)
}

func start(t *testing.T, ctx context.Context, tab, text, flags string) {
	t.Helper()
	if tab != "" {
		click(t, ctx, "#tab-"+tab)
	}
	if text != "" {
		eval[bool](t, ctx, fmt.Sprintf(`(() => { const area = document.getElementById("text"); area.value = %q; `+
			`area.dispatchEvent(new Event("input")); return true })()`, text))
	}
	eval[bool](t, ctx, fmt.Sprintf(`document.getElementById("flags").value = %q; true`, flags))
	click(t, ctx, "#run")
	until(t, ctx, `document.getElementById("run").disabled`)
}

func ended(t *testing.T, ctx context.Context) (state, shown string) {
	t.Helper()
	until(t, ctx, `!document.getElementById("run").disabled`)
	if eval[bool](t, ctx, `!!document.getElementById("view-text")`) {
		click(t, ctx, "#view-text")
		shown = eval[string](t, ctx, `document.querySelector("#view pre").textContent`)
	}
	state = eval[string](t, ctx, `document.getElementById("state").textContent`)
	t.Log(state)
	return state, shown
}

// checkProgram checks that a browser loads at most 10 MiB, and that the linker left out the methods that nothing calls:
// a call of reflect's MethodByName, such as in text/template, makes it keep them all.
func checkProgram(t *testing.T, file string) {
	t.Helper()
	compressed, err := os.ReadFile(file)
	if err != nil || len(compressed) > 10<<20 {
		t.Errorf("the program has %d bytes, %v; want at most 10 MiB", len(compressed), err)
	}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("roclua/host.newRoot")) {
		t.Error("the program does not have the names of its functions, which this test searches")
	}
	for _, name := range []string{"text/template.(*state).evalField", "html/template.(*Template).Execute"} {
		if bytes.Contains(text, []byte(name)) {
			t.Errorf("the program has %s", name)
		}
	}
}

// TestWeb uses each tab of the page.
func TestWeb(t *testing.T) {
	url := served(t) + "/index.html"
	checkProgram(t, webBuilt.folder+"/roclua.wasm.gz")
	ctx := openWeb(t, url)

	state, text := runOnPage(t, ctx, "script", "", "")
	if !strings.Contains(state, "exit code 0") || !strings.Contains(text, " 0 not passed") {
		t.Errorf("the bundled script: %s\n%s", state, text)
	}
	click(t, ctx, "#view-html")
	until(t, ctx, `document.querySelector("#view iframe").srcdoc.includes("minimum_size") || `+
		`document.querySelector("#view iframe").srcdoc.includes("script@")`)

	// The frame's script runs, although it may not run another one.
	state, text = runOnPage(t, ctx, "script", "return {\n  run = function(t)\n    error('wrong')\n  end }", "")
	if !strings.Contains(state, "exit code 5") || !strings.Contains(text, "script.lua:3: wrong") {
		t.Errorf("a script with an error: %s\n%s", state, text)
	}
	bad := eval[string](t, ctx, `[...document.querySelectorAll("#lines .bad")].map(l => l.textContent).join()`)
	if bad != "3" {
		t.Errorf("lines %q are marked, want 3", bad)
	}

	const endless = "return { run = function(t) while true do end end }"
	if state, text = runOnPage(t, ctx, "script", endless, "--timeout 200ms"); !strings.Contains(state, "exit code 6") {
		t.Errorf("a script without end, with a limit: %s\n%s", state, text)
	}
	start(t, ctx, "script", endless, "")
	click(t, ctx, "#stop")
	if state, _ = ended(t, ctx); state != "stopped" {
		t.Errorf("a script without end, stopped: %s", state)
	}
	const polls = `local hip, array = require "hip", require "array"
return { schemes = {"managed"}, run = function(t)
  local h, n = t.handle, 300
  local d = {}
  for i = 1, 3 do d[i] = t:malloc(8 * n * n); hip.memset(d[i], 0, 8 * n * n) end
  h:dgemm{m = n, n = n, k = n, alpha = 1, A = d[1], B = d[2], beta = 0, C = d[3]}
  local polls = 0
  while hip.stream_query(nil) == hip.error_not_ready do polls = polls + 1 end
  t:log(polls > 0 and "polled" or "ready")
end }`
	if state, text = runOnPage(t, ctx, "script", polls, ""); !strings.Contains(state, "exit code 0") {
		t.Errorf("a script that polls: %s\n%s", state, text)
	}
	state, text = runOnPage(t, ctx, "script",
		`return { run = function(t) for i = 1, 1e9 do print(("x"):rep(1000)) end end }`, "")
	if !strings.Contains(state, "exit code 6") || len(text) > 5<<20 {
		t.Errorf("a script that prints without end: %s, %d bytes", state, len(text))
	}

	state, text = runOnPage(t, ctx, "size", "dgetrf m=1024 n=1024", "")
	if !strings.Contains(state, "exit code 0") || !strings.Contains(text, "4732160") {
		t.Errorf("sizes: %s\n%s", state, text)
	}
	state, text = runOnPage(t, ctx, "size", "dgetfr m=1024", "")
	if !strings.Contains(state, "exit code 2") || !strings.Contains(text, `did you mean`) {
		t.Errorf("sizes of a misspelled call: %s\n%s", state, text)
	}
	state, text = runOnPage(t, ctx, "plan", "dgetrf m=4096 n=4096", "--handles 4")
	if !strings.Contains(state, "exit code 0") || !strings.Contains(text, "handles") {
		t.Errorf("plan: %s\n%s", state, text)
	}
	if _, text = runOnPage(t, ctx, "gemm", "TN:128x128x65536", ""); !strings.Contains(text, "tuning") {
		t.Errorf("gemm without tuning files: %s", text)
	}

	line := "rocblas-bench -f trsm -r f64_r --side L --uplo L --transposeA N --diag N -m 300 -n 20 --alpha 1 " +
		"--lda 300 --ldb 300\n"
	drop(t, ctx, "app.log", bytes.Repeat([]byte(line), 5<<20/len(line)))
	state, text = runOnPage(t, ctx, "log", "", "--profile rocm-7.2")
	if !strings.Contains(state, "exit code 0") || !strings.Contains(text, "trsm") {
		t.Errorf("a log of 5 MB: %s\n%s", state, text)
	}

	packed, err := os.Open("../../host/recording/testdata/version1.rec.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	recording, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	drop(t, ctx, "app.rec", recording)
	state, text = runOnPage(t, ctx, "log", "", "")
	if !strings.Contains(state, "exit code 0") || !strings.Contains(text, "app.rec") {
		t.Errorf("a recording: %s\n%s", state, text)
	}
	eval[bool](t, ctx, `document.getElementById("command").value = "run"; true`)
	if state, text = runOnPage(t, ctx, "", "", ""); !strings.Contains(text, "1 case: ") {
		t.Errorf("a recording that is run: %s\n%s", state, text)
	}
	eval[bool](t, ctx, `Page.largest = 10; document.getElementById("dropped").textContent = ""; true`)
	dropOn(t, ctx, "large.log", recording)
	until(t, ctx, `document.getElementById("state").textContent.startsWith("the files have ")`)

	click(t, ctx, "#tab-size")
	eval[bool](t, ctx, `document.getElementById("text").value = "dpotrf n=77"; true`)
	click(t, ctx, "#link")
	address := eval[string](t, ctx, `location.href`)
	other := openWeb(t, url)
	do(t, other, chromedp.Navigate("about:blank"), chromedp.Navigate(address), chromedp.WaitReady("main"))
	if have := eval[string](t, other, `document.getElementById("text").value`); have != "dpotrf n=77" {
		t.Errorf("the link opens %q", have)
	}
	eval[bool](t, other, `window.bad = []; true`)
}

// drop drops a file on the page and waits until it is read.
func drop(t *testing.T, ctx context.Context, name string, content []byte) {
	t.Helper()
	dropOn(t, ctx, name, content)
	until(t, ctx, fmt.Sprintf(`document.getElementById("dropped").textContent.startsWith(%q)`, name))
}

func dropOn(t *testing.T, ctx context.Context, name string, content []byte) {
	t.Helper()
	eval[bool](t, ctx, fmt.Sprintf(`(() => { const data = new DataTransfer(); const text = atob(%q); `+
		`data.items.add(new File([Uint8Array.from(text, c => c.charCodeAt(0))], %q)); `+
		`dispatchEvent(new DragEvent("drop", {dataTransfer: data})); return true })()`,
		base64.StdEncoding.EncodeToString(content), name))
}

// TestWebTimes shows how long a user waits for sizes: at first, when the page loads the program, and then.
func TestWebTimes(t *testing.T) {
	if !*all {
		t.Skip("the flag -all is not set")
	}
	url := served(t) + "/index.html"
	browse(t) // the time to start the browser does not count
	var first, next []float64
	for range 7 {
		ctx := openWeb(t, url)
		click(t, ctx, "#tab-size")
		for i := range 4 {
			if i > 0 {
				time.Sleep(time.Second) // the next instance starts in the background
			}
			// The page measures: the first answer since the navigation, the next ones since the click.
			eval[bool](t, ctx, `(() => {
				document.getElementById("text").value = "dgetrf m=1024 n=1024";
				document.getElementById("text").dispatchEvent(new Event("input"));
				const run = document.getElementById("run"), began = performance.now();
				window.times = null;
				new MutationObserver((_, observer) => {
					if (run.disabled) return;
					observer.disconnect();
					times = [began, performance.now()];
				}).observe(run, {attributes: true});
				run.click();
				return true;
			})()`)
			until(t, ctx, `!!times`)
			times := eval[[]float64](t, ctx, `times`)
			if i == 0 {
				first = append(first, times[1])
			} else {
				next = append(next, times[1]-times[0])
			}
		}
	}
	slices.Sort(first)
	slices.Sort(next)
	t.Logf("medians and ranges: %.0f (%.0f to %.0f) ms until the first answer, %.0f (%.0f to %.0f) ms for the next",
		first[len(first)/2], first[0], first[len(first)-1], next[len(next)/2], next[0], next[len(next)-1])
}

// TestWithoutWebAssembly opens the page in a browser that cannot run the program.
func TestWithoutWebAssembly(t *testing.T) {
	ctx := browse(t)
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.WebAssembly"}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, chromedp.Navigate(served(t)+"/index.html"), chromedp.WaitReady("main"))
	until(t, ctx, `document.getElementById("state").textContent.startsWith("this browser has no WebAssembly")`)
}

// TestWebManual searches the manual, follows a result, and runs an example where it stands.
func TestWebManual(t *testing.T) {
	manual := served(t) + "/manual/"
	ctx := openWeb(t, manual+"index.html")
	eval[bool](t, ctx, `document.getElementById("search").focus(); true`)
	for _, test := range []struct{ search, want string }{
		{"dgetrf_64", "rocsolver-getrf.html"},
		{"hip.malloc_async", "module-hip.html"},
		{"malloc_async(", "module-hip.html"},
		{"query", "object-handle.html"},
		{"slurm", "cluster.html"},
		{"residual tolerance baseline", "topic-baseline.html"},
		{"qwertz", ""},
	} {
		until(t, ctx, `performance.getEntriesByType("resource").some(r => r.name.endsWith("index.json"))`)
		for range 100 { // until the index is read
			search(t, ctx, test.search)
			if eval[bool](t, ctx, `document.getElementById("found").children.length > 0`) {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		results := eval[[]string](t, ctx, `[...document.querySelectorAll("#found a")].map(a => a.getAttribute("href"))`)
		if have := strings.Join(results, " "); test.want == "" && have != "" || !strings.HasPrefix(have, test.want) {
			t.Errorf("%s: found %v, want %s first", test.search, results, test.want)
		}
	}
	click(t, ctx, `main button`)
	until(t, ctx, `document.querySelector("main output").textContent.startsWith("exit code")`)
	have := eval[string](t, ctx, `document.querySelector("main output").closest("p").nextElementSibling.textContent`)
	if !strings.Contains(have, "rocblas_handle(") {
		t.Errorf("the first example of the guide shows %s", have)
	}
	for _, width := range []int64{1400, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900))
		if eval[bool](t, ctx, `document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("at %d pixels the page is wider than the window", width)
		}
		if at := eval[float64](t, ctx, `document.querySelector("h1").getBoundingClientRect().bottom`); at > 600 {
			t.Errorf("at %d pixels the title ends at %v, below the list of pages", width, at)
		}
	}
	other := openWeb(t, manual+"module-hip.html")
	do(t, other, chromedp.EmulateViewport(390, 900))
	const description = `document.querySelector("main td:nth-child(2)").getBoundingClientRect().right`
	if at := eval[float64](t, other, description); at > 390 {
		t.Errorf("at 390 pixels the description of a function ends at %v", at)
	}
}

// TestNode runs the bundled scenarios in the program for browsers.
func TestNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node found (Debian: apt-get install nodejs)")
	}
	served(t)
	packed, err := os.Open(webBuilt.folder + "/roclua.wasm.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	program, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	name := t.TempDir() + "/roclua.wasm"
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(file, program)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "--stack-size=8192", strings.TrimSpace(string(root))+"/lib/wasm/wasm_exec_node.js", name,
		"run", "--quiet")
	c.Dir = "../.."
	out, err := c.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(" 0 not passed")) {
		t.Errorf("%v: %s", err, out)
	}
	if use := c.ProcessState.SysUsage().(*syscall.Rusage); use.Maxrss > 1<<20 {
		t.Errorf("the run took %d KiB, want at most 1 GiB", use.Maxrss)
	}
	t.Logf("%v of processor time", c.ProcessState.UserTime()+c.ProcessState.SystemTime())
}
