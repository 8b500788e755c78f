-- Shared by the loads: random users whose ids the seed and pgbench compute from the same number, requests as strings.
local USERS = 100000
local threads = 0
function setup(thread) thread:set("number", threads); threads = threads + 1 end
function init() math.randomseed(os.time() * 7 + (number or 0) * 7919 + 1) end

function random_user()
  local n = math.random(1, USERS)
  return string.format("%08d-0000-4000-8000-%012d", 10000000 + (n * 48271) % 90000000, 100000000000 + n)
end

-- BENCH_KEYS=1: each request carries an Idempotency-Key of its own.
local keys = os.getenv("BENCH_KEYS") == "1"
local sent = 0
local heads = {}
local ends = {}
for i = 0, 999 do ends[i] = i .. "\r\n\r\n" end

-- What each request says anew is put together in one go: the load generator's time is measured with the rest.
function post(path, body)
  if keys then
    sent = (sent + 1) % 1000
    if sent == 0 then heads = {} end
  end
  local of_path = heads[path]
  if not of_path then of_path = {} heads[path] = of_path end
  local head = of_path[#body]
  if not head then
    head = "POST " .. path .. " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: " .. #body .. "\r\n"
    if keys then
      head = head .. "Idempotency-Key: " .. (number or 0) .. "-" .. math.random(1, 1000000000) .. "-"
    else
      head = head .. "\r\n"
    end
    of_path[#body] = head
  end
  return keys and head .. ends[sent] .. body or head .. body
end

function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT requests=%d duration_us=%d p50_us=%d p99_us=%d errors=%d",
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
