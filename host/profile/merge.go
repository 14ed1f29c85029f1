package profile

import (
	"fmt"
	"io"
	"os"

	"github.com/google/pprof/profile"
)

// Part is a profile of Go that one process wrote.
type Part struct {
	File    string
	Process string // the label of its samples: "program" or "worker"
}

// Merge writes one profile of several, whose samples have the process as a label. It returns how many parts cannot be
// read: a process that was killed leaves a part that is not complete, or none.
func Merge(w io.Writer, parts []Part) (lost int, err error) {
	var list []*profile.Profile
	for _, part := range parts {
		p, err := read(part.File)
		if err != nil {
			lost++
			continue
		}
		for _, s := range p.Sample {
			s.Label = map[string][]string{"process": {part.Process}}
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return lost, fmt.Errorf("none of %d processes wrote a profile", len(parts))
	}
	merged, err := profile.Merge(list)
	if err != nil {
		return lost, err
	}
	return lost, merged.Write(w)
}

func read(path string) (*profile.Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return profile.Parse(file)
}
