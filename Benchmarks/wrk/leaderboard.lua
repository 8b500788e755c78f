-- The leaderboard of a day around a player: two ranks counted, twenty entries read.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
local requests = {}
local start = init
function init()
  start()
  for token in io.open(os.getenv("BENCH_TOKENS")):read("*a"):gmatch("(%S+) %S+\n") do
    requests[#requests + 1] = "GET /v2/daily/" .. os.getenv("BENCH_DAY") .. "/leaderboard?around=me&limit=20 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
      .. "Authorization: Bearer " .. token .. "\r\n\r\n"
  end
end
function request() return requests[math.random(#requests)] end
