package worker

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"time"

	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
)

// describeTimeout bounds the top level of a script, which declares its scenarios, if the time limit of its cases is not
// shorter.
const describeTimeout = 2 * time.Second

// Script is a file whose scenarios are wanted, with everything that its top level depends on. The limits are those of
// its cases.
type Script struct {
	File
	Settings
}

// Description is the declarations of a script.
type Description struct {
	Scenarios []*record.Scenario // at least one; with an error one that has only the required files
	Err       *record.End        // why the script cannot be loaded; nil if it can
}

// timeout returns how long the top level may run.
func (s *Script) timeout() time.Duration {
	if limit := s.Limits.Timeout; limit > 0 {
		return min(limit, describeTimeout)
	}
	return describeTimeout
}

// limited returns a context that ends when the top level may not run any longer.
func (s *Script) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.timeout() == s.Limits.Timeout {
		return luabind.WithTimeout(ctx, s.Limits.Timeout)
	}
	return context.WithTimeout(ctx, describeTimeout) // which is not a limit of its cases
}

// endOf describes the error of the top level.
func (s *Script) endOf(err error) *record.End {
	end := luabind.EndOf(err)
	if end != nil && end.Kind == record.EndTimeout && end.Limit == nil {
		end.Message = fmt.Sprintf("%s: its top level did not finish within %v, so its scenarios are unknown",
			s.Script, describeTimeout)
	}
	return end
}

func (s *Script) options() luabind.Options {
	return luabind.Options{LibraryPaths: s.Library, Sandbox: s.Sandbox, Args: s.Args,
		Env: Environment(s.Sandbox, s.Env), Limits: s.Limits, LuaProfile: s.Profile, Virtual: !s.RealTime}
}

// Environment returns the environment of scripts: the configured one and, in the full sandbox, the process's too.
func Environment(sandbox string, configured map[string]string) map[string]string {
	if sandbox != bounds.SandboxFull {
		return configured
	}
	all := map[string]string{}
	for _, line := range os.Environ() {
		if name, value, ok := strings.Cut(line, "="); ok && name != "" {
			all[name] = value
		}
	}
	maps.Copy(all, configured)
	return all
}

// Describe compiles a script and runs its top level in this process.
func (s *Script) Describe(ctx context.Context) Description {
	d, _ := s.describe(ctx, nil)
	return d
}

// describe is Describe. With an output, the script may have effects outside of the sandbox: it is prepared, so that its
// first case continues after the top level.
func (s *Script) describe(ctx context.Context, output io.Writer) (d Description, p *luabind.Prepared) {
	script, err := luabind.Compile(s.Script, s.Source)
	if err != nil {
		return Description{[]*record.Scenario{{}}, luabind.EndOf(err)}, nil
	}
	ctx, cancel := s.limited(ctx)
	defer cancel()
	o := s.options()
	if output == nil {
		d.Scenarios, err = script.Describe(ctx, o)
	} else {
		o.Output = output
		p = script.Prepare(s.Seed, o)
		d.Scenarios, err = p.Scenarios(ctx)
	}
	d.Err = s.endOf(err)
	return d, p
}
