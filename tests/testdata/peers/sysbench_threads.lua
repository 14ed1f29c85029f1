-- sysbench, README: sysbench --threads=4 --events=200 --rand-seed=1 file.lua
--   sysbench.cmdline.options = { tables = {"Number of tables", 1} }
--   function thread_init()  drv = sysbench.sql.driver(); con = drv:connect() end
--   function event()        con:query("SELECT c FROM sbtest" .. sysbench.rand.uniform(1, sysbench.opt.tables)) end
--   function thread_done()  con:disconnect() end
local rocblas, hip = require "rocblas", require "hip"
return {
  params = { tables = 3 },
  workload = { clients = 4, count = 200 },
  client = function(c)
    handle, vectors = rocblas.create_handle(), {}
    c:defer(rocblas.destroy_handle, handle)
    rocblas.set_stream(handle, c.stream)
    for i = 1, c.tables do
      vectors[i] = hip.malloc(8 * i)
      c:defer(hip.free, vectors[i])
      hip.memset(vectors[i], 0, 8 * i)
    end
  end,
  event = function(c)
    local i = math.random(1, c.tables)
    rocblas.dscal(handle, i, 2, vectors[i], 1)
  end,
  leave = function(c) hip.stream_synchronize(c.stream) end,
}
