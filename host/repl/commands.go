package repl

import (
	"context"
	"fmt"
	"strings"

	"roclua/input"
	"roclua/internal/nearest"
	"roclua/luabind"
	"roclua/luabind/manual"
	"roclua/workspace"
)

// prefix begins a command. No Lua statement starts with it.
const prefix = ":"

// command is a command to the session.
type command struct {
	name     string
	argument string // "" for none, in brackets when it is optional
	about    string
	run      func(s *Session, ctx context.Context, argument string) error
	values   func() []string // arguments for completion
}

// commands lists the commands in the order of the help. It is a function because help, one of its entries, uses it.
func commands() []command {
	return []command{
		{"help", "[NAME]", "this list, or the manual about a routine, a function, a constant or a status",
			(*Session).help,
			func() []string { return manual.Names(manual.Program{}) }},
		{"memory", "", "memory of the device, handles with their workspace, workspace allocations, blocks",
			func(s *Session, _ context.Context, _ string) error { s.showMemory(); return nil }, nil},
		{"stats", "", "HIP calls by name, waits, memory",
			func(s *Session, _ context.Context, _ string) error { s.showStats(); return nil }, nil},
		{"trace", "[on|off]", "HIP calls since they were last shown; on shows them after every entry", (*Session).trace,
			func() []string { return []string{"on", "off"} }},
		{"load", "FILE", "run a file as if its lines were typed", (*Session).load, nil},
		{"profile", "[NAME]", "the library releases, or a new state on one of them", (*Session).profile,
			workspace.ProfileNames},
		{"scheme", "[NAME]", "the memory schemes, or a new state whose handle uses one; none opens no handle",
			(*Session).scheme, schemeNames},
		{"reset", "", "a new state on a new device",
			func(s *Session, _ context.Context, _ string) error { return s.restart(func(*Settings) {}) }, nil},
		{"quit", "", "end the session, as ctrl-d does",
			func(s *Session, _ context.Context, _ string) error { s.ended = true; return nil }, nil},
	}
}

// command runs a line without its prefix.
func (s *Session) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	var names []string
	for _, c := range commands() {
		if c.name != name {
			names = append(names, c.name)
			continue
		}
		switch {
		case c.argument == "" && argument != "":
			return s.commandError("%s%s takes no argument, got %q", prefix, name, argument)
		case c.argument != "" && c.argument[0] != '[' && argument == "":
			return s.commandError("%s%s needs an argument: %s", prefix, name, c.argument)
		}
		return c.run(s, ctx, argument)
	}
	return s.commandError("unknown command %q%s (%shelp lists them)", prefix+name, nearest.DidYouMean(name, names),
		prefix)
}

// commandError returns an error in the last line.
func (s *Session) commandError(format string, args ...any) error {
	return &luabind.Error{File: s.Name, Line: s.line, Message: fmt.Sprintf(format, args...)}
}

func (s *Session) help(_ context.Context, name string) error {
	if name != "" {
		if err := s.LookUp(s.Out, name); err != nil {
			return s.commandError("%s", err)
		}
		return nil
	}
	fmt.Fprint(s.Out, "An expression shows its value; a statement runs.\n"+
		"An incomplete entry continues on the next line.\n"+
		"Local variables that an entry declares outside a block remain for the session.\n"+
		"ctrl-c discards the entry, or stops the script.\n\n")
	var rows [][]string
	for _, c := range commands() {
		rows = append(rows, []string{"  " + strings.TrimSpace(prefix+c.name+" "+c.argument), c.about})
	}
	s.table(rows)
	return nil
}

func (s *Session) trace(_ context.Context, how string) error {
	switch how {
	case "":
		calls := s.runtime.Trace()
		if len(calls) == 0 {
			fmt.Fprintln(s.Out, "no calls")
			return nil
		}
		s.showCalls(calls)
	case "on":
		s.tracing = true
		s.runtime.Trace() // earlier calls are not shown
	case "off":
		s.tracing = false
	default:
		return s.commandError("%strace: got %q, want on, off or no argument", prefix, how)
	}
	return nil
}

func (s *Session) load(ctx context.Context, file string) error {
	source, err := input.File(file, input.Script)
	if err != nil {
		return s.commandError("%sload: %s", prefix, err)
	}
	entry, err := luabind.CompileEntry(file, 1, string(source))
	if err != nil {
		return err
	}
	return s.run(ctx, entry)
}

func (s *Session) profile(_ context.Context, name string) error {
	if name == "" {
		var rows [][]string
		for _, p := range workspace.Profiles() {
			rows = append(rows, []string{mark(p.Name == s.settings.Profile.Name) + p.Name, p.About})
		}
		s.table(rows)
		return nil
	}
	p, err := workspace.FindProfile(name)
	if err == nil {
		err = p.CheckPlatform(s.settings.Platform)
	}
	if err == nil {
		err = checkScheme(p, s.settings.Scheme)
	}
	if err != nil {
		return s.commandError("%sprofile: %s", prefix, err)
	}
	return s.restart(func(set *Settings) { set.Profile = p })
}

func (s *Session) scheme(_ context.Context, name string) error {
	if name == "" {
		var rows [][]string
		for _, scheme := range workspace.Schemes {
			rows = append(rows, []string{mark(scheme == s.settings.Scheme) + scheme,
				s.settings.Profile.SkipScheme(scheme)})
		}
		s.table(append(rows, []string{mark(s.settings.Scheme == "") + noScheme, "no handle is opened"}))
		return nil
	}
	scheme, err := ParseScheme(s.settings.Profile, name)
	if err != nil {
		return s.commandError("%sscheme: %s", prefix, err)
	}
	return s.restart(func(set *Settings) { set.Scheme = scheme })
}

func mark(current bool) string {
	if current {
		return "* "
	}
	return "  "
}

// noScheme is the name for no handle.
const noScheme = "none"

// ParseScheme checks the name of a scheme against a profile. It returns "" for "none", which opens no handle.
func ParseScheme(p *workspace.Profile, name string) (string, error) {
	if name == noScheme {
		return "", nil
	}
	return name, checkScheme(p, name)
}

func checkScheme(p *workspace.Profile, name string) error {
	if name == "" {
		return nil
	}
	if err := workspace.CheckScheme(name); err != nil {
		return fmt.Errorf("%w; %s opens no handle", err, noScheme)
	}
	if reason := p.SkipScheme(name); reason != "" {
		return fmt.Errorf("scheme %s: %s", name, reason)
	}
	return nil
}

func schemeNames() []string { return append(append([]string{}, workspace.Schemes...), noScheme) }
