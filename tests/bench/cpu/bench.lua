-- Measures routines on the cpu platform: roclua run bench.lua -- WHO OP,N,REPEAT ...
-- Prints WHO,OP,N,SECONDS of one call: the shortest of REPEAT calls, each on the same matrices. Below n = 256 a call is
-- measured from the script until the host has waited for it; from there on by events around calls that are queued.
local rocblas, rocsolver, hip, array = require "rocblas", require "rocsolver", require "hip", require "array"
local sizes = { s = 4, d = 8, c = 8, z = 16 }
local none, left, lower = rocblas.operation_none, rocblas.side_left, rocblas.fill_lower
local non_unit = rocblas.diagonal_non_unit

-- The time from a call until the host has waited for it.
local function latency(repeats, restore, call)
  local seconds = {}
  for k = 0, repeats do
    restore()
    hip.device_synchronize()
    local start = os.clock()
    call()
    hip.device_synchronize()
    if k > 0 then seconds[k] = os.clock() - start end
  end
  return math.min(unpack(seconds))
end

-- The time of a call on the device.
local function duration(repeats, restore, call)
  local starts, stops, seconds = {}, {}, {}
  for k = 0, repeats do
    starts[k], stops[k] = hip.event_create(), hip.event_create()
    restore()
    hip.event_record(starts[k], nil)
    call()
    hip.event_record(stops[k], nil)
  end
  hip.device_synchronize()
  for k = 0, repeats do
    if k > 0 then seconds[k] = hip.event_elapsed_time(starts[k], stops[k]) / 1000 end
    hip.event_destroy(starts[k]) hip.event_destroy(stops[k])
  end
  return math.min(unpack(seconds))
end

local handle = rocblas.create_handle()
local who = arg[1]
for i = 2, #arg do
  local kind, op, n, repeats = arg[i]:match("(%w)(%w+),(%d+),(%d+)")
  n, repeats = tonumber(n), tonumber(repeats)
  local bytes = sizes[kind] * n * n
  local a, b, c = hip.malloc(bytes), hip.malloc(bytes), hip.malloc(bytes)
  local pivots, info = hip.malloc(16 * n), hip.malloc(4)
  hip.memcpy(a, array.diagonally_dominant(kind, n), bytes)
  hip.memcpy(b, array.diagonally_dominant(kind, n), bytes)
  local f = ((op == "gemm" or op == "trsm") and rocblas or rocsolver)[kind .. op]
  local getrf, from = rocsolver[kind .. "getrf"], a
  if op == "getri" or op == "getrs" then getrf(handle, n, n, a, n, pivots, info) end
  if op == "getrs" or op == "trsm" then from = b end
  local calls = {
    gemm = function() f(handle, none, none, n, n, n, 1, a, n, b, n, 0, c, n) end,
    trsm = function() f(handle, left, lower, none, non_unit, n, n, 1, a, n, c, n) end,
    getrf = function() f(handle, n, n, c, n, pivots, info) end,
    potrf = function() f(handle, lower, n, c, n, info) end,
    geqrf = function() f(handle, n, n, c, n, pivots) end,
    getri = function() f(handle, n, c, n, pivots, info) end,
    getrs = function() f(handle, none, n, n, a, n, pivots, c, n) end,
  }
  local measure = n < 256 and latency or duration
  local seconds = measure(repeats, function() hip.memcpy_async(c, from, bytes, nil) end, calls[op])
  print(string.format("%s,%s%s,%d,%.9f", who, kind, op, n, seconds))
  for _, p in ipairs { a, b, c, pivots, info } do hip.free(p) end
end
rocblas.destroy_handle(handle)
