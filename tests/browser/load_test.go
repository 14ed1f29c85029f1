//go:build browser

package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPictureOfALoad looks at the picture of a workload whose handle grows once, in the event that takes longest.
func TestPictureOfALoad(t *testing.T) {
	ctx := browse(t)
	url := reportOf(t, map[string]string{"load.lua": `local hip = require "hip"
return {
  schemes = { "managed" },
  workload = { clients = 1, duration = "1s", rate = 200 },
  client = function(c)
    info = hip.malloc(4 * 4096) n = 0
    c:defer(hip.free, info)
    a, ipiv = hip.malloc(8 * 4 * 4 * 4096), hip.malloc(4 * 4 * 4096)
    c:defer(hip.free, a) c:defer(hip.free, ipiv)
    hip.memset(a, 0, 8 * 4 * 4 * 4096)
  end,
  event = function(c)
    n = n + 1
    if n == 100 then local p = c.handle:device_malloc(64 * 2^20) p:release() local s = os.clock()
      while os.clock() < s + 0.1 do end end
    hip.stream_synchronize(c.stream)
  end,
}`}, "load.lua")
	do(t, ctx, chromedp.Navigate(url+"#case=load%5Bscheme%3Dmanaged%5D%40cpu%2Frocm-7.2%2Fgfx90a"),
		chromedp.WaitVisible(".picture path.latency.max"))
	tip := eval[string](t, ctx, "document.querySelector(`.picture .sign.growth`).dataset.tip")
	if !strings.Contains(tip, "1 growth of workspaces") {
		t.Errorf("the growth says %q", tip)
	}
	const after = "(() => { const l = JSON.parse(document.getElementById(`run`).textContent).cases[0].load.intervals;" +
		" return l.reduce((a, b) => (b.max > a.max ? b : a)).end - l.find(i => i.growths).start })()"
	if seconds := eval[float64](t, ctx, after); seconds < 0.05 || seconds > 0.5 {
		t.Errorf("the longest latency ends %g s after the growth begins, want about 0.1", seconds)
	}
	if n := eval[int](t, ctx, "document.querySelectorAll(`.picture path.latency`).length"); n != 3 {
		t.Errorf("%d lines of latencies", n)
	}
	const gaps = "document.querySelector(`.picture path.latency.max`).getAttribute(`d`).match(/M/g).length"
	if n := eval[int](t, ctx, gaps); n < 2 {
		t.Error("the line of latencies has no gap while no event ends")
	}
	const overlap = "['.picture svg', '.histogram svg'].some(of => (t => t.some((a, i) => t.some((b, k) => k > i && " +
		"a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)))" +
		"([...document.querySelector(of).querySelectorAll(`text`)].map(e => e.getBoundingClientRect())))"
	const histogram = "(() => { const l = JSON.parse(document.getElementById(`run`).textContent).cases[0].load," +
		" bars = [...document.querySelectorAll(`.histogram rect`)].map(e => parseInt(e.dataset.tip));" +
		" return bars.length > 1 && bars.reduce((a, b) => a + b) === l.events && " +
		"[`p50`, `p99`, `longest`].every(q => document.querySelector(`.histogram`).textContent.includes(q)) })()"
	for _, width := range []int64{1400, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Reload(),
			chromedp.WaitVisible(".picture path.latency.max"))
		if eval[bool](t, ctx, overlap) {
			t.Errorf("at %d pixels labels of a picture overlap", width)
		}
		if !eval[bool](t, ctx, histogram) {
			t.Errorf("at %d pixels the histogram lacks events or quantiles", width)
		}
		const table = "document.querySelector(`#workloads tbody`).getBoundingClientRect().bottom"
		if at := eval[float64](t, ctx, table); at > 900 {
			t.Errorf("at %d pixels the table of workloads ends at %v, below the first screen", width, at)
		}
	}
	const digits = "document.querySelector(`main`).textContent.match(/\\d[.]\\d{5,}|e-\\d+/g) || []"
	if long := eval[[]string](t, ctx, digits); len(long) > 0 {
		t.Errorf("the page has the numbers %q", long)
	}
	const outside = "[...document.querySelectorAll(`.picture path.handle`)].filter(p => p.getBBox().x + " +
		"p.getBBox().width > Math.max(...[...p.ownerSVGElement.querySelectorAll(`line.grid`)].map(l => " +
		"l.x2.baseVal.value)) + 0.1).length"
	if n := eval[int](t, ctx, outside); n > 0 {
		t.Errorf("%d lines of handles leave the picture", n)
	}
	if n := eval[int](t, ctx, "document.querySelectorAll(`.picture rect.interval`).length"); n < 20 {
		t.Errorf("%d intervals", n)
	}
}

// TestCurves looks at the times of a call over the parameter that has most values, on two releases.
func TestCurves(t *testing.T) {
	url := pageOf(t, map[string]string{"measure.lua": `local hip = require "hip"
return { params = { n = 8 }, schemes = { "managed" }, run = function(t)
  local x = hip.malloc(8 * t.n)
  t:measure("scal", { max_time = 0.005 }, t.handle:prepare("rocblas_dscal", { n = t.n, alpha = 1, x = x }))
  hip.free(x)
end }`}, 0, "run", "--quiet", "measure.lua", "--axis", "n=64:4096:x4", "--profile", "rocm-6.4,rocm-7.2")
	ctx := browse(t)
	for _, width := range []int64{1400, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, 900))
		openPage(t, ctx, url)
		if have := eval[string](t, ctx, "document.querySelector(`.curves`).textContent"); !strings.Contains(have,
			"median time on the device over n") || !strings.Contains(have, "scal rocm-7.2 managed") {
			t.Errorf("at %d pixels the picture says %q", width, have)
		}
		if n := eval[int](t, ctx, "document.querySelectorAll(`.curves circle`).length"); n != 8 {
			t.Errorf("%d points, want 4 for each of 2 releases", n)
		}
		if wide := eval[float64](t, ctx, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("at %d pixels the page is %v pixels too wide", width, wide)
		}
	}
}
