package config

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

const linesText = `seed = 1
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

func TestLines(t *testing.T) {
	var tree map[string]any
	if _, err := toml.Decode(linesText, &tree); err != nil {
		t.Fatal(err)
	}
	lines := readLines(linesText)
	for path, want := range map[string]int{
		"seed": 1, "params": 3, "params.n": 3, "limits": 4, "limits.timeout": 4, "limits.heep": 4, "target": 6,
		"target[0].profile": 7, "scenario": 9, "scenario[0]": 9, "scenario[0].script": 10, "scenario[0].skip": 11,
		"scenario[0].skip[0].reason": 12, "scenario[0].skip[1]": 14, "scenario[0].skip[1].reasn": 14,
		"scenario[1]": 17, "scenario[1].script": 18, "scenario[1].jobs": 19, `scenario[1].odd "key".x`: 20,
		"scenario[1].literal.part": 21, "scenario[1].after": 24, "scenario[1].zip.m": 27,
		"scenario[1].zip.m[0][1]": 27, "scenario[1].zip.m[1].n": 27, "scenario[1].last": 28,
		"scenario[1].faults": 29, "scenario[1].faults.nth": 30, "target[1]": 32, "target[1].arch": 33,
		"env.ROCBLAS_LAYER": 35, "scenario[1].tolerance.deep.x": 37,
		"target[0].arch": 6, "nowhere": 1, "scenario[1].faults.every": 29, // the table around a key that is not set
	} {
		if have := lines.of(path); have != want {
			t.Errorf("%s: line %d, want %d", path, have, want)
		}
	}
	if lines := readLines("a = \"\"\"x\\\n y\\\"\"\"\"\nb = 1"); lines["b"] != 3 {
		t.Errorf("the key after a continued line: %v", lines)
	}
	if n := len(lines); n != 43 {
		t.Errorf("%d keys: %v", n, lines)
	}
}

// TestWrongKeys checks the line, the key and the text of the first error in a file.
func TestWrongKeys(t *testing.T) {
	for text, want := range map[string]string{
		"[limits]\nheap = 1\n\n\n\n\nheep = 1":                 `:7: unknown key "limits.heep", did you mean "heap"?`,
		"jobs = 1\nlimits.heap = '1'\nlimits.'heep' = 1":       `:3: unknown key "limits.heep"`,
		"faults = { nth = 1,\n\n evry = 2 }":                   `:3: unknown key "faults.evry", did you mean "every"?`,
		"[[target]]\narch = 'x'\n[[target]]\n\nach = 'x'":      `:5: unknown key "target.ach", did you mean "arch"?`,
		"env = { seed = 'x' }\nexpect.seed = ''\nsed = 1":      `:3: unknown key "sed"`,
		"library = [\n'jobs = 1',\n]\njob = 1\nseed = ''":      `:4: unknown key "job", did you mean "jobs"?`,
		"[[scenario]]\nscript = ''\n[scenario.faults]\nnh = 1": `:4: unknown key "scenario.faults.nh"`,
		"seed = \"abc\"":            `:1: seed: "abc" is not an integer`,
		"\nseed = -1":               `:2: seed: -1, must not be negative`,
		"seed = 1.5":                `:1: seed: 1.5 is not an integer`,
		"shuffle = 1":               `:1: shuffle: 1 is not true or false`,
		"library = 'x'":             `:1: library: "x" is not a list of strings`,
		"library = [\n'a', 3]":      `:2: library: 3 is not a string`,
		"limits = 3":                `:1: limits: 3 is not a table`,
		"[limits]\nheap = 'lots'":   `:2: limits.heap: "lots" is not a size`,
		"[limits]\nheap = [1]":      `:2: limits.heap: a list is not a size`,
		"[target]\narch = 'gfx90a'": `:1: target: a table is not an array of tables; write [[target]]`,
		"[[scenario]]\nskip=1":      `:2: scenario.skip: 1 is not an array of tables`,
		"faults.nth = 'x'":          `:1: faults.nth: x is not an integer; want one, or a list`,
		"env.X = 3":                 `:1: env.X: 3 is not a string`,
	} {
		_, err := Load(write(t, text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n%v, want\n%s", text, err, want)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add(linesText)
	f.Add("a = [")
	f.Add("a = {b = \"\\")
	f.Add("a = {")
	f.Add("a = 'x")
	f.Add("a = \"\"\"x")
	f.Add("[[a]\n]b.=='''")
	f.Fuzz(func(t *testing.T, text string) {
		lines := readLines(text)
		for path, line := range lines {
			if line < 1 || line > strings.Count(text, "\n")+1 {
				t.Errorf("%q: %s is in line %d", text, path, line)
			}
		}
		var tree map[string]any
		if _, err := toml.Decode(text, &tree); err == nil {
			for name := range tree {
				if _, ok := lines[name]; !ok && !strings.ContainsAny(name, "\\\x00") {
					t.Errorf("%q: the key %q has no line", text, name)
				}
			}
		}
	})
}
