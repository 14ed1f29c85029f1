local rocblas = require "rocblas"

local function complaint(name)
  local ok, err = pcall(function() return rocblas[name] end)
  return ok and "" or tostring(err)
end

return {
  about  = "names of the table that no library exports, and what is meant",
  source = "000_87fe014290032ff0.txt, table: rocblas_gemm_ex_batched, rocblas_Xtrsv_ex, rocblas_Xmax",
  profiles = "rocm-",

  run = function(t)
    for documented, real in pairs {
      gemm_ex_batched = "gemm_batched_ex",
      gemm_ex_strided_batched = "gemm_strided_batched_ex",
      dmax = "idamax",
      smin_batched = "isamin_batched",
      dtrsv_ex = "no library exports",
    } do
      t:check(complaint(documented):find(real, 1, true) ~= nil, documented .. ": " .. complaint(documented))
    end
  end,
}
