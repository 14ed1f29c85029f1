package host

import (
	"fmt"

	"github.com/spf13/cobra"

	"roclua/host/calibrate"
	"roclua/internal/atomicfile"
)

func newCalibrate(env Env) *cobra.Command {
	var out outOptions
	cmd := &cobra.Command{
		Use:   "calibrate FILE",
		Short: "Fit the model of time to measured times of a real device",
		Long: `Fit the model of time of simulated devices to a real device. FILE is the result of a run there, from
--out json or jsonl, with times of t:measure. Their names are a routine and its sizes: dgemm.n64,
dgetrs.n64.nrhs2. scripts/measure/calibrate.lua measures such calls.

The answer is a table for config.toml, and the measured and predicted times of each call. A value is
fitted if half of it or twice as much changes at least two times by 10 %. Rates of a device whose data
sheet is known stay as in the sheet. Times of a simulated device are refused. roclua docs loads
explains the model.

  roclua run --platform nvidia scripts/measure/calibrate.lua --set params.to=4096 --out json=times.json
  roclua calibrate times.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("calibrate needs one result file (see roclua calibrate --help)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			outs, err := out.parse(cmd)
			if err != nil {
				return err
			}
			files := atomicfile.NewFiles(env.files())
			files.Reads("the result file "+args[0], args[0])
			if err := env.checkOutputs(files, outs); err != nil {
				return err
			}
			report, err := calibrate.File(args[0])
			if err != nil {
				return err
			}
			return env.write(outs, report)
		},
	}
	out.add(cmd, "row and the times")
	out.addJSON(cmd.Flags())
	out.addCSV(cmd.Flags())
	return cmd
}
