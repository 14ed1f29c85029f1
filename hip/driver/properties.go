package driver

// Properties is the part of hipGetDeviceProperties that scenarios use.
type Properties struct {
	Name                string
	Arch                string // "gfx90a"; "sm_90" on NVIDIA
	MemoryBytes         uint64
	WarpSize            int
	Multiprocessors     int
	MaxThreadsPerBlock  int
	SharedMemPerBlock   uint64
	ClockKHz            int
	MemoryPoolSupported bool
	PCIBusID            int
}

// Attribute is a hipDeviceAttribute_t with its number in HIP.
type Attribute int

// The attributes that scenarios can query, numbered as in hip_runtime_api.h.
const (
	AttributeEccEnabled                  Attribute = 0
	AttributeAsyncEngineCount            Attribute = 2
	AttributeClockRate                   Attribute = 5
	AttributeConcurrentKernels           Attribute = 8
	AttributeIntegrated                  Attribute = 16
	AttributeManagedMemory               Attribute = 24
	AttributeMaxThreadsPerBlock          Attribute = 56
	AttributeMaxThreadsPerMultiProcessor Attribute = 57
	AttributeMultiprocessorCount         Attribute = 63
	AttributeMaxSharedMemoryPerBlock     Attribute = 74
	AttributeTotalGlobalMem              Attribute = 84
	AttributeWarpSize                    Attribute = 87
	AttributeMemoryPoolsSupported        Attribute = 88
)
