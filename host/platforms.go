package host

// The platforms of the program. A platform registers itself when its package is imported, and nothing else of the
// program knows it.
import (
	"context"
	"os"

	"roclua/hip/amd"
	_ "roclua/hip/cpu"
	_ "roclua/hip/nvidia"
)

// searchLibraries makes the platform amd search folders before those that are the default.
func searchLibraries(folders string) error { return os.Setenv(amd.EnvPath, folders) }

// withoutGPU makes the platform amd use a HIP runtime that needs no GPU, for an architecture.
func withoutGPU(ctx context.Context, arch string) error {
	_, err := amd.WithoutGPU(ctx, arch)
	return err
}
