-- The app's game: started, its word recorded as played, won every other time, the wins read; 3.5 requests. Each thread keeps
-- 64 games at staggered stages and advances them in turn, so one player's requests keep their order. The word played is
-- a random one: wrk does not read the answers here.
dofile(os.getenv("BENCH_WRK") .. "/common.lua")
local words, games, turn = {}, {}, 0
for word in io.lines(os.getenv("BENCH_WORDS")) do words[#words + 1] = word end
for i = 1, 64 do games[i] = { stage = 0, skip = i % 4 } end
local session, word_manager = "/Juliet_UserSessionManager", "/Juliet_WordManager"
function request()
  turn = turn % 64 + 1
  local game = games[turn]
  if game.stage == 0 then
    game.user, game.won, game.stage = random_user(), math.random() < 0.5, 1
    return post(session, '{"requestType":"statNewGameSession","userID":"' .. game.user .. '"}')
  elseif game.stage == 1 then
    game.stage = game.won and 2 or 3
    return post(word_manager, '{"requestType":"updateUserPlayedWordsList","userID":"' .. game.user .. '","playedWord":"' .. words[math.random(#words)] .. '"}')
  elseif game.stage == 2 then
    game.stage = 3
    return post(session, '{"requestType":"updateUserWins","userID":"' .. game.user .. '"}')
  end
  game.stage = 0
  return post(session, '{"requestType":"fetchUserWins","userID":"' .. game.user .. '"}')
end
