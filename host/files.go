package host

import (
	"path/filepath"

	"roclua/internal/atomicfile"
)

// checkFiles returns an error if an output cannot be written, or if it is also another file of the run, such as one of
// events that it reads. It runs before the first case and before a file is changed.
func (b *batch) checkFiles(events ...string) error {
	s := b.session
	files := atomicfile.NewFiles(s.env.files())
	b.addInputs(files)
	for _, path := range events {
		files.Reads("the events "+path, path)
	}
	if err := b.addBaselines(files); err != nil {
		return err
	}
	for _, isEvents := range []bool{true, false} { // the events of a run can continue those that it resumes
		for _, out := range s.outs {
			if out.File == "" || out.IsEvents() != isEvents {
				continue
			}
			if err := files.Writes(out.String(), out.File); err != nil {
				return err
			}
		}
		if isEvents && s.options.resume != "" {
			files.Reads("the events that are resumed", s.options.resume)
		}
	}
	for _, f := range s.options.profiles.list() {
		if err := files.Writes("the profile "+f, f); err != nil {
			return err
		}
	}
	if summary := s.env.destination().Summary; summary != "" && s.writesSummary() {
		if err := files.Writes("the summary of the step, GITHUB_STEP_SUMMARY", summary); err != nil {
			return err
		}
	}
	if f := s.env.stdout.file(); f != nil && s.writesStdout() {
		if err := files.WritesOpen("standard output", f); err != nil {
			return err
		}
	}
	if s.hasOtherOutputs() {
		s.env.surviveClosedStreams()
	}
	return nil
}

// addInputs adds the configuration and the scripts.
func (b *batch) addInputs(files *atomicfile.Files) {
	for _, name := range append([]string{b.config.File()}, b.session.names...) {
		if filepath.Ext(name) == ".toml" {
			files.Reads("the configuration "+name, name)
		}
	}
	seen := map[string]bool{}
	for _, sc := range b.cases.Scenarios() { // none of a merged run
		if path := sc.Path(); !seen[path] {
			seen[path] = true
			files.Reads("the script "+path, path)
		}
	}
}

// addBaselines adds the baselines, which --update writes.
func (b *batch) addBaselines(files *atomicfile.Files) error {
	for _, path := range b.baselines.Paths() {
		what := "the baseline " + path
		if !b.session.options.update {
			files.Reads(what, path)
			continue
		}
		if err := b.session.env.files().MakeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := files.Writes(what, path); err != nil {
			return err
		}
	}
	return nil
}
