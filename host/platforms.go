package host

// The platforms of the program. A platform registers itself when its package is imported, and nothing else of the
// program knows it.
import (
	_ "roclua/hip/amd"
	_ "roclua/hip/cpu"
	_ "roclua/hip/nvidia"
)
