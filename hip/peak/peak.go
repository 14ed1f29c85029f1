// Package peak is the table of peak rates of devices, from their manufacturers' data sheets.
package peak

import "roclua/hip/routine"

// Peak has the peak rates of a device's data sheet.
type Peak struct {
	bytes  float64
	flops  map[int64]float64 // by datatype of real numbers, without sparsity
	Source string            // the data sheet
}

// Bytes returns the bytes that the device can read and write in a second; 0 if they are not known.
func (p Peak) Bytes() float64 { return p.bytes }

// Flops returns the floating-point operations in a second on numbers of a datatype; 0 if they are not known.
func (p Peak) Flops(datatype int64) float64 { return p.flops[routine.RealOf(datatype)] }

const (
	giga = 1e9
	tera = 1e12
)

// teraflops are the peaks of a device by datatype: f64 and f32 are the peaks of its fastest units for numbers
// that are not rounded, so without TF32.
func teraflops(f64, f32, f16, i8 float64) map[int64]float64 {
	return map[int64]float64{routine.DatatypeF64: f64 * tera, routine.DatatypeF32: f32 * tera,
		routine.DatatypeF16: f16 * tera, routine.DatatypeBF16: f16 * tera, routine.DatatypeI8: i8 * tera}
}

// volta has no units for products of bfloat16 and of integers of 8 bits.
func volta() map[int64]float64 {
	all := teraflops(7.8, 15.7, 125, 0)
	delete(all, routine.DatatypeBF16)
	return all
}

const (
	hopperSheet = "NVIDIA H100 Tensor Core GPU, data sheet, 2024"
	h200Sheet   = "NVIDIA H200 Tensor Core GPU, data sheet, 2024"
	ampereSheet = "NVIDIA A100 Tensor Core GPU, data sheet, 2022"
	voltaSheet  = "NVIDIA V100 Tensor Core GPU, data sheet, 2020"
	mi300XSheet = "AMD Instinct MI300X accelerator, data sheet, 2023"
	mi300ASheet = "AMD Instinct MI300A APU, data sheet, 2023"
	mi325XSheet = "AMD Instinct MI325X accelerator, data sheet, 2024"
	mi200Sheet  = "AMD Instinct MI200 series accelerator, data sheet, 2022"
	navi31Sheet = "AMD Radeon RX 7900 XTX, specifications, 2022"
)

// peaks are the devices by the name that the runtime reports. A part of a device has another name, and no peak. HIP has
// two devices for an MI250 or MI250X, each with half of its data sheet's rates.
var peaks = map[string]Peak{
	"NVIDIA H100 80GB HBM3":  {3350 * giga, teraflops(67, 67, 989.4, 1978.9), hopperSheet},
	"NVIDIA H100 PCIe":       {2000 * giga, teraflops(51, 51, 756.5, 1513), hopperSheet},
	"NVIDIA H100 NVL":        {3900 * giga, teraflops(60, 60, 835.5, 1670.5), hopperSheet},
	"NVIDIA H200":            {4800 * giga, teraflops(67, 67, 989.4, 1978.9), h200Sheet},
	"NVIDIA H200 NVL":        {4800 * giga, teraflops(60, 60, 835.5, 1670.5), h200Sheet},
	"NVIDIA A100-SXM4-80GB":  {2039 * giga, teraflops(19.5, 19.5, 312, 624), ampereSheet},
	"NVIDIA A100-SXM4-40GB":  {1555 * giga, teraflops(19.5, 19.5, 312, 624), ampereSheet},
	"NVIDIA A100 80GB PCIe":  {1935 * giga, teraflops(19.5, 19.5, 312, 624), ampereSheet},
	"NVIDIA A100-PCIE-40GB":  {1555 * giga, teraflops(19.5, 19.5, 312, 624), ampereSheet},
	"Tesla V100-SXM2-16GB":   {900 * giga, volta(), voltaSheet},
	"Tesla V100-SXM2-32GB":   {900 * giga, volta(), voltaSheet},
	"AMD Instinct MI300X":    {5300 * giga, teraflops(163.4, 163.4, 1307.4, 2614.9), mi300XSheet},
	"AMD Instinct MI300A":    {5300 * giga, teraflops(122.6, 122.6, 980.6, 1961.2), mi300ASheet},
	"AMD Instinct MI325X":    {6000 * giga, teraflops(163.4, 163.4, 1307.4, 2614.9), mi325XSheet},
	"AMD Instinct MI250X":    {3276.8 / 2 * giga, teraflops(95.7/2, 95.7/2, 383.0/2, 383.0/2), mi200Sheet},
	"AMD Instinct MI250":     {3276.8 / 2 * giga, teraflops(90.5/2, 90.5/2, 362.1/2, 362.1/2), mi200Sheet},
	"AMD Instinct MI210":     {1638.4 * giga, teraflops(45.3, 45.3, 181, 181), mi200Sheet},
	"AMD Radeon RX 7900 XTX": {960 * giga, teraflops(1.92, 61.4, 122.8, 122.8), navi31Sheet},
}

// Of returns the peak of a device by its name. Of other devices nothing is known.
func Of(device string) Peak { return peaks[device] }
