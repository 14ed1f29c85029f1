local rocblas, hip, array = require "rocblas", require "hip", require "array"

local lower, unit, left = rocblas.fill_lower, rocblas.diagonal_unit, rocblas.side_left
local f16, f32, f64 = rocblas.datatype_f16_r, rocblas.datatype_f32_r, rocblas.datatype_f64_r
local transposed = rocblas.operation_transpose

-- The rows of the table. Each has the routines, their sizes and options, their arrays, and the status with less memory
-- than the query returns; "none" marks those that need no memory, "tuned" those that need it on some architectures.
local short, slower = rocblas.status_memory_error, rocblas.status_perf_degraded
local rows = {
  -- L1 reduction functions: reduction array
  { "sasum dasum scasum dzasum snrm2 dnrm2 scnrm2 dznrm2", { n = 5000 }, "x", short },
  { "isamax idamax icamax izamax isamin idamin icamin izamin", { n = 5000 }, "x", short },
  { "hdot bfdot sdot ddot cdotu zdotu cdotc zdotc", { n = 5000 }, "x y", short },
  { "dot_ex", { n = 5000, x_type = f16, execution_type = f32 }, "x y", short },
  { "nrm2_ex", { n = 5000, x_type = f64 }, "x", short },
  -- L2 functions: result array before overwriting input, column reductions of skinny transposed matrices
  { "sgemv dgemv cgemv zgemv", { operation = transposed, m = 8192, n = 4 }, "A x y", slower },
  { "stbmv dtbmv ctbmv ztbmv", { uplo = lower, n = 100, k = 4 }, "A x", short },
  { "stpmv dtpmv ctpmv ztpmv", { uplo = lower, n = 100 }, "A x", short },
  { "strmv dtrmv ctrmv ztrmv", { uplo = lower, n = 100 }, "A x", short },
  { "strsv dtrsv ctrsv ztrsv", { uplo = lower, diag = unit, n = 100 }, "A x", short },
  { "chemv zhemv ssymv dsymv csymv zsymv", { uplo = lower, n = 100 }, "A x y", short },
  -- L3 GEMM-based functions: block of matrix
  { "strsm dtrsm ctrsm ztrsm", { side = left, uplo = lower, diag = unit, m = 256, n = 10 }, "A B", slower },
  { "strtri dtrtri ctrtri ztrtri", { uplo = lower, diag = unit, n = 100 }, "A invA", short },
  { "ssyrk dsyrk csyrk zsyrk cherk zherk", { uplo = lower, n = 20, k = 500 }, "A C", "tuned" },
  { "ssymm dsymm csymm zsymm chemm zhemm", { side = left, uplo = lower, m = 20, n = 20 }, "A B C", "none" },
  { "strmm dtrmm ctrmm ztrmm", { side = left, uplo = lower, m = 20, n = 20 }, "A B C", "none" },
  { "ssyr2k dsyr2k csyr2k zsyr2k ssyrkx dsyrkx csyrkx zsyrkx", { uplo = lower, n = 20, k = 20 }, "A B C", "none" },
  { "cher2k zher2k cherkx zherkx", { uplo = lower, n = 20, k = 20 }, "A B C", "none" },
  { "hgemm sgemm dgemm cgemm zgemm", { m = 20, n = 20, k = 20 }, "A B C", "none" },
  { "gemm_ex", { m = 20, n = 20, k = 20, a_type = f64 }, "a b c d", "none" },
}

local forms = { "", "_batched", "_strided_batched" }
local problems, distance = 3, 1048576 -- bytes between two problems

-- Returns the routine's name in a form: rocblas_gemm_batched_ex, rocblas_dtrsm_batched.
local function name_of(routine, form)
  local base = routine:match("^(.*)_ex$")
  return base and base .. form .. "_ex" or routine .. form
end

-- Returns the status that a call returns or raises.
local function status_of(handle, name, call)
  local results = { pcall(handle[name], handle, call) }
  if results[1] then return results[#results] end
  return results[2].status
end

return {
  about   = "each routine of the table of functions, in its three forms: with the memory that it needs, and with less",
  source  = "rocBLAS, ROCm 7.1.0: Device memory allocation in rocBLAS, table of functions; rocBLAS, ROCm 6.1.0: "
    .. "Device Memory Allocation in rocBLAS, table of functions",
  profiles = "rocm-",
  schemes = { "user_owned" },
  bytes   = 64,

  run = function(t)
    local handle = t.handle
    -- Each role of an array has separate memory of zeros, and an array of pointers to its problems.
    local memory, pointers = {}, {}
    for _, role in ipairs { "in", "in2", "out" } do
      memory[role] = t:malloc(problems * distance)
      hip.memset(memory[role], 0, problems * distance)
      pointers[role] = t:upload(array.pointers(memory[role], problems, distance))
    end
    local workspace = t:malloc(4 * distance)

    local executed, refused = 0, 0
    local function try(name, options, arrays, form, expected)
      local call = {}
      for key, value in pairs(options) do call[key] = value end
      local names = {}
      for array_name in arrays:gmatch("%S+") do names[#names + 1] = array_name end
      for i, array_name in ipairs(names) do
        local role = i == #names and "out" or i == 1 and "in" or "in2"
        if array_name == "c" then role = "out" end -- gemm_ex computes in c
        call[array_name] = form == "_batched" and pointers[role] or memory[role]
      end
      if form ~= "" then call.batch_count = problems end
      if options.operation then -- the headers have two names for it
        call.operation = nil
        call[form == "_strided_batched" and "transA" or "trans"] = options.operation
      end

      local need = handle:query(function(q) q[name](q, call) end)
      if expected == "none" then
        t:equal(need, 0, name .. " needs no memory")
      else
        t:check(need > 0, name .. " needs memory")
      end
      rocblas.set_workspace(handle, workspace, math.max(need, 64))
      t:status(rocblas.status_success, status_of(handle, name, call), name)
      executed = executed + 1
      if expected ~= "none" then
        rocblas.set_workspace(handle, workspace, need - 1)
        t:status(expected, status_of(handle, name, call), name .. " with less memory")
        refused = refused + 1
      end
    end

    local copied = handle:query(function(q)
      q:ssyrk { uplo = lower, n = 20, k = 500, A = memory["in"], C = memory.out }
    end)
    local tuned = copied > 0 and short or "none" -- for all routines of the row
    for _, row in ipairs(rows) do
      local expected = row[4] == "tuned" and tuned or row[4]
      for routine in row[1]:gmatch("%S+") do
        hip.memset(memory.out, 0, problems * distance) -- the routine before may have left elements of another type
        for _, form in ipairs(forms) do try(name_of(routine, form), row[2], row[3], form, expected) end
      end
    end
    rocblas.set_workspace(handle, nil, 0)
    t:metric("executed", executed)
    t:metric("with_less_memory", refused)
  end,
}
