-- k6, Ramping VUs:
--   executor: 'ramping-vus', startVUs: 0, gracefulRampDown: '0s',
--   stages: [{ duration: '20s', target: 10 }, { duration: '10s', target: 0 }]
--   export default function () { http.get(...); sleep(0.5) }
local hip = require "hip"
return {
  params = { up = 0.4, down = 0.2 }, -- k6: 20 and 10
  workload = {
    clients = 1, grace = 1,
    stages = { { duration = "up", clients = 10 }, { duration = "down", clients = 0 } },
  },
  event = function(c)
    hip.free(hip.malloc(64))
    hip.stream_synchronize(c.stream)
  end,
}
