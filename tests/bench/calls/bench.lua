-- Measures calls that compute little, from a script: roclua run bench.lua -- WHO REPEAT
-- Prints WHO,CALL,SECONDS of one call: the median of several rounds.
local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"
local rounds = 9
local who, repeats = arg[1], tonumber(arg[2])

local function measure(name, loop)
  local seconds = {}
  loop(1)
  for i = 1, rounds do
    local start = os.clock()
    loop(repeats)
    seconds[i] = (os.clock() - start) / repeats
    hip.device_synchronize()
  end
  table.sort(seconds)
  print(string.format("%s,%s,%.12f", who, name, seconds[(rounds + 1) / 2]))
end

local handle, memory = rocblas.create_handle(), hip.malloc(2 ^ 20)
hip.memset(memory, 0, 2 ^ 20)
local dgetrf, dgemm, set_workspace = rocsolver.dgetrf, rocblas.dgemm, rocblas.set_workspace
local none = rocblas.operation_none

rocblas.start_device_memory_size_query(handle)
measure("query", function(n)
  for _ = 1, n do dgetrf(handle, 1024, 1024, nil, 1024, nil, nil) end
end)
rocblas.stop_device_memory_size_query(handle)
measure("gemm", function(n)
  for _ = 1, n do dgemm(handle, none, none, 1, 1, 1, 1, memory, 1, memory, 1, 0, memory, 1) end
end)
measure("workspace", function(n)
  for _ = 1, n do set_workspace(handle, memory, 1048576) end
end)
rocblas.destroy_handle(handle)
hip.free(memory)
