-- A word dealt for nothing: one row read, and what of it has not been played.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
function request()
  return post("/Juliet_WordManager", '{"requestType":"fetchNewSecretWord","userID":"' .. random_user() .. '"}')
end
