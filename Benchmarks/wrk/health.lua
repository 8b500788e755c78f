-- No database: what HTTP alone costs.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
local get = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
function request() return get end
