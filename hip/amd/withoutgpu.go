package amd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"roclua/hip/nogpu"
	"roclua/hip/release"
)

// RuntimeWithoutGPU returns the path of a HIP runtime that needs no GPU, for devices of an architecture, or of a list
// such as "gfx90a,gfx942". The programs that use it decide the version of HIP, otherwise the installed rocBLAS. An
// error names the missing part and a remedy.
func RuntimeWithoutGPU(ctx context.Context, archs string, programs ...string) (string, error) {
	installed := Installed()
	for arch := range strings.SplitSeq(archs, ",") {
		if installed == nil {
			break
		}
		if err := blasKernels.check(installed[0], arch); err != nil {
			return "", err
		}
	}
	path, err := nogpu.Compile(ctx, append(programs, installed...)...)
	if errors.Is(err, nogpu.ErrNoHIP) && installed == nil {
		err = fmt.Errorf("no rocBLAS was found (%s)\nto do: %s", strings.Join(blasNames(), ", "), installAdvice)
	}
	return path, err
}

// WithoutGPU makes this process and those that it starts use a HIP runtime that needs no GPU.
func WithoutGPU(ctx context.Context, archs string) (string, error) {
	path, err := RuntimeWithoutGPU(ctx, archs)
	if err != nil {
		return "", err
	}
	folders := filepath.Dir(path)
	if others := os.Getenv(EnvPath); others != "" {
		folders += string(os.PathListSeparator) + others
	}
	return path, errors.Join(os.Setenv(EnvPath, folders), os.Setenv(nogpu.EnvArch, archs))
}

const installAdvice = "install ROCm 6 or 7 with HIP, rocBLAS and rocSOLVER, or name its folder in " + EnvPath

func blasNames() []string { return versions("librocblas.so", (*release.Release).RocBLASMajor) }

// Installed returns the paths of rocBLAS, and of rocSOLVER and the libraries above them if they are installed. It
// finds them as the platform does. Without rocBLAS it returns nil.
func Installed() []string {
	from := search()
	rocblas := nogpu.Find(from.Candidates(blasNames()...)...)
	if rocblas == "" {
		return nil
	}
	list := []string{rocblas}
	names := [][]string{solverNames}
	for _, k := range layerKinds {
		names = append(names, k.files)
	}
	for _, names := range names {
		if path := nogpu.Find(from.Candidates(names...)...); path != "" {
			list = append(list, path)
		}
	}
	return list
}
