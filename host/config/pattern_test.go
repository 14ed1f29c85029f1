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
}

// TestPatternsOfSimilarCases evaluates patterns on cases that their texts alone would confuse.
func TestPatternsOfSimilarCases(t *testing.T) {
	ids := []string{
		"solve[scheme=manual,n=64,type=d]@cpu/rocm-7.2/gfx90a",
		"solve[scheme=manual,n=640,type=d]@cpu/rocm-7.2/gfx90a",
		"x/solve[scheme=manual,n=64,type=d]@cpu/rocm-7.2/gfx90a*2",
		"solve[scheme=managed,n=1.048576e+06,type=zd]@cpu/rocm-6.4/gfx90a",
		"grow@cpu/rocm-7.2/gfx90a",
		"grow@cpu/rocm-7.2/gfx90a*2",
		"grow@cpu/rocm-7.2/gfx90a,gfx942",
	}
	for text, want := range map[string]string{
		"n=64": "0 2", "n=640": "1", "n=6": "", "n=64.0": "0 2", "n=1M": "3", "n=1048576": "3", "n=1.048576e+06": "3",
		"type=d": "0 1 2", "type=": "", "scheme=manual, n=64": "0 2", "n=64,type=d,scheme=managed": "",
		"manual": "0 1 2", "manual,@cpu/rocm-7.2/gfx90a*2": "2", "n=64,type=d]@cpu": "", "solve": "0 1 2 3",
		"=64": "0 1 2", "solve[scheme=manual,n=64": "0 2", "solve[scheme=manual": "0 1 2", "key=64": "",
		"gfx90a*2": "2 5",
		"solve[scheme=manual,n=64,type=d]@cpu/rocm-7.2/gfx90a":     "0",
		"x/solve[scheme=manual,n=64,type=d]@cpu/rocm-7.2/gfx90a*2": "2",
		"solve[scheme=manual,n=65,type=d]@cpu/rocm-7.2/gfx90a":     "",
		"grow@cpu/rocm-7.2/gfx90a":                                 "4", "@cpu/rocm-7.2/gfx90a": "0 1 2 4 5 6",
		"grow@cpu/rocm-7.2/gfx90a,gfx942": "6", "grow@cpu/rocm-7.2/gfx90a,gfx": "4 5 6", "rocm-7.2/gfx90a,gfx942": "6",
		"solve[scheme=manual,n=64,type=d]@cpu/rocm-7.2/gfx90a,n=64": "",
		"/n=64/": "0 1 2", "/^solve.*n=64\\b/": "0", "/n=6\\d{1,2},type/,x/": "2", "x/,/n=6\\d{1,2},type/": "2",
		"/solve": "2", "/rocm-6/": "3", "/rocm-7.2/": "0 1 2 4 5 6", "n=6.": "", "/^n/": "", "//": "",
	} {
		m, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for i, id := range ids {
			inside, _, _ := strings.Cut(id[strings.IndexAny(id, "[@")+1:], "]")
			value := func(key string) (string, bool) {
				_, rest, found := strings.Cut(","+inside, ","+key+"=")
				rest, _, _ = strings.Cut(rest, ",")
				return rest, found
			}
			if m.Matches(id, value) {
				have = append(have, string(rune('0'+i)))
			}
		}
		if got := strings.Join(have, " "); got != want || m.String() != text {
			t.Errorf("%q selects %q, want %q", text, got, want)
		}
	}
}

// TestAdvice explains patterns that select no case.
func TestAdvice(t *testing.T) {
	ids := []string{"solve[scheme=manual,n=64]@cpu/rocm-7.2/gfx90a", "x[scheme=managed,n=640]@cpu/rocm-7.2/gfx90a"}
	pairs := []string{"n=64", "n=640", "scheme=managed", "scheme=manual", "arch=gfx90a"}
	for text, want := range map[string]string{
		"none": "", "7.2,solve,n=640": "", "/n=6*5/": "", "scheme=manul": `, did you mean "scheme=manual"?`,
		"shceme=manual,x": `, did you mean "scheme=manual"?`, "n=6*": "+/n=6*/",
		"solve[scheme,n=[1-6]": "+solve[scheme,/n=[1-6]/",
		"^lu,/x/":              "+/^lu/,/x/", "x, solve$": "+x,/solve$/",
		"solv[scheme=manual,n=64]@cpu/rocm-7.2/gfx90a": `, did you mean` +
			` "solve[scheme=manual,n=64]@cpu/rocm-7.2/gfx90a"?`,
	} {
		p, err := ParsePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		want = strings.Replace(want, "+", "; a regular expression is between slashes: --filter ", 1)
		if have := p.Advice(ids, pairs, func(s string) string { return "--filter " + s }); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}
