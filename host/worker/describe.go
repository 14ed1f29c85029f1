package worker

import (
	"context"
	"time"

	"roclua/luabind"
)

// describeTimeout bounds the top level of a script, which declares its scenarios.
const describeTimeout = 2 * time.Second

// Script is a file whose scenarios are wanted, with everything that its top level depends on.
type Script struct {
	Name    string // name that messages show
	Source  []byte
	Library []string // folders that require searches
	Env     map[string]string
	Args    []string
	Sandbox string
	Limits  luabind.Limits // the timeout is not used: the top level has its own
}

// Description is what a script declares.
type Description struct {
	Scenarios []*luabind.Scenario // at least one; with an error one that has only the required files
	Err       *luabind.End        // why the script cannot be loaded; nil if it can
}

// Describe compiles a script and runs its top level in this process.
func (s *Script) Describe(ctx context.Context) Description {
	script, err := luabind.Compile(s.Name, s.Source)
	if err != nil {
		return Description{[]*luabind.Scenario{{}}, luabind.EndOf(err)}
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	list, err := script.Describe(ctx, luabind.Options{LibraryPaths: s.Library, Sandbox: s.Sandbox, Args: s.Args,
		Env: s.Env, Limits: s.Limits})
	return Description{list, luabind.EndOf(err)}
}
