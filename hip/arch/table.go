package arch

// usualScan is the choice of rocPRIM for architectures without tuned values.
var usualScan = Scan{Elements: 3584}

// rows is the table. A new architecture is one entry here.
//
// It has every name that rocBLAS of a modelled release compares with the name of the device, the other architectures
// that distributions build rocBLAS for, and the generic names of its code. The libraries report the facts for a device
// of any name: make architectures compares every row with them.
//
// One difference is not modelled: on gfx940 and gfx941, rocSOLVER of rocm-6.4 waits for its stream between the steps of
// blocked triangular solves of batches, which invalidates a capture.
var rows = []*Arch{
	{Name: "gfx803", Wavefront: 64, Scan: Scan{Elements: 4096}},
	{Name: "gfx900", Wavefront: 64, Scan: Scan{Elements: 4096}},
	{Name: "gfx906", Wavefront: 64, Gemv: Gemv{InGemm: true, SlowIncrements: true},
		Scan: Scan{Elements: 3840},
		Chip: Chip{"AMD Instinct MI50", 60, 1725000}},
	{Name: "gfx908", Wavefront: 64, Gemv: Gemv{InGemm: true, SlowBFloat16: true}, Scan: usualScan,
		Chip: Chip{"AMD Instinct MI100", 120, 1502000}},
	{Name: "gfx90a", Wavefront: 64, Gemv: Gemv{InGemm: true, SlowBFloat16: true}, Default: true,
		TriangleCopy: TriangleCopy{Real: 3000, C: 2500, Z: 2500},
		Scan:         Scan{Elements: 1280}, Chip: Chip{"AMD Instinct MI210", 104, 1700000}},
	{Name: "gfx90c", Wavefront: 64, Scan: usualScan},
	{Name: "gfx940", Wavefront: 64, Until: "rocm-6.4", LargeWorkspace: true, XF32: true, Float8: true, Scan: usualScan},
	{Name: "gfx941", Wavefront: 64, Until: "rocm-6.4", LargeWorkspace: true, XF32: true, Float8: true, Scan: usualScan},
	{Name: "gfx942", Wavefront: 64, LargeWorkspace: true, XF32: true, Float8: true,
		TriangleCopy: TriangleCopy{Real: 4000, C: 1600, Z: 3000},
		Scan:         Scan{Elements: 5376, Counter: true}, ScanFor: map[string]Scan{"rocm-6.4": {Elements: 5376}},
		Chip: Chip{"AMD Instinct MI300X", 304, 2100000}},
	{Name: "gfx950", Wavefront: 64, Since: "rocm-7.1", LargeWorkspace: true,
		Scan: Scan{Elements: 4096, Counter: true}, ScanFor: map[string]Scan{"rocm-6.4": usualScan},
		Chip: Chip{"AMD Instinct MI355X", 256, 2400000}},
	{Name: "gfx1010", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1011", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1012", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1013", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1030", Wavefront: 32, Gemv: Gemv{InGemm: true},
		Scan: Scan{Elements: 320}, ScanFor: map[string]Scan{"rocm-6.4": {Elements: 1152}},
		Chip: Chip{"AMD Radeon RX 6900 XT", 40, 2250000}},
	{Name: "gfx1031", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1032", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1033", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1034", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1035", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1036", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1100", Wavefront: 32, Gemv: Gemv{InGemm: true},
		Scan: Scan{Elements: 1024},
		Chip: Chip{"AMD Radeon RX 7900 XTX", 48, 2500000}},
	{Name: "gfx1101", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1102", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: Scan{Elements: 4096}},
	{Name: "gfx1103", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1150", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1151", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1152", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1153", Wavefront: 32, Gemv: Gemv{InGemm: true}, Scan: usualScan},
	{Name: "gfx1200", Wavefront: 32, Scan: Scan{Elements: 2048}},
	{Name: "gfx1201", Wavefront: 32, Scan: Scan{Elements: 1536}, Chip: Chip{"AMD Radeon RX 9070 XT", 32, 2970000}},
	{Name: "gfx1250", Wavefront: 32, Scan: usualScan},
	{Name: "gfx9-generic", Wavefront: 64, Scan: usualScan},
	{Name: "gfx9-4-generic", Wavefront: 64, Scan: usualScan},
	{Name: "gfx10-1-generic", Wavefront: 32, Scan: usualScan},
	{Name: "gfx10-3-generic", Wavefront: 32, Scan: usualScan},
	{Name: "gfx11-generic", Wavefront: 32, Scan: usualScan},
	{Name: "gfx12-generic", Wavefront: 32, Scan: usualScan},
}
