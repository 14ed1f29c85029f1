package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/workspace"
)

// transcripts are sessions: lines after "> " are input, and the lines below each are its entire output.
var transcripts = map[string]string{
	"trace": `
> :trace
call                    bytes     stream  cause          at  result
hipGetDeviceProperties                    script             hipSuccess
hipGetDeviceProperties                    script             hipSuccess
hipMalloc               33554432          create_handle      hipSuccess
> :trace
no calls
> p = hip.malloc(64)
> :trace on
> x = 1
> hip.free(p)
hipSuccess
call     bytes  stream  cause   at      result
hipFree                 script  repl:6  hipSuccess
> s = hip.stream_create()
call             bytes  stream  cause   at      result
hipStreamCreate         1       script  repl:7  hipSuccess
> :trace off
> p = hip.malloc(16)
> :trace
call       bytes  stream  cause   at      result
hipMalloc  16             script  repl:9  hipSuccess
> :trace all
repl:11: :trace: got "all", want on, off or no argument
`,
	"memory": `
> :memory
live      33554432 bytes (32.0 MiB) in 1 block
peak      33554432 bytes (32.0 MiB)
capacity  1073741824 bytes (1.0 GiB)
rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))  opened as managed
> p, s = hip.malloc(64), hip.stream_create()
> h = rocblas.create_handle()
> :memory
live      67108928 bytes (64.0 MiB) in 3 blocks
peak      67108928 bytes (64.0 MiB)
capacity  1073741824 bytes (1.0 GiB)
rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))  opened as managed
rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))  made at repl:3
block of 64 bytes                                           hipMalloc repl:2
`,
	"stats": `
> p, s = hip.malloc(64), hip.stream_create()
> hip.free(p)
hipSuccess
> :stats
hipFree                                 1
hipGetDeviceProperties                  2
hipMalloc                               2
hipStreamCreate                         1
waits for the device, by create_handle  1
waits for the device, by script         2
routines executed                       0
open streams                            1
open events                             0
live                                    33554432 bytes (32.0 MiB)
peak                                    33554496 bytes (32.0 MiB)
`,
	"files": `
> :load good.lua
7  "text"
> x
7
> :load raises.lua
raises.lua:2: a
> :load bad.lua
bad.lua:1:3: '<eof>' expected near '2'
  1 2
> :load missing.lua
repl:5: :load: open missing.lua: no such file or directory
`,
	"profiles": `
> :profile
  rocm-6.4  four schemes, stream order by environment variable
  rocm-7.1  managed memory is always stream-ordered; the manual functions do nothing
* rocm-7.2  four schemes again, larger triangular solves in rocSOLVER
> x = 1
> :profile rocm-7.1
> x, rocblas.get_version_string()
nil  "5.1.0."
> :scheme manual
repl:5: :scheme: scheme manual: rocblas_set_device_memory_size does nothing in rocBLAS 5.1.0
> :scheme
* managed
  preallocated  rocBLAS 5.1.0 only warms its memory pool with ROCBLAS_DEVICE_MEMORY_SIZE; the handle stays managed
  manual        rocblas_set_device_memory_size does nothing in rocBLAS 5.1.0
  user_owned
  stream_ordered
  none  no handle is opened
> :profile rocm-7.2
> :scheme manual
> :profile rocm-7.1
repl:9: :profile: scheme manual: rocblas_set_device_memory_size does nothing in rocBLAS 5.1.0
> rocblas.get_version_string()
"5.2.0."
`,
	"schemes": `
> :scheme none
> handle
nil
> :scheme
  managed
  preallocated
  manual
  user_owned
  stream_ordered
* none  no handle is opened
> :scheme user_owned
> :memory
live      33554432 bytes (32.0 MiB) in 1 block
peak      67108864 bytes (64.0 MiB)
capacity  1073741824 bytes (1.0 GiB)
rocblas_handle(user_owned, 33554432 bytes (32.0 MiB))  opened as user_owned
block of 33554432 bytes (32.0 MiB)                     hipMalloc
`,
	"reset": `
> p = hip.malloc(64)
> :trace on
> :reset
leak: 64 bytes of device memory from hipMalloc at repl:1
call                    bytes     stream  cause          at  result
hipGetDeviceProperties                    script             hipSuccess
hipGetDeviceProperties                    script             hipSuccess
hipMalloc               33554432          create_handle      hipSuccess
> p
nil
`,
	"entries of several lines": `
> x = [[a
> 
>   b]]
>   
> x
"a\n\n  b"
> if true then
> error("c")
> end
repl:7: c
`,
	"values": `
> 1, "a", nil
1  "a"  nil
> {}, {1, 2}
{}  {1, 2}
`,
}

// TestTranscripts compares the entire output of sessions.
func TestTranscripts(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "good.lua", "x = 7\nreturn x, 'text'\n")
	put(t, "raises.lua", "\nerror 'a'\n")
	put(t, "bad.lua", "1 2\n")
	for name, want := range transcripts {
		s, out := begin(t, false)
		have := "\n"
		for line := range strings.Lines(want) {
			if line, fed := strings.CutPrefix(line, "> "); fed {
				line = strings.TrimSuffix(line, "\n")
				out.Reset()
				s.Feed(t.Context(), line)
				have += "> " + line + "\n" + out.String()
			}
		}
		if have != want {
			t.Errorf("%s: the transcript is\n%s\nwant\n%s", name, have, want)
		}
		s.End()
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCommandErrors reports invalid arguments of commands. The session continues unchanged.
func TestCommandErrors(t *testing.T) {
	s, out := begin(t, false)
	defer s.End()
	s.Feed(t.Context(), "x = 1")
	for line, want := range map[string]string{
		":profile rocm-7.3": `:profile: unknown profile "rocm-7.3", did you mean "rocm-7.1" or "rocm-7.2"? ` +
			"(have rocm-6.4, rocm-7.1, rocm-7.1.1, rocm-7.2, cuda)",
		":profile cuda": ":profile: profile cuda is for the libraries of platform nvidia; platform cpu has rocm-6.4, " +
			"rocm-7.1, rocm-7.2",
		":scheme manul": `:scheme: unknown scheme "manul", did you mean "manual"? (have managed, preallocated, ` +
			"manual, user_owned, stream_ordered); none opens no handle",
		":stat":        `unknown command ":stat", did you mean "stats"? (:help lists them)`,
		":help x":      "the manual has no x",
		":load":        ":load needs an argument: FILE",
		":memory  all": `:memory takes no argument, got "all"`,
	} {
		s.LookUp = func(io.Writer, string) error { return errors.New("the manual has no x") }
		out.Reset()
		s.Feed(t.Context(), line)
		if want = fmt.Sprintf("repl:%d: %s\n", s.line, want); out.String() != want {
			t.Errorf("%s writes %s, want %s", line, out, want)
		}
	}
	out.Reset()
	if s.Feed(t.Context(), "x"); out.String() != "1\n" {
		t.Errorf("x is %s", out)
	}
}

// TestHelp lists every command.
func TestHelp(t *testing.T) {
	s, out := begin(t, false)
	defer s.End()
	s.Feed(t.Context(), " :help ")
	for _, c := range commands() {
		if !strings.Contains(out.String(), "\n  :"+c.name) || !strings.Contains(out.String(), c.about+"\n") {
			t.Errorf("the help has no line for :%s:\n%s", c.name, out)
		}
	}
}

// TestCompleteFiles offers the scripts and folders after :load.
func TestCompleteFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"a.lua", "a.txt", "a[1].lua", "lib/deep/b.lua", "lib/c.lua"} {
		put(t, path, "")
	}
	s, _ := begin(t, false)
	defer s.End()
	for text, want := range map[string][]string{":load ": {"a.lua", "a[1].lua", "lib/"}, ":load a[": {"a[1].lua"},
		":load lib/": {"lib/c.lua", "lib/deep/"}, ":load x": nil} {
		head, found := s.Complete(text)
		if head != ":load " || !slices.Equal(found, want) {
			t.Errorf("%s is completed by %q + %q, want %q", text, head, found, want)
		}
	}
}

// TestFailedRestarts ends a session that can be opened neither with the new settings nor with the old ones.
func TestFailedRestarts(t *testing.T) {
	s, _ := begin(t, false)
	if err := s.restart(func(set *Settings) { set.Platform = "none" }); err == nil || s.Ended() {
		t.Errorf("%v, and the session ended: %v", err, s.Ended())
	}
	s.settings.Platform = "lost" // simulates a failed device
	err := s.restart(func(set *Settings) { set.Platform = "none" })
	if err == nil || !s.Ended() || !strings.Contains(err.Error(), `"none"`) ||
		!strings.Contains(err.Error(), `"lost"`) {
		t.Errorf("%v, and the session ended: %v", err, s.Ended())
	}
}

// TestParseScheme checks names of schemes against a profile.
func TestParseScheme(t *testing.T) {
	old, err := workspace.FindProfile("rocm-7.1")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"none": "", "managed": "managed", "": ""} {
		if have, err := ParseScheme(old, name); err != nil || have != want {
			t.Errorf("%s: %q, %v", name, have, err)
		}
	}
	for _, name := range []string{"manual", "preallocated", "None"} {
		if _, err := ParseScheme(old, name); err == nil {
			t.Errorf("%s is a scheme of %s", name, old.Name)
		}
	}
}
