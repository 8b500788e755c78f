-- Energy bought: a balance changed, a ledger row, a commit.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
function request()
  return post("/Juliet_IAPManager", '{"requestType":"handleEnergyPurchase","userID":"' .. random_user() .. '","energyPurchaseAmount":5}')
end
