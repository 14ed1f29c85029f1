package plan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"roclua/host/config"
	"roclua/host/recording"
	"roclua/host/recording/recordingtest"
	"roclua/host/worker"
	"roclua/luabind/vm/bounds"
	"roclua/tests/busy"
)

// TestDescribedAtOnce counts the scripts that are described in parallel.
func TestDescribedAtOnce(t *testing.T) {
	pool := worker.NewPool(nil)
	for name, test := range map[string]struct {
		set     func(*config.Config)
		workers *worker.Pool
		n, want int
	}{
		"few scripts":        {func(c *config.Config) {}, pool, scriptsOfWorker*2 - 1, 1},
		"no scripts":         {func(c *config.Config) {}, pool, 0, 1},
		"as many as jobs":    {func(c *config.Config) { c.Jobs = 3 }, pool, scriptsOfWorker * 9, 3},
		"enough for two":     {func(c *config.Config) { c.Jobs = 9 }, pool, scriptsOfWorker * 2, 2},
		"each processor":     {func(c *config.Config) {}, pool, 1 << 20, runtime.GOMAXPROCS(0)},
		"full sandbox":       {func(c *config.Config) { c.Sandbox = bounds.SandboxFull }, pool, 1 << 20, 1},
		"without processes":  {func(c *config.Config) { c.Isolation = "case" }, pool, 1 << 20, 1},
		"no worker to start": {func(c *config.Config) {}, nil, 1 << 20, 1},
	} {
		cfg := config.New("")
		test.set(cfg)
		if have := describedAtOnce(cfg, test.workers, test.n); have != test.want {
			t.Errorf("%s: %d, want %d", name, have, test.want)
		}
	}
}

// TestRepeatedScriptsLoadOnce loads a script that several tables name. Its top level has an effect, so it runs once.
func TestRepeatedScriptsLoadOnce(t *testing.T) {
	folder := t.TempDir()
	script, effect := filepath.Join(folder, "s.lua"), filepath.Join(folder, "runs")
	text := fmt.Sprintf(`io.open(%q, "a"):write("x")
		return { { name = "a", run = print }, { name = "b", run = print } }`, effect)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := config.New("")
	cfg.Isolation, cfg.Sandbox = "case", bounds.SandboxFull
	cfg.Scenarios = []config.Scenario{{Script: script, Tags: []string{"first"}}, {Script: script + "/b", Name: "other"}}
	list, err := LoadScenarios(t.Context(), cfg, nil, nil)
	if err != nil || !slices.Equal(Names(list), []string{"other", "s/a", "s/b"}) {
		t.Fatal(Names(list), err)
	}
	if list[1].Settings.Tags[0] != "first" || list[2].Settings.Tags != nil {
		t.Errorf("the settings of s/b are %+v, of other %+v", list[1].Settings, list[2].Settings)
	}
	if runs, err := os.ReadFile(effect); len(runs) != 1 {
		t.Errorf("the top level ran %d times: %v", len(runs), err)
	}
}

// TestManyTables loads a script that thousands of tables name. Each looks for the names of scripts in the folders of
// all tables, which are listed once.
func TestManyTables(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "s.lua")
	if err := os.WriteFile(script, []byte(`return { params = { n = 1 }, run = function() end }`), 0o600); err != nil {
		t.Fatal(err)
	}
	load := func(tables int) uint64 {
		cfg := config.New("")
		cfg.Isolation = "case"
		for i := range tables {
			cfg.Scenarios = append(cfg.Scenarios, config.Scenario{Script: script, Name: fmt.Sprint("s", i)})
		}
		return busy.Allocated(func() {
			if list, err := LoadScenarios(t.Context(), cfg, nil, nil); err != nil || len(list) != tables {
				t.Fatal(len(list), err)
			}
		})
	}
	load(1)
	if few, many := load(250), load(2000); many > 10*few {
		t.Errorf("2000 tables allocate %d bytes, 250 tables %d", many, few)
	}
}

// TestRecordings loads the processes of a recording, which run on simulated devices alone.
func TestRecordings(t *testing.T) {
	folder := t.TempDir()
	w := recordingtest.Writer{Process: recording.Process{PID: 1}}
	for _, name := range []string{"app.rec", "app.rec.12", "app.rec.7", "apps.rec.8"} {
		if err := os.WriteFile(filepath.Join(folder, name), w.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"app.rec.9", "app.rec.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := config.New("")
	cfg.Scenarios = []config.Scenario{{Recording: filepath.Join(folder, "app.rec")},
		{Recording: filepath.Join(folder, "app.rec"), Name: "other"}}
	list, err := LoadScenarios(t.Context(), cfg, nil, nil)
	want := []string{"app", "app/12", "app/7", "other", "other/12", "other/7"}
	if err != nil || !slices.Equal(Names(list), want) {
		t.Fatal(Names(list), err)
	}
	for _, platform := range []string{"cpu", "amd", "nvidia"} {
		if reason := list[0].Declared.Unsuited(platform, "rocm-7.2"); (reason == "") != (platform == "cpu") {
			t.Errorf("%s: %q", platform, reason)
		}
	}
	if len(list[0].Source) == 0 || !list[0].Declared.Recording {
		t.Errorf("%+v", list[0])
	}
	cfg.Scenarios = []config.Scenario{{Recording: filepath.Join(folder, "app.rec.9")}}
	if _, err := LoadScenarios(t.Context(), cfg, nil, nil); !errors.Is(err, recording.ErrFormat) {
		t.Errorf("a text: %v", err)
	}
}

// TestScriptsAreInOrder loads many scripts, with their settings, in the order of their files.
func TestScriptsAreInOrder(t *testing.T) {
	folder := t.TempDir()
	const n = 3 * scriptsOfWorker
	for i := range n {
		path := filepath.Join(folder, fmt.Sprintf("s%03d.lua", i))
		text := fmt.Appendf(nil, "return { about = '%d', run = function() end }", i)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := config.New("")
	cfg.Isolation = "case"
	cfg.Scenarios = []config.Scenario{{Script: folder, Tags: []string{"first"}},
		{Script: filepath.Join(folder, "s007.lua")}}
	list, err := LoadScenarios(context.Background(), cfg, nil, nil)
	if err != nil || len(list) != n+1 {
		t.Fatal(len(list), err)
	}
	for i, sc := range list[:n] {
		if sc.Name != fmt.Sprintf("s%03d", i) || sc.Declared.About != fmt.Sprint(i) || sc.Settings.Tags[0] != "first" {
			t.Errorf("scenario %d is %s, about %s, with %+v", i, sc.Name, sc.Declared.About, sc.Settings)
		}
	}
	if last := list[n]; last.Declared.About != "7" || last.Settings.Tags != nil {
		t.Errorf("the last scenario is %+v", last)
	}
}
