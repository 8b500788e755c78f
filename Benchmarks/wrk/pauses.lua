-- One row read, by clients that wait between an answer and the next request: BENCH_PAUSE milliseconds on the average.
dofile(os.getenv("BENCH_WRK") .. "/read.lua")
local most = 2 * tonumber(os.getenv("BENCH_PAUSE"))
function delay() return math.random(0, most) end
