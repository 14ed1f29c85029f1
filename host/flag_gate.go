package host

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"roclua/host/exit"
	"roclua/host/gate"
	"roclua/host/output"
)

// gateOptions are the flags that compare releases, of roclua log and roclua plan.
type gateOptions struct {
	above string
	on    []string
}

func (o *gateOptions) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.above, "fail-above", "",
		"exit with 3 if a call needs more than on the first --profile, by more than `BYTES or PERCENT`, such as 32MiB "+
			"or 10%")
	flags.StringSliceVar(&o.on, "fail-on", nil,
		"exit with 3 for a growth or a status that the first --profile does not have: growth,status")
}

// limits reads the flags; nil if there are none. Tests in the formats of CI systems need limits. An empty flag is most
// likely a variable that is not set.
func (o *gateOptions) limits(flags *pflag.FlagSet, outs []output.Output) (*gate.Limits, error) {
	switch {
	case flags.Changed("fail-above") && o.above == "":
		return nil, errors.New(`--fail-above "": write a number of bytes or a percentage, such as 32MiB or 10%`)
	case flags.Changed("fail-on") && len(o.on) == 0:
		return nil, errors.New(`--fail-on "": want growth, status`)
	}
	l, err := gate.Parse(o.above, o.on)
	if l != nil || err != nil {
		return l, err
	}
	for _, out := range outs {
		if out.Format == "junit" || out.Format == "tap" || out.Format == "github" {
			return nil, fmt.Errorf("--out %s needs --fail-above or --fail-on, which say what fails", out.Format)
		}
	}
	return nil, nil
}

// exitOf returns the exit code of what got worse.
func exitOf(g *gate.Gate) error {
	if g.Failed() {
		return exit.Silent(exit.Baseline)
	}
	return nil
}
