-- A player registered, who was unknown: a row, the first entry of a ledger, a commit.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
local start, count = init, 0
function init()
  start()
  count = math.random(0, 99999999)
end
function request()
  count = count + 1
  return post("/Juliet_AuthenticateUser", string.format('{"requestType":"initialRegistration","vendorID":"%08d-0000-4000-9000-%012d"}',
    10000000 + (count * 48271) % 90000000, count))
end
