package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "roclua/hip/amd" // the platforms that targets name
	_ "roclua/hip/cpu"
	_ "roclua/hip/nvidia"
)

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		text string
		want Size
		ok   bool
	}{
		{"1048576", 1 << 20, true}, {"48MiB", 48 << 20, true}, {"1.5 GiB", 3 << 29, true}, {"64KiB", 64 << 10, true},
		{"7B", 7, true},
		{"1K", 1 << 10, true}, {"2M", 2 << 20, true}, {"7 B", 7, true},
		{"", 0, false}, {"lots", 0, false}, {"-1", 0, false}, {"1.5", 0, false},
		{"48MB", 0, false}, {"1e40", 0, false}, {"NaN", 0, false},
	} {
		var have Size
		if err := have.UnmarshalText([]byte(test.text)); (err == nil) != test.ok || have != test.want {
			t.Errorf("%q: %d, %v", test.text, have, err)
		}
	}
}

// write puts a configuration into a separate folder.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrecedence(t *testing.T) {
	cfg, err := Load(write(t, "seed = 2\njobs = 2\n[limits]\ntimeout = \"2s\"\n[[target]]\nprofile = \"rocm-6.4\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{"ROCLUA_JOBS": "3", "ROCLUA_TIMEOUT": "3s", "ROCLUA_PROFILE": "rocm-7.1"}
	if err := cfg.applyEnvironment(func(name string) string { return environment[name] }); err != nil {
		t.Fatal(err)
	}
	if err := cfg.set("limits.timeout=4s"); err != nil {
		t.Fatal(err)
	}
	if cfg.Seed != 2 || cfg.Jobs != 3 || time.Duration(cfg.Limits.Timeout) != 4*time.Second ||
		cfg.Targets[0].Profile != "rocm-7.1" {
		t.Errorf("file < environment < --set is not kept: %+v", cfg)
	}
}

func TestTargetsMultiply(t *testing.T) {
	cfg := Default()
	for _, o := range [][2]string{{"target.profile", "rocm-6.4,rocm-7.2"}, {"target.arch", "gfx90a, gfx942"},
		{"target.device_memory", "1GiB"}} {
		if err := cfg.override(Find(o[0]), "a flag", o[1]); err != nil {
			t.Fatal(err)
		}
	}
	want := []Target{
		{"cpu", "rocm-6.4", "gfx90a", 1 << 30}, {"cpu", "rocm-7.2", "gfx90a", 1 << 30},
		{"cpu", "rocm-6.4", "gfx942", 1 << 30}, {"cpu", "rocm-7.2", "gfx942", 1 << 30},
	}
	if diff := cmp.Diff(want, cfg.Targets); diff != "" {
		t.Error(diff)
	}
}

func TestValidate(t *testing.T) {
	for text, want := range map[string]string{
		"jobs = -1":                                           "jobs: -1",
		"[[target]]\nplatform = \"gpu\"":                      `unknown platform "gpu", did you mean "cpu"?`,
		"[[target]]\narch = \"sm_90\"":                        "arch \"sm_90\"",
		"[[scenario]]\nschemes = [\"manual\"]":                "script is missing",
		"[[scenario]]\nscript = \"s\"\nschemes = [\"manul\"]": `did you mean "manual"?`,
		"[[scenari]]\nscript = \"s\"":                         `:1: unknown key "scenari", did you mean "scenario"?`,
		"[limits]\ntimeout = \"0s\"":                          "must be positive",
	} {
		cfg, err := Load(write(t, text))
		if err == nil {
			err = cfg.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"", "seed = 1", "[[target]]\nprofile = 3",
		"[[scenario]]\nmatrix = { n = [1, \"a\"] }", "seed = \"", "[limits]\ntimeout = 5", "a.b.c = 1", "\xff\xfe",
		"\xfe\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cfg := Default()
		if err := cfg.decode(text, "fuzz.toml"); err != nil {
			if err.Error() == "" {
				t.Error("an error without text")
			}
			return
		}
		cfg.complete()
		_ = cfg.Validate()
	})
}

func FuzzSize(f *testing.F) {
	f.Add("48MiB")
	f.Add("1e400 TiB")
	f.Fuzz(func(t *testing.T, text string) {
		var s Size
		if s.UnmarshalText([]byte(text)) == nil && s > 1<<53 {
			t.Errorf("%q is %d bytes", text, s)
		}
	})
}

// TestEveryKeyIsDocumented looks for each key of the configuration in config.toml, which explains them.
func TestEveryKeyIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[Limits](),
		reflect.TypeFor[Target](), reflect.TypeFor[Scenario](), reflect.TypeFor[Exception]()} {
		for _, key := range keysOf(table) {
			if !regexp.MustCompile(`(?m)(^|[# {,])` + key + ` = |^\[+` + key + `\]`).Match(text) {
				t.Errorf("config.toml does not explain %s of %s", key, table.Name())
			}
		}
	}
}
