package run

import (
	"path/filepath"
	"slices"

	"roclua/host/output"
	"roclua/internal/atomicfile"
)

// checkFiles returns an error if an output cannot be written, or if it is also another file of the run, such as one of
// events that it reads. It runs before the first case and before a file is changed.
func (r *pipeline) checkFiles() error {
	files := atomicfile.NewFiles(r.System)
	r.addInputs(files)
	for _, path := range r.reads {
		files.Reads("the events "+path, path)
	}
	if err := r.addBaselines(files); err != nil {
		return err
	}
	for _, isEvents := range []bool{true, false} { // the events of a run can continue those that it resumes
		for _, out := range r.Outs {
			if out.File == "" || out.IsEvents() != isEvents {
				continue
			}
			if err := files.Writes(out.String(), out.File); err != nil {
				return err
			}
		}
		if isEvents && r.Resume != "" {
			files.Reads("the events that are resumed", r.Resume)
		}
	}
	if f := r.ProfileTo; f != "" {
		if err := files.Writes("the profile "+f, f); err != nil {
			return err
		}
	}
	if r.Summary != "" && slices.ContainsFunc(r.Outs, func(o output.Output) bool { return o.Format == "github" }) {
		if err := files.Writes("the summary of the step, GITHUB_STEP_SUMMARY", r.Summary); err != nil {
			return err
		}
	}
	isStdout := func(o output.Output) bool { return o.File == "" && !o.Stderr }
	if r.StdoutFile != nil && slices.ContainsFunc(r.Outs, isStdout) {
		if err := files.WritesOpen("standard output", r.StdoutFile); err != nil {
			return err
		}
	}
	if r.writesFiles() {
		r.SurviveClosed()
	}
	return nil
}

// writesFiles reports whether the run writes files, which are written also when nothing reads standard output.
func (s *Session) writesFiles() bool {
	return s.Update || s.Resume != "" ||
		slices.ContainsFunc(s.Outs, func(o output.Output) bool { return o.File != "" })
}

func (r *pipeline) addInputs(files *atomicfile.Files) {
	for _, name := range append([]string{r.config.File()}, r.Names...) {
		if filepath.Ext(name) == ".toml" {
			files.Reads("the configuration "+name, name)
		}
	}
	for _, path := range r.cases.Scripts() { // none of a merged run
		files.Reads("the script "+path, path)
	}
}

// addBaselines adds the baselines, which --update writes.
func (r *pipeline) addBaselines(files *atomicfile.Files) error {
	for _, path := range r.baselines.Paths() {
		name := "the baseline " + path
		if !r.Update {
			files.Reads(name, path)
			continue
		}
		if err := r.System.MakeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := files.Writes(name, path); err != nil {
			return err
		}
	}
	return nil
}
