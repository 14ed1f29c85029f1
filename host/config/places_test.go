package config

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const placesText = `seed = 1
# jobs = 3
params.n = 1
limits = { timeout = "1s", heep = 3 } # library = []

[[target]]
profile = "rocm-6.4"

[[scenario]] # script = "x"
script = "a"
skip = [
  { match = "x", reason = "y" },
  # { match = "odd" }
  { match = "z", reasn = "y" },
]

[[ scenario ]]
"script" = "b"
jobs = 2
"odd \"key\".x" = 1
'literal' . part = """
jobs = 3
\""" script = """""
after = '''
multi
line''' # comment
zip . m = [ [1, "]"], { n = '}' } ]
last = 1
[scenario.faults]
nth = 1

[[target]]
arch = "gfx942" # [[target]]
[env]
"ROCBLAS_LAYER" = "1"
[scenario.tolerance.deep]
x=1
`

func TestPlaces(t *testing.T) {
	var tree map[string]any
	if _, err := toml.Decode(placesText, &tree); err != nil {
		t.Fatal(err)
	}
	places := readPlaces(placesText)
	for path, want := range map[string]int{
		"seed": 1, "params": 3, "params.n": 3, "limits": 4, "limits.timeout": 4, "limits.heep": 4, "target": 6,
		"target[0].profile": 7, "scenario": 9, "scenario[0]": 9, "scenario[0].script": 10, "scenario[0].skip": 11,
		"scenario[0].skip[0].reason": 12, "scenario[0].skip[1]": 14, "scenario[0].skip[1].reasn": 14,
		"scenario[1]": 17, "scenario[1].script": 18, "scenario[1].jobs": 19, `scenario[1].odd "key".x`: 20,
		"scenario[1].literal.part": 21, "scenario[1].after": 24, "scenario[1].zip.m": 27,
		"scenario[1].zip.m[0][1]": 27, "scenario[1].zip.m[1].n": 27, "scenario[1].last": 28,
		"scenario[1].faults": 29, "scenario[1].faults.nth": 30, "target[1]": 32, "target[1].arch": 33,
		"env.ROCBLAS_LAYER": 35, "scenario[1].tolerance.deep.x": 37,
		"target[0].arch": 6, "nowhere": 1, "scenario[1].faults.every": 29, // the table around an unset key
	} {
		if have := places.of(path).line; have != want {
			t.Errorf("%s: line %d, want %d", path, have, want)
		}
	}
	for path, want := range map[string]int{
		"seed": 1, "limits": 1, "limits.timeout": 12, "limits.heep": 28, "target[0]": 1, "scenario[0].skip[1]": 3,
		"scenario[0].skip[0].reason": 18, "scenario[1].last": 1, "scenario[1].zip.m[0][1]": 17, "target[1].arch": 1,
	} {
		if have := places.of(path).column; have != want {
			t.Errorf("%s: column %d, want %d", path, have, want)
		}
	}
	if places := readPlaces("a = \"\"\"x\\\n y\\\"\"\"\"\n b = 1"); places["b"] != (place{3, 2}) {
		t.Errorf("the key after a continued line: %v", places)
	}
	if n := len(places); n != 43 {
		t.Errorf("%d keys: %v", n, places)
	}
}

// TestWrongKeys checks the line, the key and the text of the first error in a file.
func TestWrongKeys(t *testing.T) {
	for text, want := range map[string]string{
		"[limits]\nheap = 1\n\n\n\n\nheep = 1":                 `:7:1: unknown key "limits.heep", did you mean "heap"?`,
		"jobs = 1\nlimits.heap = '1'\nlimits.'heep' = 1":       `:3:1: unknown key "limits.heep"`,
		"faults = { nth = 1,\n\n evry = 2 }":                   `:3:2: unknown key "faults.evry", did you mean`,
		"[[target]]\narch = 'x'\n[[target]]\n\nach = 'x'":      `:5:1: unknown key "target.ach", did you mean "arch"?`,
		"env = { seed = 'x' }\nexpect.seed = ''\nsed = 1":      `:3:1: unknown key "sed"`,
		"library = [\n'jobs = 1',\n]\njob = 1\nseed = ''":      `:4:1: unknown key "job", did you mean "jobs"?`,
		"[[scenario]]\nscript = ''\n[scenario.faults]\nnh = 1": `:4:1: unknown key "scenario.faults.nh"`,
		"seed = \"abc\"":            `:1:1: seed: "abc" is not an integer`,
		"\nseed = -1":               `:2:1: seed: -1, must not be negative`,
		"seed = 1.5":                `:1:1: seed: 1.5 is not an integer`,
		"shuffle = 1":               `:1:1: shuffle: 1 is not true or false`,
		"library = 'x'":             `:1:1: library: "x" is not a list of strings`,
		"library = [\n'a', 3]":      `:2:6: library: 3 is not a string`,
		"limits = 3":                `:1:1: limits: 3 is not a table`,
		"[limits]\nheap = 'lots'":   `:2:1: limits.heap: "lots" is not a size`,
		"[limits]\nheap = [1]":      `:2:1: limits.heap: a list is not a size`,
		"[target]\narch = 'gfx90a'": `:1:1: target: a table is not an array of tables; write [[target]]`,
		"[[scenario]]\nskip=1":      `:2:1: scenario.skip: 1 is not an array of tables`,
		"faults.nth = 'x'":          `:1:1: faults.nth: x is not an integer; want one, or a list`,
		"env.X = 3":                 `:1:1: env.X: 3 is not a string`,
	} {
		_, err := Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%v, want\n%s", text, err, want)
		}
	}
}

func FuzzPlaces(f *testing.F) {
	f.Add(placesText)
	f.Add("a = [")
	f.Add("a = {b = \"\\")
	f.Add("a = {")
	f.Add("a = 'x")
	f.Add("a = \"\"\"x")
	f.Add("[[a]\n]b.=='''")
	f.Fuzz(func(t *testing.T, text string) {
		places := readPlaces(text)
		lines := strings.Split(text, "\n")
		for path, p := range places {
			if p.line < 1 || p.line > len(lines) || p.column < 1 || p.column > len(lines[p.line-1])+1 {
				t.Errorf("%q: %s is at %v", text, path, p)
			}
		}
		var tree map[string]any
		if _, err := toml.Decode(text, &tree); err == nil {
			for name := range tree {
				if _, ok := places[name]; !ok && !strings.ContainsAny(name, "\\\x00") {
					t.Errorf("%q: the key %q has no place", text, name)
				}
			}
		}
	})
}
