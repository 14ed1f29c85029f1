-- k6, Constant arrival rate, with thresholds that end the test:
--   executor: 'constant-arrival-rate', duration: '30s', rate: 30, timeUnit: '1s', preAllocatedVUs: 50
--   thresholds: { http_req_failed: ['rate<0.01'],
--                 http_req_duration: [{ threshold: 'p(99)<1000', abortOnFail: true }] }
--   export default function () { check(http.get(...), { 'status was 200': r => r.status == 200 }) }
local rocblas, hip = require "rocblas", require "hip"
return {
  params = { seconds = 0.6, rate = 200 }, -- k6: 30 and 30
  schemes = { "managed" },
  workload = { clients = 50, duration = "seconds", rate = "rate", arrivals = "even", abort_on_fail = "latency.p99" },
  expect = { errors = "== 0", ["latency.p99"] = "< 1s" },
  client = function(c)
    x = hip.malloc(8 * 100)
    c:defer(hip.free, x)
    hip.memset(x, 0, 8 * 100)
  end,
  event = function(c)
    local _, status = rocblas.dasum(c.handle, 100, x, 1)
    c:status(rocblas.status_success, status)
  end,
}
