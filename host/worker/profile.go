package worker

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// Variables with the files of the profiles that a worker writes.
const (
	cpuProfileVariable = "ROCLUA_WORKER_CPUPROFILE"
	memProfileVariable = "ROCLUA_WORKER_MEMPROFILE"
)

// profileVariables returns the environment with which the next process writes its profiles.
func (p *Pool) profileVariables() (list []string) {
	p.profiled++
	if p.CPUProfile != "" {
		list = append(list, fmt.Sprintf("%s=%s.%d", cpuProfileVariable, p.CPUProfile, p.profiled))
	}
	if p.MemProfile != "" {
		list = append(list, fmt.Sprintf("%s=%s.%d", memProfileVariable, p.MemProfile, p.profiled))
	}
	return list
}

// startProfiles begins with the profiles that the environment requests. stop writes them. A process that is killed
// leaves a profile of the processor that cannot be read, and no profile of memory.
func startProfiles() (stop func(), err error) {
	cpu, mem := os.Getenv(cpuProfileVariable), os.Getenv(memProfileVariable)
	os.Unsetenv(cpuProfileVariable)
	os.Unsetenv(memProfileVariable)
	var file *os.File
	if cpu != "" {
		if file, err = os.Create(cpu); err == nil {
			err = pprof.StartCPUProfile(file)
		}
	}
	return func() {
		if file != nil {
			pprof.StopCPUProfile()
			file.Close()
		}
		if mem != "" {
			writeMemory(mem)
		}
	}, err
}

// writeMemory writes the profile of allocated memory. The parent reports that it is missing if this fails.
func writeMemory(path string) {
	file, err := os.Create(path)
	if err != nil {
		return
	}
	runtime.GC() // so that the profile is complete
	pprof.Lookup("allocs").WriteTo(file, 0)
	file.Close()
}
