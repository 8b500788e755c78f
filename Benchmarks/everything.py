"""Everything at once: players of both contracts, operators, the App Store and the lottery, each doing at random what they can do,
while backends, services and PostgreSQL are killed. Nothing may deadlock, `juliet audit` must find nothing meanwhile and
afterwards, and the records must be what the model in records.py computes.

Benchmarks/faults --everything runs it. Each actor is a session of psql that is given one statement after the other; the
services run beside them, for what they do by themselves: days, boards, rules.
"""
import asyncio, collections, hashlib, logging, random, re, subprocess, sys, time
sys.dont_write_bytecode = True
import records
from exactly_once import say

ENDED = "session ended"
SECRETS = "apple bread chair drink eagle flame grape house igloo joker knife lemon".split()
GUESSES = "crane slate music pound tiger".split()
SETUP = """
INSERT INTO juliet.words (language, word, is_secret) SELECT 'en', word, true FROM unnest('{%s}'::text[]) AS word;
INSERT INTO juliet.words (language, word, is_secret) SELECT 'en', word, false FROM unnest('{%s}'::text[]) AS word;
SELECT juliet.refresh_word_lists();
SELECT juliet.choose_daily_words();
SELECT juliet.apply_rules('test', '{"players.claims": "allow", "purchases.unverifiedDailyLimit": 100000}');
-- Players whose entries are old enough for the archive.
SELECT juliet.register_user('OLD-' || n, NULL, NULL) FROM generate_series(1, 40) AS n;
SELECT juliet.pay_for_game('OLD-' || n, NULL, NULL) FROM generate_series(1, 40) AS n;
UPDATE juliet.energy_ledger SET created_at = created_at - interval '500 days';
UPDATE juliet.users SET created_at = created_at - interval '500 days', ledger_seal = (
    SELECT bit_xor(juliet.energy_entry_seal(entry, delta, balance_after, reason, reference, energy_ledger.created_at))
    FROM juliet.energy_ledger WHERE user_id = id);
SELECT juliet.register_user('APP-' || n, NULL, NULL) FROM generate_series(1, 60) AS n;
""" % (",".join(SECRETS), ",".join(GUESSES))


class Session:
    """A session of psql that answers one statement after the other, and is started again when it was ended."""
    END = "~end~"

    def __init__(self, cluster, user, counts):
        self.cluster, self.user, self.counts, self.process = cluster, user, counts, None

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            "psql", "-XAtq", "-h", self.cluster.dir, "-U", self.user, "-d", "juliet", "-v", "VERBOSITY=sqlstate",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)

    async def run(self, sql):
        """The lines of the answer; None: it is not known whether it took effect."""
        if not self.process or self.process.returncode is not None:
            await self.start()
        lines = []
        try:
            self.process.stdin.write(f"{sql};\n\\echo {self.END}\n".encode())
            await self.process.stdin.drain()
            while True:
                line = (await self.process.stdout.readline()).decode()
                if not line:
                    raise EOFError
                if line.strip() == self.END:
                    return lines
                if line.startswith("ERROR:"):
                    self.counts[line.split()[1]] += 1
                lines.append(line.rstrip("\n"))
        except (OSError, EOFError):
            self.counts[ENDED] += 1
            await self.end()
            await asyncio.sleep(0.1)
            return None

    async def end(self):
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        self.process = None


class Everything:
    def __init__(self, world, seed, clients):
        self.world, self.cluster, self.seed, self.clients = world, world.cluster, seed, clients
        self.counts, self.done, self.errors = collections.Counter(), collections.Counter(), []
        self.players, self.numbers = [], iter(range(10 ** 9))
        # Answers that other statements need: codes of challenges, leagues with their invites.
        self.said = {"challenge": collections.deque(["NONE"], 20), "league": collections.deque(["00000000-0000-4000-8000-000000000000 NONE"], 10)}

    def program(self, *arguments):
        return subprocess.run([self.world.program, *arguments, "--database", self.cluster.url], capture_output=True, text=True)

    # The possible actions: a name, and a function of the random generator that makes a statement.

    def token(self, player):
        return f"(sha256('{player}') || convert_to('{player}', 'UTF8'))"

    def new_player(self, r):
        digest = hashlib.sha256(f"{self.seed}/{next(self.numbers)}".encode()).hexdigest()
        player = f"{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
        self.players.append(player)
        if len(self.players) > 60:
            self.players.pop(0)
        account = f"'{r.choice(['APP', 'OLD'])}-{r.randint(1, 40)}'" if r.random() < 0.3 else "NULL"
        return (f"SELECT (juliet.create_player('{player}', 'Player', {account}, {self.token(player)}, gen_random_uuid(), "
                f"sha256('code {player}'))).refusal")

    def play(self, r, start):
        """Starts a game, or finds the one that runs, and guesses a few times; sometimes gives up."""
        token, word = self.token(r.choice(self.players)), lambda: r.choice(SECRETS + GUESSES[:1])
        moves = [f"SELECT (juliet.guess({token}, :'game', '{word()}', NULL, NULL, NULL)).refusal" for _ in range(r.randint(1, 7))]
        if r.random() < 0.1:
            moves.append(f"SELECT (juliet.resign_game({token}, :'game')).refusal")
        first = f"SELECT coalesce(((juliet.{start}).game).id, gen_random_uuid()) AS game".replace("TOKEN", token)
        return f"{first} \\gset\n{'; '.join(moves)}"

    def challenge(self, r):
        """A player makes a challenge, takes one up, or deletes one."""
        token, code = self.token(r.choice(self.players)), r.choice(self.said["challenge"])
        word = f"'{r.choice(SECRETS)}'" if r.random() < 0.3 else "NULL"
        key = f"'c{r.randint(1, 400)}', 1" if r.random() < 0.3 else "NULL, NULL"
        return r.choices([
            lambda: f"SELECT 'challenge ' || ((juliet.create_challenge({token}, 'en', 5, {word}, {r.choice(['true', 'false'])}, 7, {key})).challenge).code",
            lambda: self.play(r, f"start_challenge_game(TOKEN, '{code}')"),
            lambda: f"SELECT juliet.delete_challenge({token}, '{code}')",
            lambda: f"SELECT count(*) FROM juliet.read_challenge_results('{code}')",
        ], [4, 12, 1, 2])[0]()

    def league(self, r):
        """A player creates a league, joins one, leaves it, or changes their own."""
        token = self.token(r.choice(self.players))
        id, invite = r.choice(self.said["league"]).split()
        key = f"'l{r.randint(1, 400)}', 1" if r.random() < 0.3 else "NULL, NULL"
        said = "'league ' || (made).id || ' ' || (made).invite"
        return r.choices([
            lambda: f"SELECT {said} FROM (SELECT juliet.create_league({token}, 'Friends', {key}) AS made) AS one",
            lambda: f"SELECT (juliet.join_league({token}, '{invite}')).refusal",
            lambda: f"SELECT juliet.remove_member({token}, '{id}', NULL)",
            lambda: f"SELECT {said} FROM (SELECT juliet.renew_invite({token}, '{id}') AS made) AS one",
            lambda: f"SELECT (juliet.rename_league({token}, '{id}', 'Others')).refusal",
            lambda: f"SELECT juliet.end_league({token}, '{id}')",
            lambda: f"SELECT count(*) FROM juliet.read_league_table('{id}', 'month')",
        ], [2, 12, 4, 2, 1, 0.5, 2])[0]()

    def transaction(self, r):
        number, day = r.randint(1, 200), r.randint(1, 28)
        revoked = f"'2026-03-{r.randint(1, 28):02}'" if r.random() < 0.2 else "NULL"
        return (f"ROW('Production', 'T{number}', 'thirty', 1, 30, NULL, '2026-01-{day:02}', '2026-01-{day:02}', "
                f"{revoked})::juliet.store_transaction")

    def notification(self, r):
        name = f"n{next(self.numbers)}"
        return (f"SELECT juliet.store_notification('{name}', 'signed', '{r.choice(['REFUND', 'REFUND_REVERSED', 'REVOKE', 'TEST'])}', "
                f"NULL, 'Production', 'T{r.randint(1, 200)}', NULL, '2026-02-{r.randint(1, 28):02} {r.randint(0, 23)}:{r.randint(0, 59)}'); "
                f"SELECT juliet.apply_notification('{name}')")

    def service(self, r):
        app = f"'{r.choice(['APP', 'OLD'])}-{r.randint(1, 45)}'"
        key = f"'k{r.randint(1, 400)}', 1" if r.random() < 0.5 else "NULL, NULL"
        player = lambda: self.token(r.choice(self.players))
        return r.choices([
            lambda: f"SELECT (juliet.register_user({app}, {key})).refusal",
            lambda: f"SELECT (juliet.pay_for_game({app}, {key})).refusal",
            lambda: f"SELECT (juliet.start_game({app}, 'en', 5, {key})).refusal",
            lambda: f"SELECT (juliet.buy_energy({app}, {r.choice([5, 30, 7])}, {key})).refusal",
            lambda: f"SELECT (juliet.report_energy({app}, {r.randint(0, 60)}, {key})).refusal",
            lambda: f"SELECT (juliet.add_win({app}, {key})).refusal",
            lambda: f"SELECT (juliet.record_played_word({app}, '{r.choice(SECRETS + GUESSES)}', 'en')).refusal",
            lambda: f"SELECT (juliet.credit_purchase({app}, {self.transaction(r)}, 30, {key})).refusal",
            lambda: f"SELECT (juliet.present_purchase({player()}, {self.transaction(r)})).refusal",
            lambda: self.notification(r),
            lambda: self.new_player(r),
            lambda: self.play(r, "start_judged_game(TOKEN, 'en', 5, false, NULL, NULL)"),
            lambda: self.play(r, "start_daily_game(TOKEN, false)"),
            lambda: f"SELECT (juliet.enter_lottery({player()})).refusal",
            lambda: "SELECT (juliet.request_draw((SELECT (d).number FROM juliet.show_lottery() AS d ORDER BY 1 DESC LIMIT 1))).refusal",
            lambda: "SELECT juliet.tend_boards(50)",
            lambda: f"SELECT juliet.revoke_session({player()}, NULL)",
            lambda: f"SELECT juliet.delete_player({player()}, E'deleted\\t' || gen_random_uuid())",
            lambda: f"SELECT (juliet.merge_player({player()}, {player()}, NULL, {key})).refusal",
            lambda: f"SELECT count(*) FROM juliet.read_board({player()}, '{r.choice(['day', 'all'])}', NULL, 20, true)",
            lambda: self.challenge(r),
            lambda: self.league(r),
        ], [3, 6, 6, 5, 2, 4, 4, 6, 4, 6, 6, 20, 8, 3, 1, 2, 0.5, 1, 2, 3, 8, 8])[0]()

    def operator(self, r):
        words = r.sample(SECRETS[6:], 2)
        app, player = f"'{r.choice(['APP', 'OLD'])}-{r.randint(1, 45)}'", f"'{r.choice(self.players)}'"
        participant = "(SELECT number FROM juliet.lottery_participants ORDER BY gen_random_uuid() LIMIT 1)"
        return r.choices([
            lambda: f"SELECT (juliet.grant_energy('test', {r.choice([app, player])}, {r.randint(1, 50)}, 'why', 'g{next(self.numbers)}', 1)).refusal",
            lambda: f"BEGIN; SELECT juliet.change_words('test', 'en', '{{{','.join(words)}}}', '{r.choice(['retire', 'restore', 'secret', 'guessable'])}', 'why', NULL, NULL); SELECT juliet.choose_days_again('test'); COMMIT",
            lambda: "SELECT juliet.refresh_word_lists()",
            lambda: f"SELECT juliet.announce_prize('test', {r.choice([0, 10, 20])})",
            lambda: "SELECT (juliet.start_draw('test', (SELECT max(number) FROM juliet.lottery_draws))).refusal",
            lambda: f"SELECT (juliet.change_entry('test', {participant}, '{r.choice(['enter', 'leave', 'void', 'valid'])}')).refusal",
            lambda: f"SELECT (juliet.enter_player('test', {r.choice([app, player])})).refusal",
            lambda: f"SELECT juliet.import_lottery('test', '{{7,9}}', '{{Xenia,Yves}}', '{{x,y}}', '{{2020-01-01,2020-01-02}}', '{{{r.choice(['7,9', '9,7'])}}}', '{{{r.choice(['true', 'false'])},false}}')",
            lambda: f"SELECT juliet.delete_user({r.choice([app, player])}, E'deleted\\t' || gen_random_uuid())",
            lambda: f"SELECT juliet.apply_rules('test', '{{\"energy.maximum\": {r.choice([1000, 1000000])}}}')",
            lambda: f"SELECT juliet.end_challenge('test', '{r.choice(self.said['challenge'])}', 'why', NULL, NULL)",
            lambda: f"SELECT juliet.close_league('test', '{r.choice(self.said['league']).split()[0]}', 'why', NULL, NULL)",
        ], [8, 3, 2, 2, 2, 4, 3, 1, 2, 1, 0.1, 0.1])[0]()

    # Who does it

    async def act(self, number, user, statement, until):
        r = random.Random(f"{self.seed}/{user}/{number}")
        session = Session(self.cluster, user, self.counts)
        while time.monotonic() < until:
            for line in await session.run(statement(r)) or []:
                kind, _, said = line.partition(" ")
                if said and kind in self.said:
                    self.said[kind].append(said)
                    self.done[kind] += 1
            self.done[user] += 1
        await session.end()

    async def command(self, until):
        """What operators run: archive, import of players and words, keys, and the audit, which must never find anything."""
        r = random.Random(f"{self.seed}/commands")
        export, lists = self.cluster.dir + "/export.jsonl", self.cluster.dir + "/lists-guessable.txt"
        with open(lists, "w") as f:
            f.write("\n".join(SECRETS + GUESSES + ["zebra"]))
        while time.monotonic() < until:
            with open(export, "w") as f:
                f.write("".join('{"userID": "APP-%d", "energy": %d, "wins": 2, "playedWords": ["apple"]}\n' % (
                    r.randint(1, 90), r.randint(0, 50)) for _ in range(10)))
            commands = [["energy", "archive"], ["energy", "prune"], ["users", "import", export], ["words", "import", lists],
                        ["admin", "keys", "add", f"key{next(self.numbers)}"], ["audit", "--quiet"],
                        ["audit", "--quiet", "--since", "2026-01-01"]]
            command = r.choice(commands)
            result = await asyncio.to_thread(self.program, *command)
            self.done[" ".join(command[:2])] += 1
            if command[0] == "audit" and result.returncode == 3:
                self.errors.append(f"the audit meanwhile: {result.stdout[:2000]}")
            elif result.returncode not in (0, 1):
                self.errors.append(f"juliet {' '.join(command)}: {result.returncode} {result.stdout[:500]}{result.stderr[:500]}")

    async def strike(self, until, interval, faults):
        r = random.Random(f"{self.seed}/faults")
        while time.monotonic() + 2 < until:
            await asyncio.sleep(r.uniform(0.5, 1.5) * interval)
            fault = r.choices(["backend killed", *faults], [3 * len(faults), *[1] * len(faults)])[0]
            if fault == "backend killed":
                # Deadlocks of commands as well, which report that they failed.
                await asyncio.to_thread(
                    self.cluster.sql, "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE datname = 'juliet' "
                    "AND pid <> pg_backend_pid() ORDER BY gen_random_uuid() LIMIT 3) AS several", "postgres")
            else:
                await asyncio.to_thread(self.world.strike, fault, r)
            self.done[fault] += 1

    async def run(self, seconds, interval, faults):
        until = time.monotonic() + seconds
        r = random.Random(self.seed)
        first = Session(self.cluster, "juliet_service", self.counts)
        for _ in range(30):
            await first.run(self.new_player(r))
        await first.end()
        await asyncio.gather(
            *(self.act(n, "juliet_service", self.service, until) for n in range(self.clients)),
            *(self.act(n, "juliet", self.operator, until) for n in range(3)),
            self.command(until), self.strike(until, interval, faults))

    def verdict(self):
        """Prints what is broken, and returns the exit status."""
        with open(self.cluster.dir + "/log") as f:
            log = f.read()
        deadlocks = collections.Counter(
            " and ".join(sorted(re.findall(r"Process \d+: (.*)", text)[:2])) for text in log.split("deadlock detected")[1:])
        audit = self.program("audit", "--quiet")
        broken = self.errors + [f"model: {text}" for text in records.difference(self.cluster.sql)]
        broken += [f"{n} statements failed with {state}" for state, n in self.counts.items() if state != ENDED]
        broken += [f"{n} deadlocks of {statements}" for statements, n in deadlocks.most_common()]
        if audit.returncode:
            broken.append("the audit: " + audit.stdout[:3000] + audit.stderr[:3000])
        for line in broken[:20]:
            say("BROKEN " + line)
        say("done: " + ", ".join(f"{n:,} x {name}" for name, n in sorted(self.done.items())))
        say(f"sessions ended: {self.counts[ENDED]:,}")
        say("audit: " + (audit.stdout or audit.stderr).strip().splitlines()[-1])
        say("held" if not broken else f"{len(broken)} broken; repeat with --seed {self.seed}")
        return 1 if broken else 0


def main(world, arguments, faults):
    """Runs for so many minutes against a world of Benchmarks/faults. Returns the exit status."""
    everything = Everything(world, arguments.seed, arguments.clients)
    r = everything.program("migrate", "up")
    if r.returncode:
        sys.exit(r.stderr)
    world.cluster.sql(SETUP)
    for index in range(2):
        world.start_service(index)
    # Here a killed session is expected.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    asyncio.run(everything.run((arguments.minutes or 5) * 60, arguments.interval, faults))
    return everything.verdict()
