package host

// The platforms of the program. A platform registers itself when its package is imported, and nothing else of the
// program knows it.
import (
	"os"

	"roclua/hip/amd"
	_ "roclua/hip/cpu"
	_ "roclua/hip/nvidia"
)

// searchLibraries makes the platform amd search folders before those that are the default.
func searchLibraries(folders string) error { return os.Setenv(amd.EnvPath, folders) }
