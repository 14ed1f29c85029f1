local rocblas = require "rocblas"

local function lookup_error(name)
  local ok, err = pcall(function() return rocblas[name] end)
  return ok and "" or tostring(err)
end

return {
  about  = "function names in the table that no library exports, and the names they mean",
  source = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions: rocblas_gemm_ex_batched, "
    .. "rocblas_Xtrsv_ex, rocblas_Xmax",
  profiles = "rocm-",

  run = function(t)
    for documented, real in pairs {
      gemm_ex_batched = "gemm_batched_ex",
      gemm_ex_strided_batched = "gemm_strided_batched_ex",
      dmax = "idamax",
      smin_batched = "isamin_batched",
      dtrsv_ex = "no library exports",
    } do
      t:check(lookup_error(documented):find(real, 1, true) ~= nil, documented .. ": " .. lookup_error(documented))
    end
  end,
}
