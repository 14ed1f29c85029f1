//go:build browser

package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestReportOfManyCases opens the report of a run with 1,050 cases, or with -all five thousand, and logs its size and
// load time. The table shows the first thousand, and loads more when scrolled.
func TestReportOfManyCases(t *testing.T) {
	sizes := []int{1, 210}
	if *all {
		sizes = []int{1, 10, 1000}
	}
	const script = `return { params = { n = 1 }, schemes = "any", run = function(t)
		t:metric("bytes", t.handle:query(function(q) q:dgetrf{m=t.n, n=t.n} end), "bytes")
	end }`
	for _, n := range sizes { // times five schemes
		page := reportOf(t, map[string]string{"many.lua": script}, "many.lua", "--axis", fmt.Sprintf("n=1:%d", n))
		ctx := browse(t)
		do(t, ctx, chromedp.Navigate(page), chromedp.WaitReady(`html[data-ready="true"]`))
		rows := eval[int](t, ctx, countRows)
		took := eval[float64](t, ctx, `performance.getEntriesByType("navigation")[0].loadEventEnd`)
		info, err := os.Stat(strings.TrimPrefix(page, "file://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d cases: %d bytes, loaded in %.0f ms", 5*n, info.Size(), took)
		if rows != min(5*n, 1000) {
			t.Errorf("%d rows of %d cases, want at most 1000", rows, 5*n)
		}
		checkOtherRows(t, ctx, page, n)
	}
}

// checkOtherRows scrolls to the end of the table of cases with n values of a parameter, filters it, sorts it, and opens
// the last case by its link.
func checkOtherRows(t *testing.T, ctx context.Context, page string, n int) {
	t.Helper()
	const more, last = `document.getElementById("more")`, `[...document.querySelectorAll("tr.case")].at(-1).dataset.id`
	eval[bool](t, ctx, "scrollTo(0, document.body.scrollHeight); true")
	want := min(5*n, 2000)
	for range 100 {
		if eval[int](t, ctx, countRows) >= want {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if have := eval[int](t, ctx, countRows); have < want {
		t.Errorf("%d rows after the end of the table was looked at, want at least %d", have, want)
	}
	eval[bool](t, ctx, "while (!"+more+".hidden) "+more+".click(); true")
	if have := eval[int](t, ctx, countRows); have != 5*n {
		t.Errorf("%d rows after all were added, want %d", have, 5*n)
	}
	id := eval[string](t, ctx, last)
	search(t, ctx, id)
	if have := eval[int](t, ctx, countRows); have != 1 {
		t.Errorf("%d rows have the id %s", have, id)
	}
	do(t, ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(page+"#"+url.QueryEscape(id)),
		chromedp.WaitReady(`html[data-ready="true"]`))
	if have := eval[string](t, ctx, `document.querySelector("tr.detail code").textContent`); have != id {
		t.Errorf("the link to %s opens %s", id, have)
	}
}
