-- One row read.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
function request()
  return post("/Juliet_UserSessionManager", '{"requestType":"fetchUserWins","userID":"' .. random_user() .. '"}')
end
