package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"roclua/host/config"
	"roclua/host/worker"
	"roclua/luabind/vm/bounds"
)

// TestDescribedAtOnce counts the scripts that are described at a time.
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
