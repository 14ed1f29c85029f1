package config

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "roclua/hip/amd" // platforms of targets
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
		{"9007199254740992", 1 << 53, true}, {"9007199254740994", 0, false},
		{"", 0, false}, {"lots", 0, false}, {"-1", 0, false}, {"1.5", 0, false},
		{"48MB", 0, false}, {"1e40", 0, false}, {"NaN", 0, false},
	} {
		var have Size
		if err := have.UnmarshalText([]byte(test.text)); (err == nil) != test.ok || have != test.want {
			t.Errorf("%q: %d, %v", test.text, have, err)
		}
	}
}

// write writes a configuration to a separate folder.
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
		{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx90a", DeviceMemory: 1 << 30},
		{Platform: "cpu", Profile: "rocm-7.2", Arch: "gfx90a", DeviceMemory: 1 << 30},
		{Platform: "cpu", Profile: "rocm-6.4", Arch: "gfx942", DeviceMemory: 1 << 30},
		{Platform: "cpu", Profile: "rocm-7.2", Arch: "gfx942", DeviceMemory: 1 << 30},
	}
	if diff := cmp.Diff(want, cfg.Targets); diff != "" {
		t.Error(diff)
	}
}

// repeated begins the second scenario of a file.
const repeated = "[[scenario]]\nscript = \"s\"\n[[scenario]]\nscript = \"s\"\n"

func TestValidate(t *testing.T) {
	for text, want := range map[string]string{
		"jobs = -1":                                           "jobs: -1",
		"[[target]]\nplatform = \"gpu\"":                      `unknown platform "gpu", did you mean "cpu"?`,
		"[[target]]\narch = \"sm_90\"":                        "arch \"sm_90\"",
		"[[scenario]]\nschemes = [\"manual\"]":                "script is missing",
		"[[scenario]]\nscript = \"s\"\nschemes = [\"manul\"]": `toml:3:12: scenario 1: schemes: unknown`,
		"[[scenari]]\nscript = \"s\"":                         `:1: unknown key "scenari", did you mean "scenario"?`,
		"[limits]\ntimeout = \"0s\"":                          "must be positive",
		"[[target]]\n[[target]]\nplatform = \"g\"":            "config.toml:3:1: target 2: unknown platform",
		"[[target]]\nprofile = \"cuda\"":                      "config.toml:2:1: target 1: ",
		"[[target]]\nprofile = \"rocm-0\"":                    "target 1: ",
		"sandbox = \"full\"":                                  "config.toml:1:1: sandbox: \"full\" gives scripts all",
		"sandbox = \"open\"":                                  "config.toml:1:1: sandbox: \"open\" (have",
		repeated + "repeat = -1":                              "config.toml:5:1: scenario 2: repeat: -1, must not",
		repeated + "skip = [{ reason = \"r\" }]":              "skip: match = \"\", reason = \"r\": both are needed",
		repeated + "known_failures = [{ match = \"m\" }]":     "known_failures: match = \"m\", reason = \"\": both",

		repeated + "skip = [{ match = \"/(/\", reason = \"r\" }]": "skip: error parsing regexp",
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

// TestValid accepts values at their bounds, defaults that a file sets for real devices, and complete exceptions.
func TestValid(t *testing.T) {
	for _, text := range []string{"", "jobs = 0", "sandbox = \"project\"",
		"time = \"virtual\"\nkernels = \"on\"\n[[target]]\nplatform = \"amd\"",
		repeated + "repeat = 0\nskip = [{ match = \"^a\", reason = \"r\" }]"} {
		cfg, err := Load(write(t, text))
		if err == nil {
			err = cfg.Validate()
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMissingFile checks that only a missing default file suggests roclua init.
func TestMissingFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, want := range map[string]bool{DefaultFile: true, "other.toml": false} {
		if _, err := Load(path); err == nil || strings.Contains(err.Error(), "roclua init") != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := os.Mkdir(DefaultFile, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(DefaultFile); err == nil || strings.Contains(err.Error(), "roclua init") {
		t.Errorf("a folder: %v", err)
	}
}

// TestSyntaxErrors checks that the message names the position, even in a binary file, and shows the line.
func TestSyntaxErrors(t *testing.T) {
	for text, want := range map[string]string{
		"seed = 1\nseed = = 2":          "toml:2:8: expected value but found '=' instead\n  seed = = 2\n         ^",
		"seed = 1\nseed = 2":            "config.toml:2:1: Key 'seed' has already been defined.\n  seed = 2\n  ^",
		"\t\"ä\" = é":                   "toml:1:9: expected value but found \"é\" instead\n   \"ä\" = é\n         ^",
		"= 1":                           "config.toml:1:1: unexpected '=': key name appears blank\n  = 1\n  ^",
		"s\x00=\x001\x00":               "UTF-16; TOML files must be UTF-8",
		"\x01":                          "config.toml:1:1: TOML files cannot contain control characters: '0x01'",
		"\xff":                          "config.toml:1:1: invalid UTF-8 byte: 0xff",
		`a = "\`:                        "config.toml: invalid escape in string '\\\x00'",
		"a=" + strings.Repeat(" ", 120): "config.toml:1:122: unexpected EOF; expected value",
	} {
		if _, err := Load(write(t, text)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	for _, seed := range []string{"", "seed = 1", "[[target]]\nprofile = 3",
		"[[scenario]]\nmatrix = { n = [1, \"a\"] }", "seed = \"", "[limits]\ntimeout = 5", "a.b.c = 1", "\xff\xfe",
		"\xfe\xff", "\x01"} {
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

// TestEveryKeyIsDocumented looks for each key of the configuration in config.toml.
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

// TestKeysInMessages looks for keys that are named in the text of the program and do not exist.
func TestKeysInMessages(t *testing.T) {
	named := regexp.MustCompile(`\b(limits|target)\.[a-z]\w*`)
	messages := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !named.Match(text) {
			return err
		}
		var s scanner.Scanner
		s.Init(token.NewFileSet().AddFile(path, -1, len(text)), text, nil, 0)
		for _, kind, literal := s.Scan(); kind != token.EOF; _, kind, literal = s.Scan() {
			if kind != token.STRING {
				continue
			}
			for _, name := range named.FindAllString(literal, -1) {
				messages++
				if !slices.ContainsFunc(Keys, func(k Key) bool { return k.Name == name }) {
					t.Errorf("%s: there is no key %s", path, name)
				}
			}
		}
		return nil
	})
	if err != nil || messages < 10 {
		t.Errorf("%d names of keys, %v", messages, err)
	}
}
