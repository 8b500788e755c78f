"""What the scripts that break things share: operations that can be told apart, clients that repeat them until they are
answered and keep a journal, and the comparison of that journal with the records.

A script makes `Clients`, has them `perform` each `Operation` (or lets `load` do so at a steady rate), breaks things meanwhile,
and calls `verdict`, which prints what is broken, or `held`, and returns the exit status. `Attempts` says what a fault cost.
"""
import asyncio, collections, importlib.machinery, importlib.util, json, os, random, signal, statistics, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
loader = importlib.machinery.SourceFileLoader("run", HERE + "/run")
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)
URLS = {"initialRegistration": "/Juliet_AuthenticateUser", "updateUserPlayedWordsList": "/Juliet_WordManager",
        "updateUserWins": "/Juliet_UserSessionManager", "statNewGameSession": "/Juliet_UserSessionManager"}
LATE = 1.0          # seconds: an answer that takes longer counts as no service


def say(text):
    print(text, flush=True)


# What is asked

class Operation:
    """The operation of a number: the same for the same seed."""

    def __init__(self, seed, number, players, words):
        r = random.Random(f"{seed}/{number}")
        first = number < players
        self.player = f"PLAYER-{number if first else r.randrange(players)}"
        self.key = f"{seed}-{number}"
        reports = int(self.player[7:]) % 10 == 0    # only some, so that the others' balances can be reckoned
        kind = "initialRegistration" if first else r.choices(
            ["singleGameEnergyUpdate", "statNewGameSession", "handleEnergyPurchase", "updateUserWins",
             "updateUserPlayedWordsList", "updateUserEnergy", "initialRegistration"],
            [25, 25, 20, 12, 10, 6 if reports else 0, 2])[0]
        self.kind, self.delta = kind, 0
        body = {"requestType": kind, "vendorID" if kind == "initialRegistration" else "userID": self.player}
        if kind == "handleEnergyPurchase":
            body["energyPurchaseAmount"] = self.amount = r.choice([5, 5, 30, 7])
        elif kind == "updateUserEnergy":
            body["userEnergy"] = r.randrange(0, 100)
        elif kind == "updateUserPlayedWordsList":
            body["playedWord"] = self.word = r.choice(words + ["qqqqq"])
        self.copies = r.choices([1, 2, r.randint(3, 8), 20], [55, 25, 16, 4])[0]
        text = json.dumps(body).encode()
        path = URLS.get(kind, "/Juliet_IAPManager")
        self.bytes = (f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: {self.key}\r\n"
                      f"Content-Length: {len(text)}\r\n\r\n").encode() + text
        self.answer, self.status = None, None


# Who asks

class Connections:
    """Keep-alive connections to one service."""

    def __init__(self, port, host="127.0.0.1"):
        self.host, self.port, self.idle = host, port, []

    async def connect(self):
        while self.idle:
            reader, writer = self.idle.pop()
            if not reader.at_eof() and not reader.exception():
                return reader, writer
            writer.close()      # the service closed it while nothing was asked
        return await asyncio.open_connection(self.host, self.port)

    async def exchange(self, data):
        reader, writer = await self.connect()
        try:
            writer.write(data)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            status = int(head[9:12])
            fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            body = await reader.readexactly(int(fields["content-length"]))
        except BaseException:
            writer.close()
            raise
        if fields.get("connection") == "close":
            writer.close()
        else:
            self.idle.append((reader, writer))
        return status, body, fields.get("idempotent-replayed") == "true"


class Clients:
    """All clients, over the services at these ports. To know what they saw, pass `Attempts`."""

    def __init__(self, seed, ports, attempts=None):
        self.services = [Connections(port) for port in ports]
        self.attempts = attempts
        self.random = random.Random(f"{seed}/clients")
        self.sent = self.answered = self.failed = self.replayed = 0
        self.broken = []

    async def ask(self, operation):
        """One copy of the request, sent until it is answered for good."""
        pause = 0.02
        while True:
            service = self.random.choice(self.services)
            self.sent += 1
            begin = time.monotonic()
            try:
                status, body, replayed = await asyncio.wait_for(service.exchange(operation.bytes), 15)
                # A proxy's own answer is not JSON.
                wrong = None if status < 500 and status not in (408, 429) else f"{status}{'' if body[:1] == b'{' else ' of the proxy'}"
            except (OSError, EOFError, asyncio.TimeoutError, asyncio.LimitOverrunError, ValueError) as error:
                wrong = type(error).__name__
            self.note(operation, begin, wrong)
            if not wrong:
                self.answered += 1
                self.replayed += replayed
                return status, body, replayed
            self.failed += 1
            await asyncio.sleep(pause * self.random.uniform(0.5, 1))
            pause = min(pause * 2, 0.5)

    def note(self, operation, begin, wrong):
        """Hears of each copy that was sent at `begin`, and what went wrong (None: nothing)."""
        if self.attempts:
            self.attempts.note(begin, wrong)

    async def perform(self, operation):
        answers = await asyncio.gather(*(self.ask(operation) for _ in range(operation.copies)))
        operation.status, operation.answer = answers[0][0], answers[0][1]
        if len({(status, body) for status, body, _ in answers}) > 1:
            self.broken.append(f"{operation.key}: different answers: {sorted({body for _, body, _ in answers})}")
        if operation.kind == "updateUserPlayedWordsList":
            if any(replayed for _, _, replayed in answers):
                self.broken.append(f"{operation.key}: a played word's answer claims to be a repeat")
        elif sum(not replayed for _, _, replayed in answers) > 1:
            self.broken.append(f"{operation.key}: more than one answer claims to be the first")


async def register(clients, seed, players, words, numbers):
    """The players first: no other operation may come before its player exists. Returns these operations."""
    operations = [Operation(seed, next(numbers), players, words) for _ in range(players)]
    for start in range(0, players, 32):
        await asyncio.gather(*(clients.perform(o) for o in operations[start:start + 32]))
    return operations


async def load(clients, seed, players, words, rate, operations, numbers, done):
    """Sends so many requests a second, copies included, without waiting for earlier ones, until the event `done`. Adds to `operations`."""
    due, under_way = time.monotonic(), set()
    while not done.is_set():
        operation = Operation(seed, next(numbers), players, words)
        operations.append(operation)
        task = asyncio.create_task(clients.perform(operation))
        under_way.add(task)
        task.add_done_callback(under_way.discard)
        due += operation.copies / rate
        await asyncio.sleep(max(0, due - time.monotonic()))
    await asyncio.gather(*under_way)


# What a fault costs

class Attempts:
    """Each request of a client: when it was sent, how long it took, and what went wrong (None: nothing)."""

    def __init__(self):
        self.all = []

    def note(self, begin, wrong):
        self.all.append((begin, time.monotonic(), wrong))

    def cost(self, since, until):
        """What clients saw that sent a request between two moments, or were waiting at the first of them.

        Errors, by what they were, before clients repeat themselves; seconds from the first moment to the end of the last
        request that failed or was late (0: there was none); the seconds of the longest request.
        """
        seen = [a for a in self.all if a[1] >= since and a[0] < until]
        wrong = collections.Counter(a[2] for a in seen if a[2])
        bad = [a[1] for a in seen if a[2] or a[1] - a[0] > LATE]
        return Cost(len(seen), wrong, max(bad, default=since) - since, max((a[1] - a[0] for a in seen), default=0))


Cost = collections.namedtuple("Cost", "requests errors outage longest")


def table(costs):
    """Prints the costs of each fault, a list by its name: median and worst."""
    say("| fault | times | errors seen by clients | s until all served again | longest request, s |")
    say("|---|---|---|---|---|")
    for fault, rows in costs.items():
        errors = [sum(c.errors.values()) for c in rows]
        columns = [f"{statistics.median(errors):.0f} (at most {max(errors)})"] + [
            f"{statistics.median(values):.2f} (at most {max(values):.2f})"
            for values in ([c.outage for c in rows], [c.longest for c in rows])]
        say(f"| {fault} | {len(rows)} | " + " | ".join(columns) + " |")


# The database

class Database(run.Cluster):
    """A throwaway PostgreSQL that can be killed as if the machine died: all its processes at once."""

    def processes(self):
        with open(self.dir + "/data/postmaster.pid") as f:
            postmaster = int(f.readline())
        return run.tree(postmaster)

    def start(self):
        settings = f"-c listen_addresses='' -k {self.dir}"
        self.run("pg_ctl", "-D", self.dir + "/data", "-w", "-l", self.dir + "/log", "-o", settings, "start")

    def kill(self):
        # Stopped first, the postmaster makes no child that the list does not have: a child that survives would prevent the next
        # server from starting.
        with open(self.dir + "/data/postmaster.pid") as f:
            os.kill(int(f.readline()), signal.SIGSTOP)
        pids = self.processes()
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for pid in pids:
            while True:
                try:
                    with open(f"/proc/{pid}/stat") as f:
                        if ") Z" in f.read():
                            break
                except OSError:
                    break
                time.sleep(0.002)
        for name in ("data/postmaster.pid", ".s.PGSQL.5432.lock"):
            # If nobody reaps the dead processes, the server takes a zombie for a running predecessor.
            try:
                os.remove(f"{self.dir}/{name}")
            except FileNotFoundError:
                pass
        self.start()


# What must hold

def check(sql, operations, broken):
    """Compares the answers that clients got with the records. `sql` takes a query and returns lines of columns divided by |."""
    def rows(text):
        return [line.split("|") for line in sql(text).splitlines()]
    ledger = {(r[0], r[1]): r for r in rows(
        "SELECT user_id, operation_id, delta, balance_after, coalesce(reference, '') FROM juliet.energy_ledger "
        "WHERE entry IS NOT NULL")}
    others = {(r[0], r[1]): r for r in rows(
        "SELECT user_id, operation_id, refusal IS NULL, balance_after, answer ->> 'wins' FROM juliet.energy_ledger WHERE entry IS NULL")}
    users = {r[0]: (int(r[1]), int(r[2])) for r in rows("SELECT id, energy, wins FROM juliet.users")}
    played = {(r[0], r[1]) for r in rows("SELECT user_id, word FROM juliet.played_words JOIN juliet.words ON id = word_id")}
    energy, wins, counts = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for o in operations:
        place = (o.player, o.key)
        entry, other = ledger.pop(place, None), others.pop(place, None)
        body = json.loads(o.answer)["body"]
        done = body["dynamoDBInvocationHttpsStatusCode"] == 200
        if o.status not in (200, 404) or done != (o.status == 200):
            broken.append(f"{o.key} {o.kind}: answered {o.status} {o.answer!r}")
        if o.kind == "updateUserPlayedWordsList":
            if entry or other:
                broken.append(f"{o.key} {o.kind}: recorded in the ledger")
            if done != (o.word != "qqqqq") or done != ((o.player, o.word) in played):
                broken.append(f"{o.key}: {o.word} answered {o.status}, played {(o.player, o.word) in played}")
            continue
        if (entry is None) == (other is None):
            broken.append(f"{o.key} {o.kind}: recorded {'twice' if entry else 'nowhere'}")
            continue
        if other and done != (other[2] == "t"):
            broken.append(f"{o.key} {o.kind}: answered {o.status}, recorded as {'done' if other[2] == 't' else 'refused'}")
        if "userEnergy" in body and body["userEnergy"] != int((entry or other)[3]):
            broken.append(f"{o.key} {o.kind}: answered {body['userEnergy']}, recorded {(entry or other)[3]}")
        expected = {"singleGameEnergyUpdate": -5, "statNewGameSession": -5}.get(o.kind, getattr(o, "amount", None))
        if o.kind == "initialRegistration" and entry:
            expected = 30
        if o.kind in ("singleGameEnergyUpdate", "statNewGameSession", "handleEnergyPurchase") and done != bool(entry):
            broken.append(f"{o.key} {o.kind}: answered {o.status}, but {'no ' if done else 'a '}row in the ledger")
        if entry:
            energy[o.player] += int(entry[2])
            if o.kind != "updateUserEnergy" and int(entry[2]) != expected:
                broken.append(f"{o.key} {o.kind}: {entry[2]} energy instead of {expected}")
            if o.kind == "statNewGameSession" and "".join(body["secretWord"]).lower() != entry[4]:
                broken.append(f"{o.key}: dealt {body['secretWord']}, recorded {entry[4]}")
        if o.kind == "updateUserWins":
            wins[o.player] += 1
            counts[o.player].append(body["userWins"])
    for place in list(ledger) + list(others):
        broken.append(f"{place}: recorded, but nobody asked for it")
    for player, (balance, won) in users.items():
        if balance != energy[player]:
            broken.append(f"{player}: {balance} energy, acknowledged changes make {energy[player]}")
        if won != wins[player] or sorted(counts[player]) != list(range(1, won + 1)):
            broken.append(f"{player}: {won} wins, {wins[player]} acknowledged, counted {sorted(counts[player])}")
    for player, in rows("""
        SELECT users.id FROM juliet.users LEFT JOIN juliet.played_words ON user_id = users.id LEFT JOIN juliet.words ON words.id = word_id
        GROUP BY users.id
        HAVING count(word_id) <> count(DISTINCT word_id) OR coalesce(max(number), 0) <> words_played
            OR bit_count(played_secrets) <> count(DISTINCT place)
            OR bool_or(substring(played_secrets FROM place + 1 FOR 1) <> B'1')"""):
        broken.append(f"{player}: played words that are there twice, or not what the player's row says")


def verdict(program, url, sql, clients, operations, seed):
    """Compares the journal with the records, audits these, prints what is broken, and returns the exit status."""
    broken = clients.broken
    check(sql, operations, broken)
    audit = subprocess.run([program, "energy", "audit", "--database", url], capture_output=True, text=True)
    say(f"audit: {audit.stdout.strip().splitlines()[-1] if audit.stdout else audit.stderr.strip()}")
    if audit.returncode:
        broken.append("the audit fails:\n" + audit.stdout)
    for line in broken[:20]:
        say("BROKEN " + line)
    say("held" if not broken else f"{len(broken)} broken; repeat with --seed {seed}")
    return 1 if broken else 0
