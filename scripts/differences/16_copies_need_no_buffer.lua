local rocblas, hip, array = require "rocblas", require "hip", require "array"

return {
  about   = "copies of noncontiguous vectors and matrices use no buffer; the document lists one",
  source  = "rocBLAS, ROCm 6.1.0: Device Memory Allocation in rocBLAS, table of functions, auxiliary: \"Buffer to "
    .. "compress noncontiguous arrays\"",
  profiles = "rocm-",

  run = function(t)
    local host = array.zeros("d", 100)
    for i = 1, 100 do host[i] = i end
    local device = t:upload(array.zeros("d", 100))
    local stream = t:stream()
    local back = array.zeros("d", 100)
    local allocations = hip.stats().calls.hipMalloc

    -- Runs copies and returns the HIP calls that they make.
    local function calls_of(copies)
      hip.trace()
      copies()
      local calls = {}
      for _, c in ipairs(hip.trace()) do calls[#calls + 1] = c.call end
      return calls
    end

    -- A vector: each second element to each third one, and back without gaps.
    t:equal(calls_of(function()
      rocblas.set_vector(5, 8, host, 2, device, 3)
      rocblas.get_vector(5, 8, device, 3, back, 1)
    end), { "hipMemcpy2D", "hipMemcpy2D" }, "one copy each")
    t:equal({ back[1], back[2], back[3], back[4], back[5], back[6] }, { 1, 3, 5, 7, 9, 0 })
    t:equal(calls_of(function() rocblas.set_vector(5, 8, host, 1, device, 1) end), { "hipMemcpy" }, "without gaps")

    -- A block of 2 x 3 from a matrix of 5 rows to one of 4 rows; the asynchronous forms do not wait.
    t:equal(calls_of(function()
      rocblas.set_matrix(2, 3, 8, host, 5, device, 4)
      rocblas.get_matrix(2, 3, 8, device, 4, back, 2)
    end), { "hipMemcpy2D", "hipMemcpy2D" }, "one copy each")
    t:equal({ back[1], back[2], back[3], back[4], back[5], back[6] }, { 1, 2, 6, 7, 11, 12 })
    t:equal(calls_of(function()
      rocblas.set_vector_async(5, 8, host, 2, device, 3, stream)
      rocblas.set_matrix_async(2, 3, 8, host, 5, device, 4, stream)
      rocblas.get_vector_async(4, 8, device, 1, back, 2, stream)
      rocblas.get_matrix_async(2, 3, 8, device, 4, back, 2, stream)
    end), { "hipMemcpy2DAsync", "hipMemcpy2DAsync", "hipMemcpy2DAsync", "hipMemcpy2DAsync" })
    hip.stream_synchronize(stream)
    t:equal({ back[1], back[2], back[3], back[4], back[5], back[6] }, { 1, 2, 6, 7, 11, 12 })
    t:equal(hip.stats().calls.hipMalloc, allocations, "no allocation by any of them")

    -- Nothing to copy is a success, whatever the other arguments; sizes are checked before pointers.
    local status = rocblas.try.set_vector(0, 0, nil, 0, nil, 0)
    t:status(rocblas.status_success, status)
    t:raises(rocblas.status_invalid_size, rocblas.set_vector, 5, 8, nil, 0, device, 1)
    t:raises(rocblas.status_invalid_size, rocblas.get_matrix, 4, 3, 8, device, 3, back, 4)
    t:raises(rocblas.status_invalid_pointer, rocblas.get_matrix, 4, 3, 8, nil, 4, back, 4)
  end,
}
