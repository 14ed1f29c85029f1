package host

import "github.com/spf13/pflag"

// addTuning adds the flag that names tuning files.
func addTuning(flags *pflag.FlagSet, value *string) {
	flags.StringVar(value, "tuning", "",
		"tuning files of rocBLAS: a `PATH` of a folder or a pack, or installed; RELEASE=PATH,... for several releases")
}
