"""Plays a whole game with a client that openapi-python-client made of /openapi.json: play.py FOLDER URL.

FOLDER holds the package `generated`. What is not as a user of that client would expect ends it with a traceback."""
import sys

sys.path.insert(0, sys.argv[1])
from generated import AuthenticatedClient, Client  # noqa: E402
from generated.api.games import guess, read_game, resign, start_game  # noqa: E402
from generated.api.players_and_sessions import create_player, read_player  # noqa: E402
from generated.models import GuessWord, NewGame, NewPlayer, ReadGameResponse401  # noqa: E402
from generated.models import GameState, GuessResponse422, Problem  # noqa: E402

stranger = Client(base_url=sys.argv[2])
made = create_player.sync(client=stranger, body=NewPlayer(name="Ada"))
assert made.player.name == "Ada" and made.player.energy == 30, made
ada = AuthenticatedClient(base_url=sys.argv[2], token=made.token)

started = start_game.sync(client=ada, body=NewGame(), idempotency_key="first")
again = start_game.sync(client=ada, body=NewGame(), idempotency_key="first")
assert started == again and started.energy == 25, (started, again)
game = started.game
assert game.state == GameState.PLAYING and game.guesses == [], game

# A word that does not count is told by its code, not by an exception.
refused = guess.sync(game.id, client=ada, body=GuessWord(word="zzzzz", number=1))
assert isinstance(refused, GuessResponse422) and refused.code == "word-unknown", refused
for number, word in enumerate(["crane", "slate", "mucus"], 1):
    if game.state == GameState.PLAYING:
        game = guess.sync(game.id, client=ada, body=GuessWord(word=word, number=number))
game = resign.sync(game.id, client=ada)
assert game.state in (GameState.LOST, GameState.WON) and len(game.secret) == 5, game
assert read_game.sync(game.id, client=ada) == game
assert read_player.sync(client=ada).statistics.played == 1

# Nobody, and nothing.
nobody = AuthenticatedClient(base_url=sys.argv[2], token="jt_" + "A" * 43)
unknown = read_game.sync(game.id, client=nobody)
assert isinstance(unknown, ReadGameResponse401) and unknown.code == "unauthorized", unknown
missing = read_game.sync("01a2037e-c442-78ca-8173-f54c16b2ee62", client=ada)
assert not isinstance(missing, ReadGameResponse401) and missing.code == "not-found" and missing.status == 404, missing
assert isinstance(missing, Problem) or missing.title, missing
print("played")
