// Package nogpu has a HIP runtime that needs no GPU. With it the real rocBLAS and rocSOLVER, and programs that use
// them, create handles, answer size queries, check arguments and manage workspace as on a device. Kernels do not
// compute. The runtime is C source, for HIP 6 and 7, which is compiled when it is first used:
//
//	path, err := nogpu.Compile(ctx, "/usr/bin/app", "/usr/lib/librocblas.so.5")
//
// The file has the name and the symbol versions of AMD's libamdhip64. A process that has loaded it, or preloads it,
// uses it in place of AMD's library.
package nogpu

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"roclua/internal/ccompile"
)

//go:embed source
var source embed.FS

// The environment variables that the runtime reads.
const (
	EnvArch     = "HIP_ARCH"          // the architecture of the devices, or a list by device
	EnvCapacity = "HIP_CAPACITY"      // bytes of memory of each device, or a list by device
	EnvDevices  = "HIP_DEVICES"       // how many devices there are
	EnvUnits    = "HIP_COMPUTE_UNITS" // the compute units of each device
)

// soname is the name of AMD's library without its version.
const soname = "libamdhip64.so"

// symbol is a function of HIP, with its version.
type symbol struct{ name, version string }

// DefaultArch is the architecture without EnvArch.
const DefaultArch = "gfx90a"

// Compile returns the path of the runtime for programs and libraries. Each function of HIP that they import or that the
// installed HIP has, and that the runtime does not have, returns hipErrorNotSupported. The error of objects that do not
// use HIP is ErrNoHIP.
func Compile(ctx context.Context, objects ...string) (string, error) {
	release, imports := imported(objects)
	if release == "" {
		return "", ErrNoHIP
	}
	return library(release, imports).Path(ctx)
}

// ErrNoHIP means that neither a program nor the libraries that it loads at its start use HIP.
var ErrNoHIP = errors.New("no library that uses HIP was found")

// texts are the functions that return text, and no status.
var texts = []string{"hipApiName", "hipGetCmdName", "hipKernelNameRef", "hipKernelNameRefByPtr"}

// library returns the source of the runtime for a major version of HIP, with functions for all imports.
func library(release string, imports []symbol) ccompile.Library {
	name := soname + "." + release
	l := ccompile.Library{Name: name, Links: []string{soname}, Files: files()}
	known := exported(l.Files["hip.map"])
	var stubs strings.Builder
	for _, s := range imports {
		if _, ok := known[s.name]; !ok {
			result := "hipErrorNotSupported"
			if slices.Contains(texts, s.name) {
				result = "0"
			}
			fmt.Fprintf(&stubs, "STUB(%s, %s)\n", s.name, result)
		}
		known[s.name] = s.version
	}
	l.Files["hip.map"] = versionScript(known)
	l.Files["missing.h"] = stubs.String()
	l.Args = []string{"-O2", "-w", "-DHIP_RELEASE=" + release, "-DHIP_STUBS", "-Wl,-soname," + name,
		"-Wl,--version-script=hip.map", "hip.c", "-lpthread"}
	return l
}

// files returns the text of the source files, by name.
func files() map[string]string {
	list, err := source.ReadDir("source")
	if err != nil {
		panic(err) // they are embedded
	}
	texts := map[string]string{}
	for _, f := range list {
		text, err := source.ReadFile("source/" + f.Name())
		if err != nil {
			panic(err)
		}
		texts[f.Name()] = string(text)
	}
	return texts
}

// A version script has nodes such as "hip_4.2 { global: hipFree; hipMalloc; local: *; };".
var (
	nodePattern = regexp.MustCompile(`(?s)(\S+) \{\s*global:(.*?)\}`)
	namePattern = regexp.MustCompile(`(\w+);`)
)

// exported returns the versions of functions, by name.
func exported(script string) map[string]string {
	versions := map[string]string{}
	for _, node := range nodePattern.FindAllStringSubmatch(script, -1) {
		for _, name := range namePattern.FindAllStringSubmatch(node[2], -1) {
			versions[name[1]] = node[1]
		}
	}
	return versions
}

// versionScript is the inverse of exported.
func versionScript(versions map[string]string) string {
	nodes := map[string][]string{}
	for name, version := range versions {
		nodes[version] = append(nodes[version], name)
	}
	var text strings.Builder
	local := "local: *; "
	for _, version := range slices.Sorted(maps.Keys(nodes)) {
		slices.Sort(nodes[version])
		fmt.Fprintf(&text, "%s { global: %s; %s};\n", version, strings.Join(nodes[version], "; "), local)
		local = ""
	}
	return text.String()
}
