package applog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/applog/replay"
	"roclua/host/config"
	"roclua/host/recording"
	"roclua/host/targets"
	"roclua/workspace"
	"roclua/workspace/footprint"
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

// source returns the release that wrote a recording and the architecture of its device. modelled is false for another
// release than the model has: the default one is in its place.
func source(p *recording.Process) (t footprint.Target, modelled bool) {
	profile, err := workspace.FindProfile(workspace.ProfileOfLibrary(p.Facts["rocblas.version"]))
	if modelled = err == nil && profile.Modelled(); !modelled {
		profile, _ = workspace.FindProfile(workspace.DefaultProfileOf(config.Simulated))
	}
	arch, _, _ := strings.Cut(p.Facts["device.0.arch"], ":")
	if arch == "" || config.CheckArch(arch) != nil {
		arch = defaultArch
	}
	return footprint.Target{Profile: profile, Arch: arch}, modelled
}

// targetsOf returns the releases and architectures of the request. Without any they are the ones of the recordings.
func targetsOf(r *Request, recordings map[string]*recording.File) ([]footprint.Target, error) {
	profiles, archs := r.Profiles, r.Archs
	var of []footprint.Target
	for _, name := range r.Files {
		if f := recordings[name]; f != nil {
			if t, _ := source(&f.Process); !slices.Contains(of, t) {
				of = append(of, t)
			}
		}
	}
	if profiles == nil && archs == nil && of != nil {
		for i := range of {
			t, err := &of[i], error(nil)
			if t.Tuning, err = config.OpenTuning(r.Tuning, t.Profile.Name, t.Arch); err != nil {
				return nil, err
			}
		}
		return of, nil
	}
	for _, t := range of {
		if r.Profiles == nil && !slices.Contains(profiles, t.Profile.Name) {
			profiles = append(profiles, t.Profile.Name)
		}
		if r.Archs == nil && !slices.Contains(archs, t.Arch) {
			archs = append(archs, t.Arch)
		}
	}
	if profiles == nil {
		profiles = []string{workspace.DefaultProfileOf(config.Simulated)}
	}
	if archs == nil {
		archs = []string{defaultArch}
	}
	return targets.Of(profiles, archs, r.Tuning)
}

// readRecording replays a recording and counts its calls.
func readRecording(ctx context.Context, l *analyze.Log, name string, f *recording.File, r *Request) (
	*render.Recording, error,
) {
	of, modelled := source(&f.Process)
	to := l.Recorded(name, f.Process.Facts["rocblas.version"])
	recorded := &render.Recording{Name: name, Modelled: modelled}
	options := replay.Options{Profile: of.Profile, Arch: of.Arch,
		Need: func(h *replay.Handle, at replay.Place, a *routine.Args) uint64 {
			number, stream := h.Number, at.Stream
			if r.OneHandle {
				number, stream = 1, 0
			}
			c := to.Call(number, stream, a, at.Call)
			if r.Order {
				recorded.AddStep(render.Step{Call: c, Step: replay.Step{Handle: h.Number}})
			}
			return c.Needs[0].Bytes
		}}
	if r.Order {
		options.Step = func(s replay.Step) { recorded.AddStep(render.Step{Step: s}) }
	}
	result, err := replay.Run(ctx, f, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	to.Lines(result.Calls)
	for name, n := range result.NotModelled {
		to.NotModelled(name, n)
	}
	recorded.Handles, recorded.Result = to.Handles(), result
	return recorded, nil
}
