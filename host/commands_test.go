package host

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/hip/function"
	"roclua/host/exit"
	"roclua/host/recording"
	"roclua/host/recording/recordingtest"
	"roclua/host/replay"
	"roclua/host/topics"
)

// commands runs command lines in a new folder, in this process.
type commands struct {
	*testing.T
	variables map[string]string
	stdin     string
}

// newCommands writes files into the new folder. Scripts run without worker processes.
func newCommands(t *testing.T, files map[string]string) *commands {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, text := range files {
		put(t, path, text)
	}
	return &commands{T: t, variables: map[string]string{"ROCLUA_ISOLATION": "case", "XDG_CACHE_HOME": t.TempDir()}}
}

// run runs a command line of words without spaces and checks the exit code and the output: standard output, a line
// "--" and standard error. It must have each part in this order, but no part that starts with an exclamation mark. An
// argument in backquotes may have spaces.
func (c *commands) run(line string, code exit.Code, parts ...string) {
	c.Helper()
	args := []string{}
	for i, piece := range strings.Split(line, "`") {
		if i%2 == 1 {
			args = append(args, piece)
		} else {
			args = append(args, strings.Fields(piece)...)
		}
	}
	var stdout, stderr bytes.Buffer
	env := Env{Stdin: strings.NewReader(c.stdin), Stdout: &stdout, Stderr: &stderr, Now: time.Now, CPUs: 1,
		Getenv: func(name string) string { return c.variables[name] }}
	have := exit.Code(Main(args, env))
	text := stdout.String() + "--\n" + stderr.String()
	rest, wrong := text, have != code
	for _, part := range parts {
		if absent, ok := strings.CutPrefix(part, "!"); ok {
			wrong = wrong || strings.Contains(text, absent)
			continue
		}
		_, after, found := strings.Cut(rest, part)
		rest, wrong = after, wrong || !found
	}
	if wrong {
		c.Errorf("roclua %s\nexit code %d, want %d and %q; the output is\n%s", line, have, code, parts, text)
	}
}

// file returns the content of a file.
func (c *commands) file(path string) string {
	c.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		c.Error(err)
	}
	return string(text)
}

// lu is a scenario with a parameter, schemes and tags.
const lu = `return { about = "doubles n", params = { n = 4 }, schemes = { "managed" }, tags = { "quick" },
	run = function(t) t:metric("bytes", 2 * t.n) t:metric("one", 1) end }`

// plain is a scenario that opens no handle.
const plain = `return { params = { n = 1 }, run = function(t) t:metric("bytes", 2 * t.n) print("n is", t.n) end }`

const broken = "return {\n  run = 3,\n}"

func TestCompareCommand(t *testing.T) {
	c := newCommands(t, map[string]string{"p.lua": plain, "broken.lua": broken, "bad.json": "{"})
	c.run("run p.lua --axis n=1,2 --out json=a.json --out jsonl=a.jsonl", exit.Pass)
	c.run("run p.lua --axis n=1,3 --out json=b.json", exit.Pass)
	c.run("compare a.json a.json", exit.Pass, "a.json -> a.json: ", " SAME\n--\n")
	c.run("compare a.json b.json --out json=c.json --out text", exit.Baseline, "1 NEW, 1 GONE", "--\n")
	if text := c.file("c.json"); !strings.Contains(text, `"kind": "GONE"`) {
		t.Errorf("c.json is %s", text)
	}
	c.run("compare a.json", exit.Usage, "compare needs two result files or two profiles (see roclua compare --help)")
	c.run("compare", exit.Usage, "compare needs two result files or two profiles")
	c.run("compare a.json a.json p.lua", exit.Usage, `takes two result files; cases such as "p.lua"`)
	c.run("compare a.json rocm-7.2", exit.Usage, "compare a.json rocm-7.2: only one of them is a profile")
	c.run("compare rocm-7.2 a.json", exit.Usage, "compare rocm-7.2 a.json: only one of them is a profile", "files\n")
	c.run("compare rocm-6.4 rocm-7.3", exit.Usage, "only one of them is a profile; compare two profiles, or two ",
		`result files, did you mean "rocm-7.1" or "rocm-7.2"?`)
	c.run("compare rocm-6.3 rocm-7.2", exit.Usage, `result files, did you mean "rocm-6.4"?`)
	c.run("compare a.json rocm-6.3", exit.Usage, `"rocm-6.3" is neither a profile nor a result file: open rocm-6.3: `,
		`no such file or directory, did you mean "rocm-6.4"?`)
	c.run("compare none.json a.json", exit.Usage, `"none.json" is neither a profile nor a result file`)
	c.run("compare a.json bad.json", exit.Usage, "bad.json", "!neither")
	c.run("compare a.json a.json --out trace", exit.Usage, "--out trace: compare writes csv, github, html, json, ")
	c.run("compare a.json a.json --out yaml", exit.Usage, `unknown format "yaml"`)
	c.run("compare a.json a.json --out json=none/c.json", exit.Usage, "none")
	c.run("compare a.json a.json --out json=a.json", exit.Usage, "a.json")
	c.run("compare a.json a.json --tolerance n", exit.Usage, "--tolerance")
	c.run("compare rocm-6.4 rocm-7.2 p.lua", exit.Pass, "rocm-6.4 -> rocm-7.2: ", " SAME\n--\n")
	c.run("compare rocm-6.4 rocm-7.2 p.lua --filter none", exit.Nothing, `no case id matches --filter "none"`)
	c.run("compare rocm-6.4 rocm-7.2 none.lua", exit.Usage, "none.lua")
	c.run("compare rocm-6.4 rocm-7.2 broken.lua", exit.Usage, "broken.lua")
	events := c.file("a.jsonl")
	put(t, "cut.jsonl", events[:strings.LastIndex(strings.TrimSpace(events), "\n")+1])
	c.run("compare cut.jsonl a.json", exit.Pass, "SAME", "--\ncut.jsonl: the run did not end normally")
}

func TestListCommand(t *testing.T) {
	c := newCommands(t, map[string]string{"s/lu.lua": lu, "s/any.lua": strings.Replace(lu, `{ "managed" }`, `"any"`, 1),
		"s/p.lua": plain, "s/plain.lua": "print(1)", "broken.lua": broken,
		"config.toml": "[[scenario]]\nscript = \"s/lu.lua\"\nmatrix = { n = [1, 2] }\n" +
			"[[scenario]]\nscript = \"s/lu.lua\"\n[[scenario]]\nscript = \"s/p.lua\"\n"})
	c.run("list", exit.Pass, "scenario", "tags", "lu", "managed", "n=4", "quick", "doubles n", "p ", "n=1", "--\n")
	c.run("list s/p.lua", exit.Pass, "p ", "n=1", "--\n", "!tags", "!quick")
	c.run("list --json", exit.Pass, `"name": "lu"`, `"cases": 3`, `"name": "p"`, `"cases": 1`, "!error")
	c.run("list s/any.lua", exit.Pass, "any ", " any ")
	c.run("list --tags none", exit.Nothing, "no scenario has the tags")
	c.run("list none.lua", exit.Usage, "none.lua", "!│")
	c.run("list broken.lua", exit.Usage, "cannot be loaded: ", "--\n", "broken.lua")
	c.run("list broken.lua --json", exit.Usage, `"error": "`, "!│")
	c.run("inspect", exit.Pass, "lu: 1 target x n(2) = 2 cases\n", "lu[scheme=managed,n=1]", "--\n", "!warning")
	c.run("inspect --json", exit.Pass, `"lu[scheme=managed,n=1]`)
	c.run("inspect none.lua", exit.Usage, "none.lua")
	c.run("inspect s/lu.lua --axis m=1", exit.Usage, `no scenario has a parameter "m"`)
	c.run("inspect --arch gfx943", exit.Pass, "--\n", `warning: target 1: arch "gfx943" is not known`)
	c.run("inspect broken.lua", exit.Usage, "broken.lua")
	c.run("run s/lu.lua s/any.lua s/p.lua s/plain.lua broken.lua none.lua --help", exit.Pass, "Usage:",
		"\nlu: doubles n\n  schemes  managed\n  tags     quick\n  parameters, for --axis n=VALUES and --set params.n=",
		"    n  4  (number)\n", "\nany: doubles n\n  schemes  any\n", "\np\n  parameters", "(number)\n",
		"\nplain is a plain script", "\nbroken cannot be loaded: ", "\nnone.lua: ", "!\np:")
	c.run("run --help", exit.Pass, "Usage:", "!doubles")
}

func TestRunCommand(t *testing.T) {
	c := newCommands(t, map[string]string{"lu.lua": lu, "p.lua": plain, "fails.lua": `return { run = function(t)
		t:check(t.env.GOOD == "1", "must be good") end }`, "plain.lua": `print(arg[1] or "none")`,
		"broken.lua": broken})
	c.run("run lu.lua", exit.Pass, "1 case", "1 passed", "--\n")
	c.run("run fails.lua", exit.Failed, "must be good", "!roclua: ")
	c.run("run fails.lua --set env.GOOD=1", exit.Pass, "1 passed")
	c.run("run lu.lua --color blue", exit.Usage, "--color blue: want auto, always, never")
	c.run("run lu.lua --color always", exit.Pass, "\x1b[")
	c.run("run fails.lua --color always --out json=fails.json", exit.Failed, "--\nFAILED fails@", `!\x1b`, "!\x1b")
	c.run("run lu.lua --out yaml", exit.Usage, `unknown format "yaml"`)
	c.run("run lu.lua --filter none", exit.Nothing, `no case id matches --filter "none"`)
	c.run("run broken.lua", exit.Usage, "broken.lua")
	c.run("run plain.lua", exit.Pass, "none\n--\n", "!passed")
	c.run("run plain.lua -- --color", exit.Pass, "--color\n--\n")
	c.run("run plain.lua --out text", exit.Pass, "none\n", "1 passed")
	c.run("run plain.lua --out json", exit.Pass, `"passed"`, "none")
	c.run("run plain.lua lu.lua", exit.Pass, "2 passed")
	c.run("run lu.lua --arch gfx943", exit.Pass, `warning: target 1: arch "gfx943" is not known`)
	c.run("run lu.lua --set baseline=kept --update", exit.Pass, "1 passed")
	c.run("run lu.lua --update", exit.Usage, "--update: no baseline is configured")
	c.run("run lu.lua --set baseline=kept", exit.Pass, "!bytes")
	c.run("run lu.lua --set baseline=kept --axis n=5", exit.Baseline, "lu[scheme=managed,n=5]")
	put(t, "command.lua", `print("::error::x")`)
	c.run("run command.lua", exit.Pass, "::error::x\n--\n")
	c.variables["GITHUB_ACTIONS"] = "true"
	c.run("run command.lua", exit.Pass, "error::x", "!::error::x")
	c.variables["GITHUB_ACTIONS"], c.variables["GITHUB_STEP_SUMMARY"] = "true", "summary.md"
	c.run("run fails.lua", exit.Failed, "--\n", "::error")
	if text := c.file("summary.md"); !strings.Contains(text, "must be good") {
		t.Errorf("the summary is %q", text)
	}
	c.run("run fails.lua --out github=other.txt", exit.Failed, "!::error")
	c.variables["GITHUB_STEP_SUMMARY"] = "none/summary.md"
	c.run("run fails.lua", exit.Usage, "the summary of the step", "!must be good")
	delete(c.variables, "GITHUB_ACTIONS")
	put(t, "config.toml", "[[scenario]]\nscript = \"plain.lua\"\n")
	c.run("run -- word", exit.Pass, "word\n--\n")
}

func TestRerunFailed(t *testing.T) {
	c := newCommands(t, map[string]string{"p.lua": plain, "fails.lua": `return { params = { n = 1 }, run = function(t)
		t:check(t.n == 1) end }`, "config.toml": "[[scenario]]\nscript = \"fails.lua\"\nmatrix = { n = [1, 2] }\n"})
	c.run("run --rerun-failed", exit.Nothing, "--\n")
	c.run("run", exit.Failed, "2 cases: 1 passed, 1 not passed")
	c.run("run --rerun-failed", exit.Failed, "1 case: ", "!2 cases")
	c.run("run p.lua", exit.Pass, "1 passed")
}

func TestBaselinesOfWholeRuns(t *testing.T) {
	config := "baseline = \"kept\"\n[expect]\n\"max(bytes)\" = \"< 7\"\n" +
		"[[scenario]]\nscript = \"p.lua\"\nmatrix = { n = [1, 2] }\n"
	c := newCommands(t, map[string]string{"p.lua": plain, "config.toml": config,
		"less.toml": strings.Replace(config, "1, 2", "1", 1), "more.toml": strings.Replace(config, "1, 2", "1, 4", 1)})
	c.run("run --update", exit.Pass, "2 passed")
	c.run("run", exit.Pass, "2 passed", "!GONE")
	c.run("run less.toml", exit.Baseline, "GONE", "p[n=2]")
	c.run("run less.toml --filter n=1", exit.Pass, "1 passed", "!GONE")
	c.run("run less.toml --profile rocm-7.2", exit.Pass, "!GONE")
	c.run("run less.toml --shard 1/1", exit.Pass, "!GONE")
	c.run("run more.toml", exit.Failed, "max(bytes)")
	c.run("run more.toml --shard 1/1", exit.Pass, "!max(bytes)")
	c.run("run less.toml --update", exit.Pass, "!GONE")
	c.run("run less.toml", exit.Pass, "!GONE")
	if text := c.file("kept/p.toml"); strings.Contains(text, "n=2") {
		t.Errorf("the baseline keeps a case that is gone:\n%s", text)
	}
	c.run("run --set baseline=p.lua/kept --update", exit.Usage, "p.lua", "!passed")
	c.run("run --out json=kept/p.toml", exit.Usage, "kept/p.toml")
	c.run("run --out json=p.lua", exit.Usage, "the script p.lua")
	c.run("run --out json=config.toml", exit.Usage, "the configuration config.toml")
	c.run("run --out json=x --out csv=x", exit.Usage, "x")
}

func TestResumeCommand(t *testing.T) {
	c := newCommands(t, map[string]string{"p.lua": plain, "plain.lua": "print('top')",
		"c.toml": "[[scenario]]\nscript = \"p.lua\"\nmatrix = { n = [1, 2, 3] }\n"})
	c.run("run c.toml --out jsonl=e.jsonl", exit.Pass, "!passed")
	lines := strings.SplitAfter(c.file("e.jsonl"), "\n")
	cut := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"event":"case"`) })
	put(t, "e.jsonl", strings.Join(lines[:cut+2], "")) // two of three cases
	c.run("run c.toml --resume e.jsonl --out jsonl=new.jsonl --out text", exit.Pass, "3 cases: 3 passed")
	if n := strings.Count(c.file("e.jsonl"), `"event":"case"`); n != 3 {
		t.Errorf("the resumed file has %d cases", n)
	}
	if n := strings.Count(c.file("new.jsonl"), `"event":"case"`); n != 3 {
		t.Errorf("the new file has %d cases", n)
	}
	c.run("run c.toml --axis n=9 --resume e.jsonl", exit.Usage, "--resume: ")
	c.run("run c.toml --resume none.jsonl", exit.Usage, "--resume: ")
	c.run("run c.toml --resume e.jsonl --out json=e.jsonl", exit.Usage, "e.jsonl")
	c.run("run plain.lua --out jsonl=p.jsonl", exit.Pass, "top\n")
	c.run("run plain.lua --resume p.jsonl", exit.Pass, "top\n--\n")
	c.run("run c.toml --resume .", exit.Usage, "--resume: ")
	c.run("run c.toml --resume try.jsonl --shard 1/2", exit.Pass, "2 passed")
	c.run("run c.toml --resume try.jsonl --shard 1/2", exit.Pass, "2 passed")
	c.run("run c.toml --resume try.jsonl --shard 1/2 --set seed=5", exit.Usage, "--resume: ")
	c.run("run c.toml --shard 1/2 --out jsonl=e.jsonl --out json", exit.Usage, "--out jsonl: ")
	c.run("run c.toml --shard 1/2 --resume e.jsonl", exit.Usage, "--resume: ")
}

func TestShardCommand(t *testing.T) {
	c := newCommands(t, map[string]string{"p.lua": plain, "c.toml": "[expect]\n\"max(bytes)\" = \"< 3\"\n" +
		"[[scenario]]\nscript = \"p.lua\"\nmatrix = { n = [1, 2, 3] }\n"})
	c.run("run c.toml --shard 1/2 --shard-by x", exit.Usage, "--shard-by was removed: ")
	c.run("run c.toml --shard 4/3", exit.Usage, "--shard ")
	c.run("run c.toml --shard 1/2 --update", exit.Usage, "--shard cannot be combined with --update: ")
	c.run("run c.toml --shard 1/2 --watch", exit.Usage, "--shard cannot be combined with --watch: ")
	c.run("run c.toml --shard 1/2 --out jsonl=ev/1.jsonl", exit.Usage, "ev")
	if err := os.Mkdir("ev", 0o700); err != nil {
		t.Fatal(err)
	}
	c.run("run c.toml --shard 1/2 --out jsonl=ev/1.jsonl", exit.Pass, "--\n", "shard 1/2: 2 of 3 cases\n")
	c.run("run c.toml --shard 2/2 --quiet --out jsonl=ev/2.jsonl", exit.Pass, "!shard 2/2")
	c.run("run c.toml --out json=all.json", exit.Failed, "--\n",
		"over all\n  FAILED expect max(bytes) < 3 of all cases: 6\n")
	c.run("merge", exit.Usage, "merge needs the event files of shards")
	c.run("merge none.jsonl", exit.Usage, "none.jsonl")
	c.run("merge ev --out yaml", exit.Usage, `unknown format "yaml"`)
	c.run("merge ev", exit.Failed, "max(bytes)", "3 cases: 3 passed")
	c.run("merge ev/1.jsonl", exit.Failed, "3 cases: 2 passed, 1 not passed")
	c.run("merge ev --update", exit.Usage, "--update: no baseline is configured")
	c.run("merge ev --out json=ev/1.jsonl", exit.Usage, "the events ev/1.jsonl")
	c.run("merge ev --out jsonl=m.jsonl", exit.Failed)
	if text := c.file("m.jsonl"); strings.Count(text, `"event":"case"`) != 3 || !strings.Contains(text, `"cases":3`) {
		t.Errorf("the merged events are\n%s", text)
	}
}

func TestPages(t *testing.T) {
	c := newCommands(t, nil)
	c.run("", exit.Pass, "Usage:", "Available Commands:")
	c.run("rnu", exit.Usage, `unknown command "rnu", did you mean "run"?`)
	c.run("run --profil x", exit.Usage, `unknown flag --profil, did you mean "--profile"? (see roclua run --help)`)
	c.run("run -z", exit.Usage, "roclua: unknown flag -z (see roclua run --help)\n")
	c.run("run -profile x", exit.Usage, `unknown flag -profile, did you mean "--profile"? (see roclua run --help)`)
	c.run("run --seed", exit.Usage, "roclua: --seed needs a value (see roclua run --help)\n")
	c.run("run --repeat x", exit.Usage, `roclua: --repeat: "x" is not an integer (see roclua run --help)`)
	c.run("run --repeat 99999999999999999999", exit.Usage, `--repeat: "99999999999999999999" is too large (see`)
	c.run("run --quiet=x", exit.Usage, `roclua: --quiet: "x" is not true or false (see`)
	c.run("run --=x", exit.Usage, "roclua: bad flag syntax: --=x (see roclua run --help)")
	c.run("verify --seed -1", exit.Usage, `roclua: --seed: "-1" is not an integer from 0 (see roclua verify --help)`)
	c.run("verify a b", exit.Usage, "roclua: verify takes one pattern, got 2 (see roclua verify --help)")
	c.run("platforms x", exit.Usage, `roclua: platforms takes no arguments, got "x" (see roclua platforms --help)`)
	c.run("help rnu", exit.Usage, `unknown command "rnu", did you mean "run"? (see roclua --help)`)
	c.run("help run", exit.Pass, "run executes cases and reports them")
	c.run("help completion bash", exit.Pass, "roclua completion bash")
	c.run("completion", exit.Pass, "Available Commands:")
	c.run("completion bsh", exit.Usage,
		`unknown command "bsh", did you mean "bash" or "zsh"? (see roclua completion --help)`)
	c.run("completion bash x", exit.Usage, `roclua: bash takes no arguments, got "x" (see roclua completion bash`)
	c.run("version", exit.Pass, "roclua ", "platforms  amd, cpu, nvidia", "rocm-7.2 ")
	c.run("--version", exit.Pass, "roclua "+version()+"\n--\n")
	c.run("platforms", exit.Pass, "cpu  ready\n", "    device 0  ", "--\n")
	c.run("platforms", exit.Pass, "cpu  ready\n")
	c.run("docs", exit.Pass, "roclua docs NAME")
	c.run("docs hip.malloc exit", exit.Pass, "hip.malloc(size) -> ptr", "70 ")
	c.run("docs frobnicate", exit.Usage, `nothing is called "frobnicate"`)
	c.run("docs --reference", exit.Pass, "# Reference", "## Exit codes")
	c.run("docs --schema config", exit.Pass, `"title": "A configuration of roclua"`)
	c.run("docs --schema confg", exit.Usage, `--schema: `, `did you mean "config"?`)
}

func TestProjectCommands(t *testing.T) {
	c := newCommands(t, nil)
	c.run("types", exit.Usage, "types needs a folder to write to: --out DIR")
	c.run("types --out ann", exit.Pass, "hip.lua")
	c.run("types --out ann/hip.lua", exit.Usage, "cannot write the annotations: ")
	c.run("init a b", exit.Usage, "roclua: init takes one folder, got 2 (see roclua init --help)")
	c.run("new", exit.Usage, "roclua: new needs the name of a scenario, such as solve/mine (see roclua new --help)")
	c.run("new a b", exit.Usage, "roclua: new takes one name, got 2")
	c.run("init", exit.Pass, "wrote  config.toml\n", "next: roclua run\n")
	c.run("init .", exit.Pass, "kept   config.toml\n", "next: roclua run\n")
	c.run("init `it's a`", exit.Pass, `next: cd 'it'\''s a' && roclua run`)
	c.run("new `solve/a b`", exit.Pass, "next: roclua run 'scripts/solve/a b.lua'\n")
	c.run("new solve/x-1.b+c_d", exit.Pass, "next: roclua run scripts/solve/x-1.b+c_d.lua\n")
	c.run("init proj", exit.Pass, "wrote  proj/config.toml\n", "next: cd proj && roclua run\n")
	c.run("init ann/hip.lua", exit.Usage, "!next")
	c.run("new solve/mine", exit.Pass, "wrote  scripts/solve/mine.lua\n\nnext: roclua run scripts/solve/mine.lua\n")
	c.run("new solve/mine", exit.Usage, "!next")
	c.run("run --quiet", exit.Pass, "passed")
}

func TestSizeCommand(t *testing.T) {
	c := newCommands(t, nil)
	c.stdin = "dgetrf m=64 n=64\n"
	c.run("size", exit.Usage, "size needs a call, such as 'dgetrf m=1024 n=1024'")
	c.run("size `dgetrf m=64 n=64`", exit.Pass, "dgetrf", "--\n", "!roclua: warning")
	c.run("size -", exit.Pass, "dgetrf")
	c.stdin = "frobnicate\n"
	c.run("size -", exit.Usage, "frobnicate")
	c.run("size `dgetrf m=64`  --json --csv", exit.Usage, "--json and --csv both use standard output; choose one")
	c.run("size `dgetrf m=64 n=64` --json", exit.Pass, "{\n", `"dgetrf`, "!,dgetrf")
	c.run("size `dgetrf m=64 n=64` --csv", exit.Pass, ",", "!{")
	c.run("size frobnicate", exit.Usage, "frobnicate")
	c.run("size `dgetrf m=64 n=64` --arch gfx9999", exit.Pass, "--\n", `warning: arch "gfx9999" is not known`)
	c.run("size `dgetrf m=n n=n` --sweep n=64,128 --plot g.svg", exit.Pass, "264960")
	c.run("size `dgetrf m=n n=n` --sweep n=64,128 --plot none/g.svg", exit.Usage, "--plot none/g.svg: ")
	if text := c.file("g.svg"); !strings.Contains(text, "<svg") {
		t.Errorf("the plot is %.80q", text)
	}
}

func TestReplCommand(t *testing.T) {
	c := newCommands(t, nil)
	c.stdin = "1 + 2\n"
	c.run("repl", exit.Pass, "3\n")
	c.run("repl --scheme none", exit.Pass, "3\n")
	c.run("repl --scheme other", exit.Usage, "--scheme: ")
	c.run("repl --profile rocm-6.4,rocm-7.2", exit.Usage, "repl needs one target, got 2")
	c.run("repl --profile rocm-1", exit.Usage, "rocm-1")
	c.stdin = "error('broken')\n1 + 2\n"
	c.run("repl", exit.Script, "3\n", "broken")
	c.stdin = "while true do end\n"
	c.run("repl --timeout 20ms", exit.Timeout, "limit of 20ms")
	c.run("repl --timeout 0s", exit.Usage, "--timeout: 0s, must be positive")
}

func TestCompletions(t *testing.T) {
	c := newCommands(t, map[string]string{"a/one.lua": lu, "a/two.lua": plain, "broken/config.toml": "x = 1",
		"config.toml":         "[[scenario]]\nscript = \"a\"\n",
		"missing/config.toml": "[[scenario]]\nscript = \"none.lua\"\n"})
	c.run("__complete run a", exit.Pass, "one\n", "two\n", ":0")
	c.run("__complete run --axis ``", exit.Pass, "n=\n:6\n", "!n=\nn=")
	c.run("__complete run --profile rocm-6", exit.Pass, "rocm-6.4\n")
	c.run("__complete run --out j", exit.Pass, "json\n", ":2\n")
	c.run("__complete size --arch gfx90", exit.Pass, "gfx90a\n")
	c.run("__complete size --profile ``", exit.Pass, "rocm-7.2\n")
	c.run("__complete docs --schema ``", exit.Pass, "config\n")
	c.run("__complete docs getrf_", exit.Pass, "getrf_npvt\n", ":4\n")
	c.run("__complete size dgetrf", exit.Pass, "dgetrf\n")
	for _, folder := range []string{"a", "broken", "missing"} {
		t.Chdir(folder)
		c.run("__complete run ``", exit.Pass, "!one\n", ":0")
		t.Chdir("..")
	}
}

// TestProductsOfRecording computes the kernels of a recording for its own release and architecture, and for others that
// flags name.
func TestProductsOfRecording(t *testing.T) {
	w := recordingtest.Writer{Process: recording.Process{PID: 1, Ended: true, Facts: map[string]string{
		"rocblas.version": "4.4.1", "device.0.arch": "gfx1100"}}}
	w.Add(&recording.Call{Function: &recording.Function{Name: "rocblas_create_handle", Signature: "rH"}, Thread: 1,
		End: 1, Args: []recording.Value{{Letter: 'H'}}, Results: []uint64{1}})
	call := &recording.Call{Function: &recording.Function{Name: "rocblas_hgemm", Signature: "rhiiiiiapipiapi"},
		Thread: 1, Start: 2, End: 3, Handle: 1}
	values := []int64{1, 111, 111, 64, 64, 64, 0, 1, 64, 1, 64, 0, 1, 64}
	for i, l := range call.Signature[1:] {
		v := recording.Value{Letter: function.Kind(l), Int: values[i]}
		if l == 'a' {
			v.Scalar = []byte{0, 60}
		}
		call.Args = append(call.Args, v)
	}
	w.Add(call)
	w.Process.Facts["unknown.hipFutureCall"] = "1"
	packs, err := filepath.Abs("../workspace/testdata")
	if err != nil {
		t.Fatal(err)
	}
	c := newCommands(t, map[string]string{"app.rec": string(w.Bytes())})
	const tuning = "/rocm-6.4/tuning-gfx1100.zip"
	c.run("gemm app.rec --workspace 0 --tuning "+packs+tuning, exit.Pass, "rocm-6.4/gfx1100", "hgemm", "!rocm-7.2",
		"app.rec: the program uses functions that record does not know, whose effects are missing: hipFutureCall")
	c.run("gemm app.rec --json --workspace 0 --tuning "+packs+tuning, exit.Pass, `"notes": [`, "hipFutureCall")
	c.run("gemm app.rec --profile rocm-7.2 --arch gfx90a --workspace 0 --tuning "+packs+"/rocm-7.2/tuning-gfx90a.zip",
		exit.Pass, "rocm-7.2/gfx90a", "!rocm-6.4")
}

// upgraded is a recording of rocm-6.4: in a workspace of the program a dgetrs has enough memory there, and not on
// rocm-7.2.
func upgraded(disk bool) string {
	w := recordingtest.Writer{Process: recording.Process{PID: 7, Ended: true, DiskFull: disk, Facts: map[string]string{
		"rocblas.version": "4.4.1", "rocsolver.version": "3.28.2", "device.0.arch": "gfx90a"}}}
	add := caller()
	w.Add(add("hipMalloc", "Mz", []uint64{0x100000}, 0, 8<<20))
	create := add("rocblas_create_handle", "H", []uint64{1}, 0)
	create.Inside = []*recording.Call{add("hipMalloc", "Mz", []uint64{0x1000000}, 0, 32<<20)}
	create.End += time.Millisecond
	w.Add(create)
	w.Add(add("rocblas_set_workspace", "hmz", nil, 1, 0x100000, 1896448))
	w.Add(add("rocsolver_dgetrs", "hiiipippi", nil, 1, 111, 1500, 5, 1, 1500, 1, 1, 1500))
	return string(w.Bytes())
}

// caller returns a function that makes the next call of a recording.
func caller() func(name, signature string, results []uint64, values ...int64) *recording.Call {
	now := time.Duration(0)
	return func(name, signature string, results []uint64, values ...int64) *recording.Call {
		c := &recording.Call{Function: &recording.Function{Name: name, Signature: "r" + signature}, Thread: 1,
			Start: now, End: now + 10, Results: results}
		for i, l := range signature {
			v := recording.Value{Letter: function.Kind(l), Int: values[i]}
			if v.Letter == function.Handle {
				c.Handle = int(values[i])
			}
			c.Args = append(c.Args, v)
		}
		now += time.Millisecond
		return c
	}
}

// TestDefectsOfRecordings names the known defects of the recorded versions, also of libraries that are not modelled and
// of HIP, and compares releases.
func TestDefectsOfRecordings(t *testing.T) {
	c := newCommands(t, nil)
	write := func(rocblas, rocsolver, hip string, more ...string) {
		w := recordingtest.Writer{Process: recording.Process{PID: 7, Ended: true, Facts: map[string]string{
			"rocblas.version": rocblas, "rocsolver.version": rocsolver, "hip.version": hip, "device.0.arch": "gfx90a"}}}
		for _, name := range more {
			w.Process.Facts["env."+name] = "1"
		}
		add := caller()
		w.Add(add("rocblas_create_handle", "H", []uint64{1}, 0))
		w.Add(add("rocsolver_dgetri", "hipipp", nil, 1, 255, 1, 255, 1, 1))
		w.Add(add("rocsolver_dsyevd", "hiiipippp", nil, 1, 211, 122, 20, 1, 20, 1, 1, 1))
		w.Add(add("rocblas_dtrsv_batched", "hiiiipipii", nil, 1, 121, 111, 131, 10, 1, 10, 1, 1, 70000))
		put(t, "app.rec", string(w.Bytes()))
	}
	write("4.4.0", "3.28.0", "6.4.43482")
	c.run("log app.rec", exit.Pass, "1 call, dgetri n=255: getri-trsm-size", "syevd-memory-3.28.0",
		"!batched-launch-refused", "pool-oom-6.4")
	c.run("log app.rec --profile rocm-6.4", exit.Pass, "getri-trsm-size", "!syevd-memory-3.28.0")
	c.run("plan app.rec --profile rocm-7.2,rocm-6.4 --fail-on defect", exit.Baseline,
		"dgetri n=255: not affected -> getri-trsm-size")
	c.run("log app.rec --profile rocm-6.4,rocm-7.2 --fail-on defect", exit.Pass, "nothing is worse")
	c.run("compare rocm-6.4 rocm-7.2 app.rec", exit.Baseline, "defects.getri-trsm-size.dgetri")
	write("5.2.0", "3.32.0", "7.14.60850")
	const refused = "n=10 batch_count=70000: "
	c.run("log app.rec", exit.Pass, "batch_count=70000: batched-launch-refused\n", "!pool-oom-6.4")
	c.run("log app.rec --profile rocm-6.4,rocm-7.2 --fail-on defect", exit.Baseline,
		refused+"not affected -> batched-launch-refused")
	c.run("run app.rec --profile rocm-7.2", exit.Pass, "batched-launch-refused: crash, certain; 1 call in 1 case")
	write("5.2.0", "3.32.0", "7.2.53211")
	c.run("log app.rec", exit.Pass, "!batched-launch-refused")
	c.run("run app.rec", exit.Pass, "!defects of schemes")
	write("5.2.0", "3.32.0", "7.2.53211", "ROCBLAS_STREAM_ORDER_ALLOC")
	c.run("run app.rec --profile rocm-6.4,rocm-7.2", exit.Pass, "recorded on rocm-6.4/gfx90a: pool-oom-6.4",
		"recorded on rocm-7.2/gfx90a: pool-failed-alloc, pool-free-count")
	write("5.2.0", "3.32.0", "new")
	c.run("log app.rec", exit.Pass, "!batched-launch-refused", "known defects: pool-failed-alloc")
}

// TestRunRecording runs recordings as cases: each process is one, under the recorded release and another one.
func TestRunRecording(t *testing.T) {
	c := newCommands(t, map[string]string{"app.rec": upgraded(false), "app.rec.99": upgraded(false),
		"full.rec": upgraded(true), "no.rec": "no recording", "app.toml": `
[[target]]
profile = "rocm-6.4"
[[target]]
profile = "rocm-7.2"
[[scenario]]
recording = "app.rec"
name = "upgrade"
tags = ["slow"]
expect = { workspace_peak_bytes = "== 32MiB", "hip.malloc" = "== 2", left_bytes = "== 8MiB" }
known_failures = [{ match = "profile=rocm-7.2", reason = "the workspace is too small" }]
`, "both.toml": "[[scenario]]\nscript = \"a.lua\"\nrecording = \"app.rec\"\n",
		"no.toml": "[[scenario]]\nrecording = \"no.rec\"\n",
		"schemes.toml": `target = [{profile = "rocm-6.4"}, {profile = "rocm-7.2"}]
[[scenario]]
recording = "app.rec"
bytes = "2MiB"
schemes = ["recorded", "managed", "preallocated", "manual", "user_owned", "stream_ordered"]
`})
	const failure = "call 3, rocsolver_dgetrs, thread 1, after 4ms: rocsolver_dgetrs returns success, as on " +
		"rocm-6.4\n    have memory_error: needs 1920000 bytes (1.8 MiB), the handle's user_owned workspace has " +
		"1896448 bytes"
	c.run("run app.rec --profile rocm-6.4", exit.Pass, "│ app ", "│ app/99 ", "2 cases: 2 passed")
	c.run("run app.rec --profile rocm-7.2", exit.Failed, "FAILED app@cpu/rocm-7.2/gfx90a\n", failure,
		"FAILED app/99@cpu/rocm-7.2/gfx90a\n", failure)
	c.run("run app.rec --profile rocm-6.4", exit.Pass, "│ app      │ recorded │ ok")
	c.run("run app.rec --profile rocm-6.4 --out json", exit.Pass, `"scheme": "recorded"`)
	c.run("run app.rec --profile rocm-6.4 --filter scheme=managed", exit.Nothing)
	c.run("list app.rec", exit.Pass, "│ app      │ recorded │", "│ app/99   │ recorded │")
	c.run("run schemes.toml", exit.Failed, "recorded       │ ok 33554432 B │ FAILED ",
		"preallocated   │ ok 2097152 B  │ ok 2097152 B ", "user_owned     │ ok 33554432 B │ ok 33554432 B",
		"FAILED app@cpu/rocm-7.2/gfx90a\n", "22 passed, 2 not passed")
	c.run("run schemes.toml app[scheme=manual]@cpu/rocm-7.2/gfx90a", exit.Pass, "1 passed")
	put(t, "wrong.toml", "[[scenario]]\nrecording = \"app.rec\"\nschemes = [\"recordet\"]\n")
	c.run("run wrong.toml", exit.Usage,
		`wrong.toml:3:12: scenario 1: schemes: unknown scheme "recordet", did you mean "recorded"?`)
	put(t, "wrong.toml", "[[scenario]]\nrecording = \"app.rec\"\nbytes = 100\n")
	c.run("run wrong.toml", exit.Usage, "wrong.toml:3:1: scenario app: bytes has no effect, because its handles have "+
		"the memory that the program set")
	put(t, "a.lua", `return {schemes = {"managed"}, run = function() end}`)
	put(t, "wrong.toml", "[[scenario]]\nscript = \"a.lua\"\nschemes = [\"recorded\"]\n")
	c.run("run wrong.toml", exit.Usage, "scenario a: scheme recorded is not one of its schemes (managed)")
	c.run("run app.toml --tags slow", exit.Pass, "│ upgrade ", "│ upgrade/99 ", "2 passed", "2 known to fail")
	c.run("run app.toml upgrade@cpu/rocm-6.4/gfx90a --out json", exit.Pass, `"script": "app.rec"`,
		`"peak_bytes": 41943040`)
	c.run("run full.rec --profile rocm-6.4", exit.Failed, "not known: the disk was full")
	c.run("run app.rec --profile rocm-6.4 --set faults.nth=2", exit.Failed, "call 1, rocblas_create_handle",
		"memory_error")
	c.run("run app.rec --profile rocm-6.4 --device-memory 36MiB", exit.Failed, "rocblas_create_handle returns success",
		"have memory_error: needs 33554432 bytes (32.0 MiB), the device has 29360128 bytes (28.0 MiB)",
		"not known: 1 call of routines: the handle could not be created")
	empty := recordingtest.Writer{Process: recording.Process{Ended: true, Facts: map[string]string{
		"rocblas.version": "4.4.1"}}}
	put(t, "empty.rec", string(empty.Bytes()))
	c.run("run empty.rec", exit.Failed, "not known: the recording has no rocBLAS or rocSOLVER calls")
	c.run("run no.rec", exit.Usage, "no.rec is neither a configuration (.toml) nor a script (.lua) nor a recording")
	c.run("run no.toml", exit.Usage, `no.toml:2:1: recording "no.rec" is not a recording`)
	c.run("run both.toml", exit.Usage, `recording: "app.rec", and there is a script: a scenario is one of them`)
	const worse = "app.rec: call 3, rocsolver_dgetrs, thread 1, after 4ms: success -> memory_error"
	c.run("log app.rec --profile rocm-6.4,rocm-7.2 --fail-on growth,status", exit.Baseline, "worse", worse)
	c.run("plan app.rec --profile rocm-6.4,rocm-7.2 --fail-on status", exit.Baseline, "worse", worse)
	c.run("log app.rec --profile rocm-7.2,rocm-6.4 --fail-on status", exit.Pass, "nothing is worse")
	c.run("log app.rec --profile rocm-6.4,rocm-7.2 --fail-on status --workspace 1896448", exit.Baseline,
		"dgetrs trans=none n=1500 nrhs=5: success -> memory_error, in a user-owned workspace of 1,896,448 bytes")
	c.run("log full.rec --profile rocm-7.2,rocm-6.4 --fail-on status", exit.Baseline,
		"not compared, which fails, too:\n", "full.rec: the disk was full, and later calls are missing")
	c.run("compare rocm-6.4 rocm-7.2 app.rec", exit.Baseline, "app", "rocm-7.2", "!not known")
	c.run("compare rocm-6.4 rocm-7.2 full.rec", exit.Baseline,
		"full: not known: the disk was full, and later calls are missing\nrocm-6.4 -> rocm-7.2: ")
	c.run("compare rocm-6.4 rocm-7.2 full.rec --out json", exit.Baseline, `"unknown": [`)
	c.run("log app.rec --profile rocm-7.2", exit.Pass, "workspaces that the program set\n",
		"│ 1896448 (1.8 MiB) │ 1920000 (1.8 MiB) │ rocsolver_dgetrs, call 3 │ too small │")
	c.run("log app.rec --profile rocm-6.4 --out json", exit.Pass, `"workspaces": [`, `"needs_bytes": 1896448`)
}

// TestFindings shows the page of each finding, and runs the scenarios in them, which fail.
func TestFindings(t *testing.T) {
	for code, script := range topics.Findings() {
		c := newCommands(t, map[string]string{"s.lua": script})
		c.run("docs "+code, exit.Pass, code+": a finding of roclua log, plan and run in a recording\n\n")
		switch {
		case script == "":
		case strings.HasPrefix(code, "unordered"):
			c.run("run s.lua", exit.Failed, "FAILED s[scheme=managed]@cpu/rocm-7.2/gfx90a\n  hazard: ")
		case code == replay.NoMemory:
			c.run("run s.lua", exit.Script, "ERROR s[scheme=managed]@cpu/rocm-7.2/gfx90a", "hipErrorOutOfMemory: ")
		default:
			c.run("run s.lua", exit.Script, "ERROR s[scheme=managed]@cpu/rocm-7.2/gfx90a", "hipErrorIllegalAddress: ")
		}
	}
}
