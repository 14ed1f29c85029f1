// Package targets multiplies releases and architectures, for the commands that compute needs, and lists the memory of
// handles on them.
package targets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roclua/host/answer"
	"roclua/host/config"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// Of multiplies profiles and architectures. An empty list is an error, as an empty name is. tuning says where the
// rocBLAS tuning files are; see config.TuningPath.
func Of(profiles, archs []string, tuning string) ([]footprint.Target, error) {
	if len(profiles) == 0 {
		profiles = []string{""}
	}
	if len(archs) == 0 {
		archs = []string{""}
	}
	var list []footprint.Target
	for _, name := range profiles {
		p, err := workspace.FindProfile(strings.TrimSpace(name))
		if err == nil && !p.Modelled() {
			err = fmt.Errorf("profile %s is not modelled: "+
				"only the libraries on a machine with platform %s report what calls need", p.Name, p.Platform)
		}
		if err != nil {
			return nil, err
		}
		for _, arch := range archs {
			arch = strings.TrimSpace(arch)
			if err := config.CheckArch(arch); err != nil {
				return nil, err
			}
			files, err := config.OpenTuning(tuning, p.Name, arch)
			if err != nil {
				return nil, err
			}
			if t := (footprint.Target{Profile: p, Arch: arch, Tuning: files}); !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list, nil
}

// ShortBytes formats exact bytes with the nearest binary unit, without the word: "4732160 (4.5 MiB)".
func ShortBytes(n uint64) string {
	text := units.FormatBytes(n)
	return strings.Replace(strings.Replace(text, " bytes", "", 1), " byte", "", 1)
}

// widestHow bounds the description of a scheme in the table.
const widestHow = 72

// HeldTable lists the memory of a handle under each scheme on the targets with some names, and for one target how the
// scheme is configured.
func HeldTable(names []string, held [][]workspace.Held) *answer.Table {
	t := answer.NewTable("scheme", "how").Wrap(1, widestHow)
	if len(held) > 1 {
		t = answer.NewTable("scheme")
	}
	t.Targets(names)
	for k, h := range held[0] {
		row := []string{h.Scheme}
		if len(held) == 1 {
			row = append(row, cmp.Or(h.Skip, h.About))
		}
		for _, list := range held {
			cell := "-"
			if list[k].Skip == "" {
				cell = ShortBytes(list[k].Bytes)
			}
			row = append(row, cell)
		}
		t.Row(row...)
	}
	return t
}
