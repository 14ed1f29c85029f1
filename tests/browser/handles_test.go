//go:build browser

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"roclua/host/exit"
)

// threeHandles is a scenario whose second handle grows and whose third handle lacks memory for a call.
const threeHandles = `
local rocblas, array = require "rocblas", require "array"
return {
  schemes = { "managed" },
  run = function(t)
    local second, third = rocblas.create_handle(), rocblas.create_handle()
    t:defer(rocblas.destroy_handle, second)
    t:defer(rocblas.destroy_handle, third)
    t:metric("workspace_bytes", t.handle:query(function(q) q:dgeqrf { m = 1000, n = 1000 } end), "bytes")
    local m, n = 128, 65536
    local A, B = t:upload(array.identity("d", m)), t:upload(array.zeros("d", m, n))
    second:dtrsm { side = "left", uplo = "upper", diag = "unit", m = m, n = n, alpha = 1, A = A, B = B }
    third:set_device_memory_size(64)
    t:raises(rocblas.status_memory_error, third.dtrsm, third, { side = "left", uplo = "upper", diag = "unit", m = m,
      n = n, alpha = 1, A = A, B = B })
  end,
}`

// TestLinesOfHandles checks that each of several handles has a line with its name, on which its growths, waits and
// failures are marked.
func TestLinesOfHandles(t *testing.T) {
	url := reportOf(t, map[string]string{"three.lua": threeHandles}, "three.lua")
	ctx := browse(t)
	do(t, ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(url),
		chromedp.WaitReady(`html[data-ready="true"]`))
	labels := eval[string](t, ctx,
		"[...document.querySelectorAll(`.picture text.strong`)].map(e => e.textContent).sort().join()")
	if labels != "handle 1,handle 2,handle 3" {
		t.Errorf("the lines have the names %q", labels)
	}
	const height = "const middle = e => { const b = e.getBoundingClientRect(); return (b.top + b.bottom) / 2 };" +
		"const of = (s, word) => [...document.querySelectorAll(`.picture .sign.` + s)]" +
		".filter(e => e.dataset.tip.includes(word)).map(middle)[0];" +
		"const top = n => document.querySelectorAll(`.picture path.handle`)[n - 1].getBoundingClientRect().top;"
	// The second line is highest where the growth of its handle ends.
	if far := eval[float64](t, ctx, "{"+height+"Math.abs(of(`growth`, `of handle 2`) - top(2))}"); far > 3 {
		t.Errorf("the growth of the second handle is %v pixels from its line", far)
	}
	// The third line falls from 32 MiB to 64 bytes before the call fails.
	if below := eval[float64](t, ctx, "{"+height+"of(`failed`, `dtrsm`) - top(3)}"); below < 5 {
		t.Errorf("the failure is %v pixels below the first level of the third line, want it at the last", below)
	}
}

// unordered is a scenario whose handle waits for a result, and writes memory that another handle uses in another
// stream, which nothing orders.
const unordered = `
local rocblas, array = require "rocblas", require "array"
return {
  schemes = { "managed" },
  run = function(t)
    local other = rocblas.create_handle()
    t:defer(rocblas.destroy_handle, other)
    local x = t:upload(array.zeros("d", 1000))
    rocblas.set_stream(other, t:stream(1)) -- non-blocking
    other:set_device_memory_size(2^20)
    other:dasum { n = 1000, x = x }
    other:dscal { n = 1000, alpha = 2, x = x }
    t.handle:dscal { n = 500, alpha = 2, x = x }
  end,
}`

// TestMarksOfHandles checks that a wait that changes no memory, and a hazard, are marked on the line of their handle.
func TestMarksOfHandles(t *testing.T) {
	url := reportOf(t, map[string]string{"unordered.lua": unordered}, "unordered.lua")
	ctx := browse(t)
	do(t, ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(url),
		chromedp.WaitReady(`html[data-ready="true"]`))
	const line = "(n => { const lines = [...document.querySelectorAll(`.picture path.handle`)]" +
		".map(e => e.getBoundingClientRect()); const signs = {sync: `result`, hazard: `dscal`};" +
		"const middle = s => { const e = [...document.querySelectorAll(`.picture .sign.` + s)]" +
		".find(e => e.dataset.tip.includes(signs[s])); if (!e) return 0;" +
		"const b = e.getBoundingClientRect(); return (b.top + b.bottom) / 2 };"
	// The first line is flat, and lower than the second one, which falls from 32 MiB to 1 MiB.
	wait := eval[float64](t, ctx, line+"return Math.abs(middle(`sync`) - lines[1].bottom) })()")
	hazard := eval[float64](t, ctx, line+"return Math.abs(middle(`hazard`) - lines[0].top) })()")
	if wait > 3 || hazard > 3 {
		t.Errorf("the wait is %v pixels from the line of the second handle, the hazard %v from the first", wait, hazard)
	}
}

// TestComparedRuns checks that the page of a comparison draws the memory of both runs over each other.
func TestComparedRuns(t *testing.T) {
	url := pageOf(t, map[string]string{"three.lua": threeHandles}, exit.Baseline, "compare", "rocm-6.4", "rocm-7.2",
		"three.lua")
	ctx := browse(t)
	do(t, ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(url),
		chromedp.WaitReady(`html[data-ready="true"]`))
	for selector, want := range map[string]string{
		"#failures h2":         "What changed: 1 case",
		"#failures summary":    "workspace_bytes: 512576 -> 1536064",
		"tr.case":              "more",
		"tr.detail .bar":       "memory in rocm-6.4",
		"tr.detail .metrics b": "512576 → 1536064",
	} {
		have := eval[string](t, ctx, "document.querySelector(`"+selector+"`).textContent")
		if !strings.Contains(have, want) {
			t.Errorf("%s: have %q, want it to contain %q", selector, have, want)
		}
	}
	text := eval[string](t, ctx, "document.querySelector(`#failures`).textContent")
	if strings.Contains(text, "false") {
		t.Errorf("the box of changes contains %q", text)
	}
	if n := eval[int](t, ctx, "document.querySelectorAll(`.picture path.earlier`).length"); n != 4 {
		t.Errorf("%d lines of the first run, want the device and three handles", n)
	}
}

// TestComparedFiles checks the page of two result files, which have no calls over time: the error that is new comes
// before the calls that are, and columns for which the files have nothing are absent.
func TestComparedFiles(t *testing.T) {
	script := map[string]string{"solve.lua": `
local rocblas, array = require "rocblas", require "array"
return {
  schemes = { "user_owned" },
  bytes = 64,
  run = function(t)
    local n = 64
    local A, B = t:upload(array.identity("d", n)), t:upload(array.zeros("d", n))
    local ipiv = t:upload(array.zeros("i32", n))
    pcall(t.handle.dgetrs, t.handle, { n = n, nrhs = 1, A = A, ipiv = ipiv, B = B })
    if t.profile ~= "rocm-6.4" then for _ = 1, 100 do require("hip").device_synchronize() end end
  end,
}`}
	var args []string
	for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
		args = append(args, outputOf(t, script, exit.Failed, "results.json", "run", "--quiet", "--profile", profile,
			"--out", "json=results.json", "solve.lua"))
	}
	url := pageOf(t, nil, exit.Baseline, append([]string{"compare"}, args...)...)
	ctx := browse(t)
	do(t, ctx, chromedp.EmulateViewport(1400, 900), chromedp.Navigate(url),
		chromedp.WaitReady(`html[data-ready="true"]`))
	first := eval[string](t, ctx, "document.querySelector(`#failures summary`).textContent")
	if want := "status.rocsolver_dgetrs.memory_error: new, 1"; !strings.Contains(first, want) {
		t.Errorf("the first change is %q, want %q", first, want)
	}
	header := eval[string](t, ctx, "[...document.querySelectorAll(`thead th`)].map(th => th.textContent).join(` `)")
	if want := "scenario scheme outcome worst change seconds"; !strings.Contains(header, want) {
		t.Errorf("the columns are %q, want %q", header, want)
	}
}
