package matmul

// value is a value of an enumeration of hipBLASLt: its name in options, its name in traces and its number in C.
type value struct {
	name, trace string
	number      int
}

// types are the data types.
var types = []value{
	{"f32_r", "R_32F", 0}, {"f64_r", "R_64F", 1}, {"f16_r", "R_16F", 2}, {"i8_r", "R_8I", 3}, {"i32_r", "R_32I", 10},
	{"bf16_r", "R_16BF", 14}, {"f8_r", "R_8F_E4M3", 28}, {"bf8_r", "R_8F_E5M2", 29}, {"f6_r", "R_6F_E2M3", 31},
	{"bf6_r", "R_6F_E3M2", 32}, {"f4_r", "R_4F_E2M1", 33}, {"f8_fnuz_r", "R_8F_E4M3_FNUZ", 1000},
	{"bf8_fnuz_r", "R_8F_E5M2_FNUZ", 1001},
}

// computes are the types of the sum over k.
var computes = []value{
	{"f16_r", "COMPUTE_16F", 0}, {"f32_r", "COMPUTE_32F", 2}, {"f32_f16_r", "COMPUTE_32F_16F", 4},
	{"f32_bf16_r", "COMPUTE_32F_16BF", 5}, {"xf32_r", "COMPUTE_32XF", 6}, {"f64_r", "COMPUTE_64F", 7},
	{"i32_r", "COMPUTE_32I", 9}, {"f32_f8_fnuz_r", "COMPUTE_32F_F8_FNUZ", 100},
	{"f32_bf8_fnuz_r", "COMPUTE_32F_BF8_FNUZ", 101}, {"f32_f8bf8_fnuz_r", "COMPUTE_32F_F8BF8_FNUZ", 102},
	{"f32_bf8f8_fnuz_r", "COMPUTE_32F_BF8F8_FNUZ", 103},
}

// epilogues are what is done with the product before it is stored.
var epilogues = []value{
	{"none", "EPILOGUE_DEFAULT", 1}, {"relu", "EPILOGUE_RELU", 2}, {"bias", "EPILOGUE_BIAS", 4},
	{"relu_bias", "EPILOGUE_RELU_BIAS", 6}, {"gelu", "EPILOGUE_GELU", 32}, {"gelu_bias", "EPILOGUE_GELU_BIAS", 36},
	{"relu_aux", "EPILOGUE_RELU_AUX", 130}, {"relu_aux_bias", "EPILOGUE_RELU_AUX_BIAS", 134},
	{"gelu_aux", "EPILOGUE_GELU_AUX", 160}, {"gelu_aux_bias", "EPILOGUE_GELU_AUX_BIAS", 164},
	{"dgelu", "EPILOGUE_DGELU", 192}, {"dgelu_bgrad", "EPILOGUE_DGELU_BGRAD", 208},
	{"bgrada", "EPILOGUE_BGRADA", 256}, {"bgradb", "EPILOGUE_BGRADB", 512},
	{"swish", "EPILOGUE_SWISH_EXT", 1 << 16}, {"swish_bias", "EPILOGUE_SWISH_BIAS_EXT", 1<<16 | 4},
	{"clamp", "EPILOGUE_CLAMP_EXT", 1 << 17}, {"clamp_bias", "EPILOGUE_CLAMP_BIAS_EXT", 1<<17 | 4},
	{"clamp_aux", "EPILOGUE_CLAMP_AUX_EXT", 1<<17 | 128},
	{"clamp_aux_bias", "EPILOGUE_CLAMP_AUX_BIAS_EXT", 1<<17 | 132},
	{"sigmoid", "EPILOGUE_SIGMOID_EXT", 1 << 18}, {"sigmoid_bias", "EPILOGUE_SIGMOID_BIAS_EXT", 1<<18 | 4},
}

// The bits of the numbers of epilogues that say what else they read or write.
const (
	bitBias     = 4
	bitGradient = 16 // of the bias
	bitAux      = 128
	bitsBiasOf  = 256 | 512 // the gradient of the bias of A or of B
)

// names lists the values of an enumeration under their names in options.
func names(list []value) []string {
	var all []string
	for _, v := range list {
		all = append(all, v.name)
	}
	return all
}

// find returns the number of a value by its name in options.
func find(list []value, name string) (int, bool) {
	for _, v := range list {
		if v.name == name {
			return v.number, true
		}
	}
	return 0, false
}

// named returns the name in options of a value in a trace; "" if there is none.
func named(list []value, trace string) string {
	for _, v := range list {
		if v.trace == trace {
			return v.name
		}
	}
	return ""
}

// Epilogues lists the names of epilogues.
func Epilogues() []string { return names(epilogues) }

// number returns the number of a value that has been checked.
func number(list []value, name string) int {
	n, _ := find(list, name)
	return n
}
