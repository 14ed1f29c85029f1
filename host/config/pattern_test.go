package config

import (
	"strings"
	"testing"
)

// TestPatterns matches cases with all kinds of items.
func TestPatterns(t *testing.T) {
	const id = "solve/lu[scheme=manual,n=64,type=s,u=a,b]@cpu/rocm-7.2/gfx90a"
	values := map[string]string{"scheme": "manual", "n": "64", "type": "s", "u": "a,b", "arch": "gfx90a"}
	valueOf := func(key string) (string, bool) { v, ok := values[key]; return v, ok }
	for text, want := range map[string]bool{
		"": true, id: true, "n=64": true, "n=6": false, "n=640": false, "n=64,type=s": true, "type=s,n=64": true,
		"n=64,type=d": false, "scheme=man": false, "arch=gfx90a": true, "arch=gfx9": false, "lu": true, "LU": false,
		"=manual": true, "m=64": false, "n=64,lu,/@cpu/": true, "/n=6.,type/": true, "/^lu/": false,
		"/n=(64|128),type=[sd]/,scheme=manual": true, "/n=64/,/type=d/": false, "7.2": true, "/lu": true, "/7.2/": true,
		"n=64.*": false, "solve/lu[scheme=manual,n=64": true, `/rocm\/x/`: false, `/cpu\/rocm/`: true,
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if have := p.Matches(id, valueOf); have != want {
			t.Errorf("%q: %t, want %t", text, have, want)
		}
	}
	for text, want := range map[string]string{"/(/": "missing closing", "n=1,,m=2": "empty item", "n=1,": "empty item",
		"/a/,/[/": "missing closing"} {
		if _, err := ParsePattern(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{"n=64": "", "7.2": "", "/n=6*/": "", "n=6*": "/n=6*/",
		"lu,n=[1-6]": "lu,/n=[1-6]/", "^lu,/x/": "/^lu/,/x/"} {
		if p, err := ParsePattern(text); err != nil || p.Slashes() != want {
			t.Errorf("%q: %q, %v, want %q", text, p.Slashes(), err, want)
		}
	}
}
