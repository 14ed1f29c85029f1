package native

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"roclua/hip/dl"
	"roclua/hip/driver"
)

// Search finds the libraries of a vendor.
type Search struct {
	EnvPath string   // the environment variable with the folders that are searched first
	Below   []string // folders below these that are searched, too
	Usual   []string // patterns of the folders that are searched after the loader's path

	missing []string // why libraries were not found
}

// Candidates lists where a library with one of several names may be. Names without a folder are for the loader.
func (s *Search) Candidates(names ...string) []string {
	var list []string
	for _, folder := range filepath.SplitList(os.Getenv(s.EnvPath)) {
		list = append(list, existing(folder, names)...)
		for _, below := range s.Below {
			list = append(list, existing(filepath.Join(folder, below), names)...)
		}
	}
	list = append(list, names...)
	for _, pattern := range s.Usual {
		folders, _ := filepath.Glob(pattern)
		for _, folder := range folders {
			list = append(list, existing(folder, names)...)
		}
	}
	return list
}

// existing lists the files that a folder contains.
func existing(folder string, names []string) []string {
	var list []string
	for _, name := range names {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err == nil {
			list = append(list, path)
		}
	}
	return list
}

// Open opens the first candidate that is a library. Err reports the libraries without one.
func (s *Search) Open(names ...string) *dl.Library {
	lib, err := dl.Open(s.Candidates(names...)...)
	if err != nil {
		s.missing = append(s.missing, err.Error())
	}
	return lib
}

// Err returns an error that lists what was tried for each missing library; nil if all were found.
func (s *Search) Err() error {
	if s.missing == nil {
		return nil
	}
	return errors.New(strings.Join(s.missing, "; "))
}

// Probe completes the report of a platform by the devices of its runtime, or by the advice if there are none.
func Probe(a *API, cfg driver.Config, r driver.Report, advice string) driver.Report {
	rt, err := Open(a, cfg)
	if err != nil {
		if driver.CodeOf(err) == driver.ErrorNotSupported { // of a missing function: another device would not help
			advice = "install a complete runtime of a supported version in place of " + a.Library.Path
		}
		r.Problem, r.Advice = err.Error(), advice
		return r
	}
	for _, d := range rt.Devices() {
		r.Devices = append(r.Devices, d.Properties())
	}
	rt.Close()
	return r
}
