-- A guess that ends no game: session, word and game found, the guess judged, one row changed, a commit. The threads go through
-- the players of BENCH_TOKENS together, each once in a round. The words guessed have odd places; those of the games have even ones.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
local heads, bodies, turn = {}, {}
local start = init
function init()
  start()
  -- wrk asks the first thread for a request that it does not send.
  turn = number == 0 and -1 or 0
  local line = 0
  for token, game in io.open(os.getenv("BENCH_TOKENS")):read("*a"):gmatch("(%S+) (%S+)\n") do
    if line % 2 == number % 2 then
      heads[#heads + 1] = "POST /v2/games/" .. game .. "/guesses HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " .. token
        .. "\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n{\"word\":\""
    end
    line = line + 1
  end
  line = 0
  for word in io.lines(os.getenv("BENCH_WORDS")) do
    if line % 2 == 1 then bodies[#bodies + 1] = word .. "\",\"number\":" end
    line = line + 1
  end
end
local ends = {}
for i = 1, 99 do ends[i] = i .. "}" end
function request()
  local player, round = turn % #heads, math.max(0, math.floor(turn / #heads))
  turn = turn + 1
  return heads[player + 1] .. bodies[math.random(#bodies)] .. ends[round + 1]
end
