-- Energy reported by the app, nearly always another balance than before: a balance changed, a ledger row, a commit.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
function request()
  return post("/Juliet_IAPManager", '{"requestType":"updateUserEnergy","userID":"' .. random_user() .. '","userEnergy":' .. math.random(100000, 999999) .. '}')
end
