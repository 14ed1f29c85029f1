package host

// The platforms of the program. A platform registers itself when its package is imported, and nothing else of the
// program knows it.
import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"roclua/hip/amd"
	_ "roclua/hip/cpu"
	"roclua/hip/nogpu"
	_ "roclua/hip/nvidia"
	"roclua/host/config"
	"roclua/host/exit"
	"roclua/internal/units"
)

func init() { config.InstalledTuning = amd.TuningFolders }

// searchLibraries makes the platform amd search folders before those that are the default.
func searchLibraries(folders string) error { return os.Setenv(amd.EnvPath, folders) }

// withoutGPU has the flags of commands that run the installed libraries on no GPU.
type withoutGPU struct {
	on      bool
	arch    string
	memory  string
	devices int // 0 is one for each architecture
}

func (w *withoutGPU) add(flags *pflag.FlagSet) {
	flags.BoolVar(&w.on, "without-gpu", false, "run the installed libraries over a HIP runtime that needs no GPU")
	flags.StringVar(&w.arch, "arch", "", "with --without-gpu, the architecture of the devices, or one for "+
		"each, such as gfx90a,gfx942 (default: "+nogpu.DefaultArch+")")
	flags.StringVar(&w.memory, "device-memory", "", "with --without-gpu, the memory of each device, such as 16GiB "+
		"(default: 64GiB)")
}

// environment returns the variables of the runtime, NAME=VALUE. Without --without-gpu there are none.
func (w *withoutGPU) environment() ([]string, error) {
	switch {
	case !w.on && w.arch != "":
		return nil, errors.New("--arch: only with --without-gpu; a GPU has its own architecture")
	case !w.on && w.memory != "":
		return nil, errors.New("--device-memory: only with --without-gpu; a GPU has its own memory")
	case !w.on:
		return nil, nil
	}
	w.arch = cmp.Or(w.arch, os.Getenv(nogpu.EnvArch), nogpu.DefaultArch)
	list := []string{nogpu.EnvArch + "=" + w.arch}
	if each := 1 + strings.Count(w.arch, ","); each > 1 {
		if w.devices = cmp.Or(w.devices, each); w.devices != each {
			return nil, fmt.Errorf("--arch %s: %d architectures for --devices %d: name one, or one for each device",
				w.arch, each, w.devices)
		}
	}
	if w.devices > 0 {
		list = append(list, fmt.Sprintf("%s=%d", nogpu.EnvDevices, w.devices))
	}
	if w.memory == "" {
		return list, nil
	}
	bytes, err := units.ParseInt(w.memory)
	if err != nil || bytes <= 0 {
		return nil, fmt.Errorf("--device-memory %s: write a number of bytes, such as 17179869184 or 16GiB", w.memory)
	}
	return append(list, fmt.Sprintf("%s=%d", nogpu.EnvCapacity, bytes)), nil
}

// runtime returns the path of the runtime for a program; "" without --without-gpu.
func (w *withoutGPU) runtime(ctx context.Context, program string) (string, error) {
	if !w.on {
		return "", nil
	}
	path, err := amd.RuntimeWithoutGPU(ctx, w.arch, program)
	return path, w.unavailable(err)
}

// use makes the platform amd use the runtime in this process and its workers.
func (w *withoutGPU) use(ctx context.Context) error {
	list, err := w.environment()
	if err != nil || !w.on {
		return err
	}
	for _, variable := range list {
		name, value, _ := strings.Cut(variable, "=")
		os.Setenv(name, value)
	}
	_, err = amd.WithoutGPU(ctx, w.arch)
	return w.unavailable(err)
}

func (w *withoutGPU) unavailable(err error) error {
	if err != nil {
		err = exit.With(exit.Unavailable, fmt.Errorf("--without-gpu: %w", err))
	}
	return err
}

// openBLASLt opens the installed hipBLASLt, on the first GPU or, for an architecture with a number of compute units,
// over the runtime that needs no GPU.
func openBLASLt(ctx context.Context, arch string, units int) (*amd.BLASLt, error) {
	runtime := ""
	if arch != "" {
		os.Setenv(nogpu.EnvArch, arch)
		os.Setenv(nogpu.EnvUnits, strconv.Itoa(units))
		var err error
		if runtime, err = amd.BLASLtWithoutGPU(ctx, arch); err != nil {
			return nil, exit.With(exit.Unavailable, err)
		}
	}
	l, err := amd.OpenBLASLt(runtime)
	return l, exit.With(exit.Unavailable, err)
}
