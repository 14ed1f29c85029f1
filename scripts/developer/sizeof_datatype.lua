local rocblas = require "rocblas"

return {
  about   = "sizeof_datatype: the bytes of an element of each datatype, of which a routine computes its sizes",
  source  = "rocBLAS developer guide, ROCm 3.5: Device Memory Allocation: \"Returns size of a rocBLAS runtime data "
    .. "type\"",
  platforms = { "cpu", "nvidia" }, -- rocBLAS does not export the function

  run = function(t)
    local sizes = {
      i8_r = 1, u8_r = 1, i8_c = 2, u8_c = 2, f16_r = 2, bf16_r = 2, f16_c = 4, bf16_c = 4, i32_r = 4, u32_r = 4,
      f32_r = 4, i32_c = 8, u32_c = 8, f32_c = 8, f64_r = 8, f64_c = 16, f8_r = 1, bf8_r = 1,
    }
    for name, bytes in pairs(sizes) do
      t:equal(rocblas.sizeof_datatype(rocblas["datatype_" .. name]), bytes, name)
    end
    t:check(not pcall(rocblas.sizeof_datatype, 172), "172 is not a datatype")
  end,
}
