-- A win counted: one row changed, a commit.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
function request()
  return post("/Juliet_UserSessionManager", '{"requestType":"updateUserWins","userID":"' .. random_user() .. '"}')
end
