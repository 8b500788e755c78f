-- A game paid: a balance changed, a ledger row, a commit.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
function request()
  return post("/Juliet_IAPManager", '{"requestType":"singleGameEnergyUpdate","userID":"' .. random_user() .. '"}')
end
