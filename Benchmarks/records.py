"""A model of the records, by brute force: what all tables must contain, computed row by row in plain Python from the rows that
others follow from. It shares nothing with `juliet audit` or the schema's functions, so they cannot err together.

    difference(sql)      every difference, in words; `sql` takes a query and returns what psql prints

It reads everything into memory: for tests, not for a real database.
"""
import bisect, collections, datetime, hashlib, json

TABLES = ["users", "energy_ledger", "energy_ledger_archive", "energy_checkpoints", "closed_ledgers", "words", "word_lists", "blocked_words",
          "played_words", "players", "sessions", "claims", "merges", "judged_games", "days", "daily_words", "board_entries", "board_counts",
          "board_changes", "purchases", "store_notifications", "lottery_participants", "lottery_entries", "lottery_lists",
          "lottery_draws", "daily_results", "leagues", "league_members", "challenges", "admin_keys", "admin_actions", "rules"]
LAST = 6            # guesses in a game
FREE = ("archive", "challenge")     # kinds of games that count nowhere


def read(sql):
    """All rows of all tables, in one snapshot."""
    text = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex';\n"
    for table in TABLES:
        text += f"SELECT '{table} ' || row_to_json(t) FROM juliet.{table} AS t;\n"
    rows = collections.defaultdict(list)
    for line in sql(text + "COMMIT;").splitlines():
        table, row = line.split(" ", 1)
        rows[table].append(json.loads(row))
    rows["days"].sort(key=lambda d: moment(d["starts_at"]))
    rows["starts"] = [moment(d["starts_at"]) for d in rows["days"]]
    for g in rows["judged_games"]:
        g["ended_on"] = g["ended_at"] and day_at(rows, moment(g["ended_at"]))
    return rows


def day_at(r, at):
    """The game's day: the last that had begun; one of UTC before the first."""
    begun = bisect.bisect_right(r["starts"], at)
    return r["days"][begun - 1]["day"] if begun else at.date().isoformat()


def moment(text):
    return datetime.datetime.fromisoformat(text)


def microseconds(span):
    return (span.days * 86400 + span.seconds) * 10 ** 6 + span.microseconds


def marks(guess, word):
    """c correct, p present, a absent, as often as the word has the letter."""
    left = collections.Counter(w for w, g in zip(word, guess) if w != g)
    made = ""
    for w, g in zip(word, guess):
        if w == g:
            made += "c"
        elif left[g] > 0:
            left[g] -= 1
            made += "p"
        else:
            made += "a"
    return made


def start_of(board, day):
    if board == "week":
        return day - datetime.timedelta(days=day.weekday())
    if board == "month":
        return day.replace(day=1)
    return datetime.date(2000, 1, 1) if board == "all" else day


def by(rows, key):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row[key]].append(row)
    return groups


def energy(r, wrong):
    """Ledgers: one entry after the other, from the archive's first to the balance."""
    entries = by([e for e in r["energy_ledger"] if e["entry"] is not None] + r["energy_ledger_archive"], "user_id")
    ends = {u["id"]: (u["ledger_entry"], u["energy"]) for u in r["users"]}
    ends |= {c["user_id"]: (c["ledger_entry"], c["ledger_balance"]) for c in r["closed_ledgers"]}
    for player in set(entries) - set(ends):
        wrong(f"{player}: a ledger and no player")
    for player, (last, balance) in ends.items():
        sum_, number = 0, 0
        for e in sorted(entries[player], key=lambda e: e["entry"]):
            number, sum_ = number + 1, sum_ + e["delta"]
            if e["entry"] != number or e["balance_after"] != sum_:
                wrong(f"{player}: entry {e['entry']} is {e['balance_after']}, it should be {number} and {sum_}")
        if (last, balance) != (number, sum_):
            wrong(f"{player}: ends with {last} and {balance}, the ledger with {number} and {sum_}")
    for player in {e["user_id"] for e in r["names"]} - set(ends):
        wrong(f"{player}: names of operations of nobody")


def merges(r, wrong):
    """Players who were merged: only a ledger is left of them, which ends at zero, and the lasting energy was taken over."""
    ends = {c["user_id"]: (c["ledger_entry"], c["ledger_balance"]) for c in r["closed_ledgers"]}
    living, known = {u["id"] for u in r["users"]}, {m["user_id"]: m for m in r["merges"]}
    entries = by([e for e in r["energy_ledger"] if e["entry"] is not None] + r["energy_ledger_archive"], "user_id")
    filed = {c["user_id"] for c in r["energy_checkpoints"] if c["begins"] == "archive"}
    given = {(m["merged_into"], m["entry"]): m for m in r["merges"] if m["entry"] is not None}
    for m in r["merges"]:
        name = f"merge of {m['user_id']}"
        holder = m["merged_into"]
        while holder in known:
            holder = known[holder]["merged_into"]
        if m["user_id"] in living or m["user_id"] not in ends or ends[m["user_id"]][1] != 0 or m["holder"] != holder:
            wrong(f"{name}: ends {ends.get(m['user_id'])}, held by {m['holder']}, it should be {holder}")
        if m["holder"] not in living and m["holder"] not in ends:
            wrong(f"{name}: {m['holder']} is nobody")
        own = sorted(entries[m["user_id"]], key=lambda e: e["entry"])
        taken = own.pop()["delta"] if own and own[-1]["reason"] == "merge" and (
            m["user_id"], own[-1]["entry"]) not in given else 0
        lasting = sum(e["delta"] for e in own if e["reason"] in ("refund", "support", "lottery", "import", "merge")
                      or e["reason"] == "purchase" and e["reference"])
        due = -taken if taken > 0 else min(-taken, max(0, lasting))
        if m["user_id"] not in filed and m["energy"] != due or (m["entry"] is None) != (m["energy"] == 0):
            wrong(f"{name}: {m['energy']} came over, {due} lasted")
        into = [e["delta"] for e in entries[m["merged_into"]] if e["entry"] == m["entry"] and e["reason"] == "merge"]
        if m["entry"] is not None and into != [m["energy"]] and m["merged_into"] not in filed:
            wrong(f"{name}: {m['energy']} came over, {into} arrived")
    for player, own in entries.items():
        for e in own:
            last = player in known and e["entry"] == ends.get(player, (0, 0))[0]
            if e["reason"] == "merge" and (player, e["entry"]) not in given and not last:
                wrong(f"{player}: entry {e['entry']} of no merge")


def holders(r):
    """The owner of a ledger that is not the player's own."""
    return {m["user_id"]: m["holder"] for m in r["merges"]}


def on_its_day(g):
    return g["kind"] == "daily" and g["ended_on"] == g["day"]


def challenges(r, wrong):
    """Challenges, their games, and who paid."""
    known = {c["code"]: c for c in r["challenges"]}
    begun = collections.Counter()
    for g in r["judged_games"]:
        if (g["kind"] == "challenge") != (g["challenge"] is not None):
            wrong(f"game {g['id']} of {g['user_id']}: {g['kind']} of the challenge {g['challenge']}")
        if g["challenge"] is None:
            continue
        begun[g["challenge"]] += 1
        c = known.get(g["challenge"], {})
        if any(c.get(name) != g[name] for name in ("language", "word", "salt", "commitment", "is_hard")):
            wrong(f"game {g['id']} of {g['user_id']}: not of the challenge {g['challenge']}")
    for c in r["challenges"]:
        if not begun[c["code"]] <= c["players"] <= 1000:
            wrong(f"challenge {c['code']}: {c['players']} players, {begun[c['code']]} games")
    paid = {(e["user_id"], e["reference"]) for e in r["energy_ledger"] + r["energy_ledger_archive"]
            if e["reason"] == "challenge" and e["reference"]}
    for player, code in paid:
        c = known.get(code, {})
        if (c.get("ledger") or c.get("maker", "")) not in (player, None):
            wrong(f"{player}: paid for the challenge {code}, which is not theirs")
    for c in r["challenges"]:
        if c["maker"] and (c["ledger"] or c["maker"], c["code"]) not in paid:
            wrong(f"challenge {c['code']}: nobody paid")


def games(r, wrong):
    """Games, statistics, the words played, and who paid."""
    words = {(w["language"], w["word"]): w for w in r["words"]}
    days = {d["day"]: d for d in r["daily_words"]}
    users = {u["id"]: u for u in r["users"]}
    paid = collections.Counter((e["user_id"], e["reference"]) for e in r["energy_ledger"] + r["energy_ledger_archive"]
                               if e["reason"] == "game" and len(e["reference"] or "") == 36)
    rewards = {(e["user_id"], e["reference"]): e["delta"] for e in r["energy_ledger"] + r["energy_ledger_archive"]
               if e["reason"] == "daily" and e["reference"]}
    played = {(p["user_id"], p["word_id"]) for p in r["played_words"]}
    tokens = {(s["user_id"], s["token_hash"]) for s in r["sessions"]}
    players = {p["user_id"]: p for p in r["players"]}
    of_player, holder = by(r["judged_games"], "user_id"), holders(r)
    for player in set(of_player) | {s["user_id"] for s in r["sessions"]}:
        if player not in players:
            wrong(f"{player}: games or sessions of nobody")
    for g in r["judged_games"]:
        name, word, n = f"game {g['id']} of {g['user_id']}", g["word"], g["letters"]
        guesses = [g["guesses"][i:i + n] for i in range(0, len(g["guesses"]), n)]
        salt = g["salt"].replace("-", "")
        if g["commitment"] != "\\x" + hashlib.sha256(f"{salt}:{word}".encode()).hexdigest():
            wrong(f"{name}: commitment")
        if len(guesses) != g["guess_count"] or g["marks"] != "".join(marks(x, word) for x in guesses):
            wrong(f"{name}: marks {g['marks']} of {guesses} for {word}")
        if g["is_won"] != bool(guesses and guesses[-1] == word and g["ended_at"]) or word in guesses[:-1]:
            wrong(f"{name}: won {g['is_won']} with {guesses} for {word}")
        if g["ended_at"] is None and (len(guesses) >= LAST or word in guesses):
            wrong(f"{name}: goes on")
        if any((g["language"], x) not in words for x in guesses + [word]):
            wrong(f"{name}: no word")
        if g["session_hash"] and (g["ended_at"] or (g["user_id"], g["session_hash"]) not in tokens):
            wrong(f"{name}: played by no session")
        ledger = g["ledger"] or g["user_id"]
        if holder.get(ledger, ledger) != g["user_id"]:
            wrong(f"{name}: of the ledger {ledger}")
        if g["former_day"] or g["former_challenge"]:
            if g["kind"] != "archive" or g["day"] or g["challenge"]:
                wrong(f"{name}: second of {g['former_day']} {g['former_challenge']}, and {g['kind']} of {g['day']}")
            if g["former_day"] and any(days[g["former_day"]][k] != g[k] for k in ("language", "word", "salt")):
                wrong(f"{name}: not the word of {g['former_day']}")
            if g["former_day"] and g["former_day"] not in {o["day"] for o in of_player[g["user_id"]]}:
                wrong(f"{name}: second of {g['former_day']}, which has no first")
        if g["reward"] != rewards.pop((ledger, g["id"]), None) or g["reward"] and not (guesses and (
                g["former_day"] or on_its_day(g))):
            wrong(f"{name}: reward {g['reward']}")
        if g["ended_at"] and g["kind"] not in FREE and (g["user_id"], words[g["language"], word]["id"]) not in played:
            wrong(f"{name}: {word} is not played")
        if g["day"]:
            if any(days[g["day"]][k] != g[k] for k in ("language", "word", "salt", "commitment")):
                wrong(f"{name}: not the word of {g['day']}")
        elif g["kind"] not in FREE and paid.pop((ledger, g["id"]), 0) != 1:
            wrong(f"{name}: not paid for once")
    for player, game in paid:
        if holder.get(player, player) in players:
            wrong(f"game {game} of {player}: paid for and gone")
    for player, game in rewards:
        wrong(f"game {game} of {player}: rewarded and gone")
    for player, p in players.items():
        streak = longest = won = count = 0
        guesses = [0] * LAST
        ended = sorted((g for g in of_player[player] if g["ended_at"] and g["kind"] not in FREE), key=lambda g: (moment(g["ended_at"]), g["id"]))
        for g in ended:
            count, won, streak = count + 1, won + g["is_won"], streak + 1 if g["is_won"] else 0
            longest = max(longest, streak)
            if g["is_won"]:
                guesses[g["guess_count"] - 1] += 1
        made = (count, won, streak, longest, guesses, ended[-1]["ended_at"] if ended else "-infinity")
        said = tuple(p[k] for k in ("played", "won", "current_streak", "longest_streak", "distribution", "last_ended_at"))
        if made != said:
            wrong(f"{player}: statistics {said}, games make {made}")
        made = days_in_a_row(of_player[player])
        said = tuple(p[k] for k in ("days_played", "days_won", "day_streak", "longest_day_streak", "last_day_won"))
        if made != said:
            wrong(f"{player}: days {said}, games make {made}")
        if player not in users:
            wrong(f"{player}: no row of users")
        elif users[player]["wins"] < won:
            wrong(f"{player}: {users[player]['wins']} wins, {won} games won")
    for player in users:
        if len(player) == 36 and player[14] == "8" and player not in players:
            wrong(f"{player}: no row of players")


def words(r, wrong):
    """Places, lists, bits."""
    places = {w["id"]: w["place"] for w in r["words"]}
    taken = sorted(p for p in places.values() if p is not None)
    if taken != list(range(len(taken))):
        wrong(f"places {taken}")
    made = collections.defaultdict(set)
    for w in r["words"]:
        if w["place"] is not None:
            made[w["language"], len(w["word"])] |= {w["place"]} if w["is_secret"] and not w["retired_at"] else set()
        elif w["is_secret"]:
            wrong(f"{w['word']}: no place")
    for list_ in r["word_lists"]:
        bits = {i for i, bit in enumerate(list_["dealable"]) if bit == "1"}
        if bits != made[list_["language"], list_["letters"]]:
            wrong(f"list {list_['language']} {list_['letters']}")
    of_player = by(r["played_words"], "user_id")
    for u in r["users"]:
        rows = of_player.pop(u["id"], [])
        bits = {i for i, bit in enumerate(u["played_secrets"]) if bit == "1"}
        if bits != {places[p["word_id"]] for p in rows} - {None}:
            wrong(f"{u['id']}: bits")
        if len({p["word_id"] for p in rows}) != len(rows) or max((p["number"] for p in rows), default=0) != u["words_played"]:
            wrong(f"{u['id']}: played words")
    for player in of_player:
        wrong(f"{player}: played words of nobody")
    for d in r["daily_words"]:
        if d["commitment"] != "\\x" + hashlib.sha256(f"{d['salt'].replace('-', '')}:{d['word']}".encode()).hexdigest():
            wrong(f"day {d['day']}: commitment")


def boards(r, wrong):
    """Entries of all players, and all counts."""
    today = datetime.date.fromisoformat(day_at(r, datetime.datetime.now(datetime.timezone.utc)))

    def kept(board, starts):
        return board in ("daily", "all") or starts >= start_of(board, today)

    made = {}
    outcomes = collections.Counter()
    counting = (g for g in r["judged_games"] if g["ended_at"] and g["kind"] not in FREE)
    for g in sorted(counting, key=lambda g: moment(g["ended_at"])):
        ended = moment(g["ended_at"])
        if g["is_won"]:
            for board in ("day", "week", "month", "all"):
                key = g["user_id"], board, start_of(board, datetime.date.fromisoformat(g["ended_on"]))
                made[key] = (made.get(key, (0, None))[0] - 1, g["ended_at"])
        if on_its_day(g):
            day = datetime.date.fromisoformat(g["day"])
            outcomes[day, g["guess_count"] if g["is_won"] else LAST + 1] += 1
            if g["is_won"]:
                seconds = microseconds(ended - moment(g["started_at"])) // 10 ** 6
                made[g["user_id"], "daily", day] = ((g["guess_count"] << 32) + seconds, g["ended_at"])
    said = {(e["user_id"], e["board"], datetime.date.fromisoformat(e["starts_on"])): (e["score"], e["reached_at"])
            for e in r["board_entries"]}
    for key in set(made) | set(said):
        if kept(key[1], key[2]) and made.get(key) != said.get(key):
            wrong(f"entry {key}: {said.get(key)}, games make {made.get(key)}")
    wanted, found = collections.Counter(), collections.Counter()
    for (_, board, starts), (score, _) in said.items():
        for step, bucket in ((1, score >> 32), (2, score >> 8), (3, score)):
            wanted[board, starts, step, bucket] += 1
    for c in r["board_counts"]:
        found[c["board"], datetime.date.fromisoformat(c["starts_on"]), c["step"], c["bucket"]] += c["count"]
    for note in r["board_changes"]:
        for c in note["changes"]:
            starts = datetime.date.fromisoformat(c["starts_on"])
            for score, by_ in ((c["old_score"], -1), (c["new_score"], 1)):
                if score is not None:
                    for step, bucket in ((1, score >> 32), (2, score >> 8), (3, score)):
                        found[c["board"], starts, step, bucket] += by_
            if c["outcome"] is not None:
                found[c["board"], starts, 0, c["outcome"]] += 1
    for key in set(wanted) | set(found):
        if key[2] > 0 and kept(key[0], key[1]) and wanted[key] != found[key]:
            wrong(f"count {key}: {found[key]}, there are {wanted[key]}")
    for (day, outcome), count in outcomes.items():
        if found["daily", day, 0, outcome] < count:
            wrong(f"day {day}: {outcome} guesses {found['daily', day, 0, outcome]} times, there are {count}")
    for day in {key[1] for key in found if key[2] == 0}:
        more = sum(found[key] for key in found if key[1:3] == (day, 0)) - sum(
            count for (d, _), count in outcomes.items() if d == day)
        if more > len(r["closed_ledgers"]):
            wrong(f"day {day}: {more} games of deleted players, {len(r['closed_ledgers'])} were deleted")


def days_in_a_row(games):
    """How many days' words ended on their day and were won, how many in a row last and at most, and the last day won."""
    played = won = streak = longest = 0
    last = None
    for g in sorted((g for g in games if on_its_day(g)), key=lambda g: g["day"]):
        played += 1
        if not g["is_won"]:
            streak = 0
            continue
        day = datetime.date.fromisoformat(g["day"])
        won, streak = won + 1, streak + 1 if last == day - datetime.timedelta(days=1) else 1
        longest, last = max(longest, streak), day
    return played, won, streak, longest, last and last.isoformat()


def leagues(r, wrong):
    """Results by the dailies that ended on their day; members by players and leagues."""
    made = {(g["user_id"], g["day"]): str(g["guess_count"] if g["is_won"] else LAST + 1)
            for g in r["judged_games"] if on_its_day(g)}
    said = {}
    for row in r["daily_results"]:
        first = datetime.date.fromisoformat(row["month"])
        if first.day != 1 or len(row["results"]) != 31:
            wrong(f"{row['user_id']}: results of {row['month']} for {len(row['results'])} days")
        said |= {(row["user_id"], (first + datetime.timedelta(days=number)).isoformat()): digit
                 for number, digit in enumerate(row["results"]) if digit != "0"}
    for key in set(made) | set(said):
        if made.get(key) != said.get(key):
            wrong(f"result {key}: {said.get(key)}, the game makes {made.get(key)}")
    players, named = {p["user_id"] for p in r["players"]}, {l["id"]: l for l in r["leagues"]}
    members = by(r["league_members"], "league_id")
    for league in set(named) | set(members):
        if league not in named or not members[league]:
            wrong(f"league {league}: {len(members[league])} members")
        elif len({m["joined_at"] for m in members[league]}) < len(members[league]):
            wrong(f"league {league}: two joined at the same moment")
    for m in r["league_members"]:
        if m["user_id"] not in players:
            wrong(f"league {m['league_id']}: {m['user_id']} is nobody")
    if len({l["invite"] for l in r["leagues"]}) < len(r["leagues"]):
        wrong("two leagues have one invite")


def purchases(r, wrong):
    """Each transaction by the store's last notification, compared with the ledger."""
    entries = by([e for e in r["energy_ledger"] + r["energy_ledger_archive"]
                  if e["reason"] in ("purchase", "refund") and e["reference"]], "reference")
    told = by([n for n in r["store_notifications"]
               if n["applied_at"] and n["type"] in ("REFUND", "REVOKE", "REFUND_REVERSED")], "transaction_id")
    holder = holders(r)
    for p in r["purchases"]:
        name = f"{p['environment']}/{p['transaction_id']}"
        last = max(((moment(n["signed_at"]), n["type"] != "REFUND_REVERSED") for n in told.pop(p["transaction_id"], [])),
                   default=None)
        if last and (not p["decided_at"] or moment(p["decided_at"]) < last[0]
                     or moment(p["decided_at"]) == last[0] and p["is_refunded"] != last[1]):
            wrong(f"{name}: refunded {p['is_refunded']} since {p['decided_at']}, told {last}")
        own = entries.pop(name, [])
        if any(holder.get(e["user_id"], e["user_id"]) != p["user_id"] for e in own):
            wrong(f"{name}: in ledgers of {[e['user_id'] for e in own]}, it is {p['user_id']}'s")
        credits = [e for e in own if e["reason"] == "purchase"]
        expected = 0 if p["user_id"] is None or p["is_refunded"] else p["energy"]
        if sum(e["delta"] for e in own) != expected or len(credits) != (p["credit_entry"] is not None):
            wrong(f"{name}: the ledger has {[e['delta'] for e in own]}, {expected} is due")
    for transaction in told:
        wrong(f"{transaction}: told of and not noted")
    for name in entries:
        wrong(f"{name}: in the ledger and no transaction")


def lottery(r, wrong):
    lists = {x["digest"]: x["list"] for x in r["lottery_lists"]}
    users = {u["id"] for u in r["users"]}
    numbers = {p["number"]: p for p in r["lottery_participants"]}
    credits = {(e["user_id"], e["reference"]): e for e in r["energy_ledger"] + r["energy_ledger_archive"]
               if e["reason"] == "lottery" and e["reference"]}
    # Ledgers of deleted players and draws do not name each other.
    unnamed = collections.Counter(e["delta"] for e in r["energy_ledger"] + r["energy_ledger_archive"]
                                  if e["reason"] == "lottery" and not e["reference"])
    for p in numbers.values():
        if p["user_id"] and p["user_id"] not in users:
            wrong(f"participant {p['number']}: no player {p['user_id']}")
    for e in r["lottery_entries"]:
        if not numbers.get(e["participant"], {}).get("is_listed"):
            wrong(f"entry of {e['participant']}, who does not take part")
    draws = sorted(r["lottery_draws"], key=lambda d: d["number"])
    if [d["number"] for d in draws] != list(range(1, len(draws) + 1)):
        wrong("draws are missing")
    for d in draws:
        name, seed = f"draw {d['number']}", bytes.fromhex(d["seed"][2:])
        if d["commitment"] != "\\x" + hashlib.sha256(seed).hexdigest():
            wrong(f"{name}: commitment")
        if (d["started_at"] is None) != (d is draws[-1]):
            wrong(f"{name}: started {d['started_at']}")
        if d["started_at"] is None:
            continue
        frozen = lists[d["list_digest"]]
        entries, digest = frozen.splitlines(), hashlib.sha256(frozen.encode()).digest()

        def place(r_, attempt=0):
            x = int.from_bytes(hashlib.sha256(seed + digest + bytes([r_, attempt])).digest()[:8], "big")
            return x % len(entries) if x < 2 ** 64 // len(entries) * len(entries) else place(r_, attempt + 1)

        drawn = [entries[place(i)].split() for i in range(1, 11)]
        winner = int(drawn[-1][0]) if drawn[-1][1] == "0" else None
        if d["rounds"] != [int(n) for n, _ in drawn] or d["winner"] != winner or d["entries"] != len(entries):
            wrong(f"{name}: rounds")
        if d["credited_to"] is None and d["credit_entry"] == 0:
            unnamed[d["prize"]] -= 1
            continue
        credit = credits.pop((d["credited_to"], str(d["number"])), None)
        if (credit is None) != (d["credit_entry"] is None) or credit and (
                credit["delta"], credit["entry"]) != (d["prize"], d["credit_entry"]):
            wrong(f"{name}: prize")
    if any(unnamed.values()):
        wrong(f"prizes of deleted players {unnamed}")
    for player, draw in credits:
        wrong(f"{player}: a prize of draw {draw}")


def trail(r, wrong):
    given = collections.Counter((e["user_id"], e["delta"], e["balance_after"], e["reference"])
                                for e in r["energy_ledger"] + r["energy_ledger_archive"] if e["reason"] == "support")
    done = collections.Counter((a["user_id"], a["details"]["amount"], a["details"]["balance"],
                                None if "isShown" in a["details"] else a["reason"])
                               for a in r["admin_actions"] if a["action"] in ("energy.grant", "energy.take"))
    for grant in (given - done) + (done - given):
        wrong(f"grant {grant}: ledger {given[grant]}, trail {done[grant]}")
    made = collections.Counter(a["subject"] for a in r["admin_actions"] if a["action"] == "key.add")
    if made != collections.Counter(k["name"] for k in r["admin_keys"]):
        wrong(f"keys {made}")
    if len(r["rules"]) - 1 != sum(a["action"] == "rules.apply" for a in r["admin_actions"]):
        wrong("rules and trail")
    accounts = {u["id"] for u in r["users"]}
    for c in r["claims"]:
        if c["user_id"] not in accounts or c["account_id"] in accounts:
            wrong(f"claim {c}")


def difference(sql):
    """The faults in the records."""
    rows, found = read(sql), []
    rows["names"] = [e for e in rows["energy_ledger"] if e["entry"] is None]
    rows["energy_ledger"] = [e for e in rows["energy_ledger"] if e["entry"] is not None]
    for part in (energy, merges, games, challenges, words, boards, leagues, purchases, lottery, trail):
        part(rows, lambda text, part=part: found.append(f"{part.__name__}: {text}"))
    return found
