package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"

	"github.com/spf13/pflag"

	"roclua/host/profile"
	"roclua/internal/atomicfile"
)

// profileFlags are the files of the profiles of a run; "" for none.
type profileFlags struct{ cpu, mem, lua string }

func (f *profileFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.lua, "luaprofile", "",
		"show the lines of scripts that take most time, and write their times to `FILE` for go tool pprof")
	flags.StringVar(&f.cpu, "cpuprofile", "",
		"write the processor time of the program's own functions to `FILE` for go tool pprof")
	flags.StringVar(&f.mem, "memprofile", "",
		"write the memory that the program's functions allocate to `FILE` for go tool pprof")
}

// list lists the files.
func (f *profileFlags) list() []string {
	return slices.DeleteFunc([]string{f.lua, f.cpu, f.mem}, func(file string) bool { return file == "" })
}

// profiles are the profiles of one run: those that were requested.
type profiles struct {
	profileFlags
	env    Env
	lua    *profile.Lua
	folder string // of the profiles of single processes
	own    *os.File
}

// startProfiles begins with the profiles of a run. Worker processes measure themselves, and write profiles when they
// end.
func startProfiles(f profileFlags, env Env) (p *profiles, err error) {
	p = &profiles{profileFlags: f, env: env}
	if f.lua != "" {
		p.lua, env.workers.LuaProfile = &profile.Lua{}, true
	}
	if f.cpu == "" && f.mem == "" {
		return p, nil
	}
	if p.folder, err = os.MkdirTemp("", "roclua-profile-"); err != nil {
		return nil, fmt.Errorf("a profile needs a folder for temporary files: %w", err)
	}
	if f.mem != "" {
		env.workers.MemProfile = p.part("mem")
	}
	if f.cpu == "" {
		return p, nil
	}
	env.workers.CPUProfile = p.part("cpu")
	if p.own, err = os.Create(p.part("cpu")); err == nil {
		err = pprof.StartCPUProfile(p.own)
	}
	if err != nil {
		p.discard()
		return nil, fmt.Errorf("--cpuprofile: %w", err)
	}
	return p, nil
}

// part returns the file of the profile of this process. Files of workers have a number at the end.
func (p *profiles) part(kind string) string { return filepath.Join(p.folder, kind) }

// discard removes what finish would use.
func (p *profiles) discard() {
	if p.own != nil {
		pprof.StopCPUProfile()
		p.own.Close()
	}
	if p.folder != "" {
		os.RemoveAll(p.folder)
	}
}

// finish writes the profiles. It ends the worker processes, which write theirs then.
func (p *profiles) finish() error {
	defer p.discard()
	var list []error
	if p.lua != nil {
		list = append(list, p.write("luaprofile", p.profileFlags.lua, p.lua.Write), p.lua.Table(p.env.Stderr))
	}
	if p.folder == "" {
		return errors.Join(list...)
	}
	p.env.workers.Close()
	if p.cpu != "" {
		pprof.StopCPUProfile()
		list = append(list, p.merge("cpu", p.cpu))
	}
	if p.mem != "" {
		if err := p.writeOwnMemory(); err != nil {
			list = append(list, fmt.Errorf("--memprofile: %w", err))
		}
		list = append(list, p.merge("mem", p.mem))
	}
	return errors.Join(list...)
}

func (p *profiles) writeOwnMemory() error {
	file, err := os.Create(p.part("mem"))
	if err != nil {
		return err
	}
	defer file.Close()
	runtime.GC() // so that the profile is complete
	return pprof.Lookup("allocs").WriteTo(file, 0)
}

// merge writes one profile of the profiles of all processes.
func (p *profiles) merge(kind, path string) error {
	parts := []profile.Part{{File: p.part(kind), Process: "program"}}
	for n := range p.env.workers.Started() {
		parts = append(parts, profile.Part{File: fmt.Sprintf("%s.%d", p.part(kind), n+1), Process: "worker"})
	}
	return p.write(kind+"profile", path, func(w io.Writer) error {
		lost, err := profile.Merge(w, parts)
		if lost > 0 {
			fmt.Fprintf(p.env.Stderr, "roclua: warning: --%sprofile: %d of %d processes left no profile: "+
				"they were killed\n", kind, lost, len(parts))
		}
		return err
	})
}

func (p *profiles) write(flag, path string, write func(io.Writer) error) error {
	if err := atomicfile.Replace(p.env.files(), path, write); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}
