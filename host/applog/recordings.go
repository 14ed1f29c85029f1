package applog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"roclua/hip"
	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/config"
	"roclua/host/recording"
	"roclua/host/replay"
	"roclua/host/targets"
	"roclua/workspace"
	"roclua/workspace/footprint"
	"roclua/workspace/tuning"
)

// openRecording opens a file that is a recording. It returns nil for any other file.
func openRecording(name string) (*recording.File, error) {
	if info, err := os.Stat(name); name == "-" || err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := recording.Open(name)
	if errors.Is(err, recording.ErrFormat) {
		return nil, nil
	}
	return f, err
}

// on returns for each device the index of its target: the first one, or one of its release with the device's
// architecture if the devices differ.
func on(w replay.Written, list []footprint.Target) []int {
	indices := make([]int, len(w.Archs))
	if arch.Same(w.Archs) {
		return indices
	}
	for d, name := range w.Archs {
		indices[d] = max(0, slices.IndexFunc(list, func(t footprint.Target) bool {
			return t.Profile == list[0].Profile && t.Arch == name
		}))
	}
	return indices
}

// targetsOf returns the releases and architectures of the request. Without any they are the ones of the recordings.
func targetsOf(r *Request, recordings map[string]*recording.File) ([]footprint.Target, error) {
	profiles, archs := r.Profiles, r.Archs
	libraries := map[*workspace.Profile]*release.Versions{}
	for _, name := range r.Files {
		if f := recordings[name]; f != nil {
			w, unmodelled := replay.Source(&f.Process)
			if have, seen := libraries[w.Profile]; seen && (have == nil || *have != *w.Versions) ||
				unmodelled != nil && r.Profiles != nil {
				w.Versions = nil
			}
			libraries[w.Profile] = w.Versions
			if r.Profiles == nil && !slices.Contains(profiles, w.Profile.Name) {
				profiles = append(profiles, w.Profile.Name)
			}
			for _, name := range w.Used(f) {
				if r.Archs == nil && !slices.Contains(archs, name) {
					archs = append(archs, name)
				}
			}
		}
	}
	if profiles == nil {
		profiles = []string{workspace.DefaultProfileOf(config.Simulated)}
	}
	if archs == nil {
		archs = []string{defaultArch}
	}
	list, err := targets.Of(profiles, archs, r.Tuning)
	for i := range list {
		list[i].Libraries = libraries[list[i].Profile]
	}
	return list, err
}

// readRecording replays a recording and counts its calls.
func readRecording(ctx context.Context, l *analyze.Log, list []footprint.Target, name string, f *recording.File,
	r *Request,
) (*render.Recording, error) {
	of, unmodelled := replay.Source(&f.Process)
	to := l.Recorded(name, f.Process.Facts["rocblas.version"])
	recorded := &render.Recording{Name: name, Unmodelled: unmodelled, On: on(of, list),
		Handles: map[int]*analyze.Handle{}}
	options := replay.Options{Profile: of.Profile, Recorded: true,
		Need: func(h *replay.Handle, at replay.Place, a *routine.Args) uint64 {
			number, stream := h.Number, at.Stream
			if r.OneHandle {
				number, stream = 1, 0
			}
			c := to.Call(number, stream, a, at.Call)
			c.In(at.State)
			return c.Needs[recorded.On[h.Device]].Bytes
		}}
	result, err := replayed(ctx, f, replay.Config(of.Archs), options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range list {
		if !r.Runs {
			break
		}
		run := result
		if archs := archsOn(of, &list[i]); list[i].Profile != of.Profile || !slices.Equal(archs, of.Archs) {
			target := config.Target{Platform: config.Simulated, Profile: list[i].Profile.Name, DeviceArchs: archs,
				DeviceMemory: config.DefaultDeviceMemory()}
			devices := replay.Devices(f, target, false)
			devices.RealTime = true // nothing shows times
			run, err = replayed(ctx, f, devices, replay.Options{Profile: list[i].Profile, Tuning: tuningOf(&list[i])})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		recorded.Runs = append(recorded.Runs, run)
	}
	if r.Sharing {
		options.OneWorkspace = true
		options.Need = func(h *replay.Handle, _ replay.Place, a *routine.Args) uint64 {
			e, _ := footprint.ExecutedNeed(list[recorded.On[h.Device]], a)
			return e.Bytes
		}
		shared, err := replayed(ctx, f, replay.Config(of.Archs), options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		result.Sharing = shared.Sharing
	}
	numbers := []int{1}
	if !r.OneHandle {
		numbers = nil
		for _, h := range result.Handles {
			numbers = append(numbers, h.Number)
		}
	}
	for _, n := range numbers {
		recorded.Handles[n] = to.Handle(n)
	}
	to.Lines(result.Calls)
	for name, n := range result.NotModelled {
		to.NotModelled(name, n)
	}
	recorded.Result = result
	return recorded, nil
}

// addFileNotes notes recordings that are not whole, files of libraries that are not modelled, and releases that are
// inferred.
func addFileNotes(r *render.Report) {
	for _, rec := range r.Recordings {
		for _, text := range slices.Concat(rec.Process.Missing(), rec.Problems) {
			r.Notes = append(r.Notes, analyze.Note{Code: analyze.Incomplete, Text: rec.Name + ": " + text})
		}
		if rec.Unmodelled != nil {
			r.Notes = append(r.Notes, analyze.Note{Code: analyze.Unmodelled, Text: fmt.Sprintf(
				"%s: %v. The predictions are of %s", rec.Name, rec.Unmodelled, rec.Profile)})
		}
		for _, text := range slices.Concat(rec.Result.Notes, rec.Result.Unfollowed()) {
			r.Notes = append(r.Notes, analyze.Note{Code: analyze.Incomplete, Text: rec.Name + ": " + text})
		}
	}
	for i := range r.Files {
		f := &r.Files[i]
		if _, err := release.Of(f.RocBLAS, ""); err != nil && f.RocBLAS != "" && !f.Recorded {
			r.Notes = append(r.Notes, analyze.Note{Code: analyze.Unmodelled, Text: fmt.Sprintf("%s: %v", f.Name, err)})
		}
	}
	for i := range r.Targets {
		text := config.AboutProfile(r.Targets[i].Profile.Name)
		if n := (analyze.Note{Code: analyze.Inferred, Text: text}); text != "" && !slices.Contains(r.Notes, n) {
			r.Notes = append(r.Notes, n)
		}
	}
}

// archsOn returns the architectures of the recorded devices on a target: their own if the target has the one of a
// device, else the target's.
func archsOn(of replay.Written, t *footprint.Target) []string {
	if slices.Contains(of.Archs, t.Arch) {
		return of.Archs
	}
	return slices.Repeat([]string{t.Arch}, len(of.Archs))
}

func tuningOf(t *footprint.Target) tuning.Libraries {
	if t.Tuning == nil {
		return nil
	}
	return tuning.Libraries{t.Arch: t.Tuning}
}

// replayed replays a recording on its own devices.
func replayed(ctx context.Context, f *recording.File, devices driver.Config, o replay.Options) (*replay.Result, error) {
	rt, err := hip.Open(config.Simulated, devices)
	if err != nil {
		return nil, err
	}
	defer rt.Close()
	return replay.Run(ctx, f, rt, o)
}
