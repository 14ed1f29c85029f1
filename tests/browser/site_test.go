//go:build browser

package browser

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"roclua/host/site"
	"roclua/internal/atomicfile"
)

// TestSiteInBrowser searches the manual, which is opened from a disk, and follows a result.
func TestSiteInBrowser(t *testing.T) {
	first, _, err := site.Write(atomicfile.OS, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx := browse(t)
	do(t, ctx, chromedp.Navigate("file://"+filepath.ToSlash(first)), chromedp.WaitReady("#search"))
	eval[bool](t, ctx, `window.thrown = []; addEventListener("error", e => thrown.push(e.message)); true`)
	for _, test := range []struct{ search, want string }{
		{"dgetrf_64", "rocsolver-getrf.html"},
		{"hip.malloc_async", "module-hip.html"},
		{"malloc_async(", "module-hip.html"},
		{"query", "object-handle.html"},
		{"slurm", "cluster.html"},
		{"residual tolerance baseline", "topic-baseline.html"},
		{"qwertz", ""},
	} {
		search(t, ctx, test.search)
		results := eval[[]string](t, ctx, `[...document.querySelectorAll("#found a")].map(a => a.getAttribute("href"))`)
		if have := strings.Join(results, " "); test.want == "" && have != "" || !strings.HasPrefix(have, test.want) {
			t.Errorf("%s: found %v, want %s first", test.search, results, test.want)
		}
	}
	if thrown := eval[[]string](t, ctx, `thrown`); len(thrown) > 0 {
		t.Errorf("errors of scripts: %q", thrown)
	}
	search(t, ctx, "gesvd")
	click(t, ctx, `#found a`)
	do(t, ctx, chromedp.WaitReady(`nav [aria-current]`))
	if open := eval[string](t, ctx, `document.querySelector("nav [aria-current]").textContent`); open != "gesvd" {
		t.Errorf("the navigation shows %q", open)
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
	other := filepath.Join(filepath.Dir(first), "module-hip.html")
	do(t, ctx, chromedp.Navigate("file://"+filepath.ToSlash(other)), chromedp.WaitReady("main table"))
	const description = `document.querySelector("main td:nth-child(2)").getBoundingClientRect().right`
	if at := eval[float64](t, ctx, description); at > 390 {
		t.Errorf("at 390 pixels the description of a function ends at %v", at)
	}
}
