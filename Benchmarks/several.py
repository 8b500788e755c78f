"""What Benchmarks/failover --citus does: a coordinator and two workers of Citus, each with a standby under Patroni, two services,
and clients that repeat until they are answered. One server after the other is switched over, killed and frozen; a third worker
comes and goes.

Patroni has packaging/scaling/patroni-citus.yml as it is: servers, standbys and services check each other's certificates, and no
server has a password of another. At last all servers go back to a marked moment, by the commands of docs/citus-backup.md, which are typed
as they stand there. Beside the clients, whose journal is compared with the records, requests of each kind are
sent twice a second, to say which fail, and for how long, while which server is away.
"""
import asyncio, collections, glob, importlib.machinery, importlib.util, itertools, json, os, shutil, signal, subprocess, sys, time
from exactly_once import HERE, ROOT, register, run, say, verdict
sys.path.append(ROOT + "/scripts")


def script(path):
    """A script without an ending, as a module."""
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path), f"{ROOT}/{path}")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


failover, pages = script("Benchmarks/failover"), script("scripts/pages")
sh, until, POSTGRES = failover.sh, failover.until, failover.POSTGRES

GROUPS = {0: ["coordinator1", "coordinator2"], 1: ["worker1a", "worker1b"], 2: ["worker2a", "worker2b"], 3: ["worker3"]}
DATABASES = [name for names in GROUPS.values() for name in names]
# The servers are in 192.0.2.0/28, as in the example; the services are not.
failover.HOSTS.clear()
failover.HOSTS.update({"coordinator1": 1, "coordinator2": 2, "witness": 3, "worker1a": 4, "worker1b": 5, "worker2a": 6, "worker2b": 7,
                       "worker3": 8, "service1": 17, "service2": 18})
failover.DATABASES[:] = DATABASES
failover.ETCD[:] = ["coordinator1", "coordinator2", "witness"]
FAULTS = {
    "worker switched": "a worker switched over on purpose",
    "worker killed": "a worker's machine killed -9",
    "worker frozen": "a worker's machine frozen, then going on",
    "coordinator switched": "the coordinator switched over on purpose",
    "coordinator killed": "the coordinator's machine killed -9",
    "coordinator frozen": "the coordinator's machine frozen, then going on",
    "added": "a third worker added, and shards moved to it",
    "removed": "the third worker drained and removed",
    "restored": "all servers taken back to a marked moment, then a worker switched over",
}


class World(failover.World):
    """The machines. Only a group's first member may make its database; the standby copies it."""

    def make(self, folder):
        """Everything from nothing, as docs/citus.md has it: certificates, servers, database, schema, words, services."""
        self.folder = folder
        os.mkdir(folder)
        with open(folder + "/hosts", "w") as f:
            f.write("127.0.0.1 localhost\n" + "".join(f"{failover.address(name)} {name}\n" for name in failover.HOSTS))
        sh("mount", "--bind", folder + "/hosts", "/etc/hosts")
        self.equip()
        self.certify()
        self.start("witness")
        for group in 0, 1, 2:
            for name in GROUPS[group]:
                self.start(name)
        until(lambda: all(self.leader(group) for group in (0, 1, 2)), 180, "each group has a primary")
        until(lambda: self.whole() and len(self.nodes()) == 3, 120, "the coordinator knows the workers, and each has a standby")
        for group in 0, 1, 2:
            self.patronictl("edit-config", "juliet", "--group", str(group), "--force", "-p", "fsync=off")
        for group in 0, 1, 2:
            self.make_roles(self.leader(group))
        for command in ["migrate", "up"], ["words", "import", "config/words"], ["migrate", "distribute"], ["migrate", "status"]:
            out = sh(self.program, *command, "--database", self.url("juliet_owner"), cwd=ROOT)
        say(out.strip().splitlines()[-1])
        for name in failover.SERVICES:
            self.start_service(name)

    def equip(self):
        """What the page's commands need on a machine."""
        os.mkdir(self.folder + "/bin")
        os.symlink(self.program, self.folder + "/bin/juliet")
        for name, text in (("sudo", failover.SUDO),
                           ("patronictl", f'#!/bin/sh\nexec {shutil.which("patronictl")} -c {self.example} "$@"\n')):
            with open(f"{self.folder}/bin/{name}", "w") as f:
                f.write(text)
            os.chmod(f"{self.folder}/bin/{name}", 0o755)

    def run(self, name, text):
        """Runs commands on a machine, as root, and returns what they print."""
        r = subprocess.run(
            ["ip", "netns", "exec", name, *self.at_home(name), "bash", "-c", "set -eo pipefail\n" + text], cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        if r.returncode:
            run.stop(f"on {name}:\n{text}\nexit status {r.returncode}:\n{r.stdout[-3000:]}")
        return r.stdout

    def type(self, room, *machines):
        """Types the page's blocks for a room: each block on all of these machines before the next. Returns what was printed."""
        found = [block for block in pages.blocks_of("docs/citus-backup.md") if block.is_run and block.room == room]
        if not found:
            run.stop(f"docs/citus-backup.md has no block: {room}")
        units = {"sudo systemctl start patroni": self.start_patroni, "sudo systemctl stop patroni": self.stop_patroni}
        printed = ""
        for block, name in itertools.product(found, machines):
            if block.text in units:
                units[block.text](name)
            else:
                printed += self.run(name, block.with_words("\n".join([*block.setup, block.text])))
        return printed

    def stop_patroni(self, name):
        """As systemd does: it ends Patroni, which ends PostgreSQL."""
        self.signal(name, signal.SIGTERM, only="patroni")
        until(lambda: not self.commands(name) & {"patroni", "postgres"}, 60, f"Patroni and PostgreSQL of {name} have ended")

    def commands(self, name):
        """What runs on a machine: names of programs."""
        found = set()
        for pid in self.pids(name):
            try:
                with open(f"/proc/{pid}/comm") as f:
                    found |= {f.read().strip()} if not failover.dead(pid) else set()
            except FileNotFoundError:
                pass
        return found

    def certify(self):
        """Certificates as the operator makes them, each in its machine's /var/lib/postgresql/tls."""
        sh(ROOT + "/packaging/scaling/certificates", self.folder + "/tls", *DATABASES)
        for name in DATABASES:
            home = f"{self.folder}/{name}/tls"
            shutil.copytree(f"{self.folder}/tls/{name}", home)
            for part in "", *os.listdir(home):
                shutil.chown(f"{home}/{part}", "postgres", "postgres")
        # Services read the authority's certificate alone.
        os.chmod(self.folder + "/tls", 0o711)
        os.chmod(self.folder + "/tls/authority.crt", 0o644)

    example = ROOT + "/packaging/scaling/patroni-citus.yml"

    def own(self, name):
        group = next(group for group, names in GROUPS.items() if name in names)
        return dict(PATRONI_NAME=name, PATRONI_CITUS_GROUP=str(group), PATRONI_CITUS_DATABASE="juliet",
                    PATRONI_RESTAPI_CONNECT_ADDRESS=failover.address(name) + ":8008", PATRONI_POSTGRESQL_CONNECT_ADDRESS=name + ":5432")

    def make_roles(self, name):
        """The roles and the database's owner on one server, with the same passwords everywhere."""
        files = {}
        for role, secret in failover.SECRETS.items():
            files[role] = f"{self.folder}/{name}/{role}"
            with open(files[role], "w") as f:
                f.write(secret)
        sh(*POSTGRES, ROOT + "/packaging/database", cwd="/", env={
            **os.environ, "PGHOST": f"{self.folder}/{name}/run", "PGUSER": "postgres", "OWNER_PASSWORD_FILE": files["juliet_owner"],
            "SERVICE_PASSWORD_FILE": files["juliet_service"]})

    def url(self, role):
        return (f"host={','.join(GROUPS[0])} dbname=juliet user={role} password={failover.SECRETS[role]} connect_timeout=2 "
                f"target_session_attrs=read-write sslmode=verify-full sslrootcert={self.folder}/tls/authority.crt")

    def ask(self, name, text):
        """What an operator types into psql on a machine."""
        return sh(*POSTGRES, "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", f"{self.folder}/{name}/run", "-d", "juliet", "-c", text,
                  cwd="/").strip()

    def look(self, groups):
        """What each machine of these groups is: "f" and the number of its synchronous standbys, or "t" and 0; None: it does not answer."""
        return {name: self.psql(
            name, "SELECT pg_is_in_recovery(), count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync' "
            "AND application_name ~ '^(coordinator|worker)'", 5) for group in groups for name in GROUPS[group]}

    def leader(self, group):
        return next((name for name, seen in self.look([group]).items() if seen and seen[0] == "f"), None)

    def coordinator(self):
        """The coordinator's primary. On a busy machine it may not answer at once."""
        until(lambda: self.leader(0), 60, "the coordinator answers")
        return self.leader(0) or self.coordinator()

    def nodes(self):
        """Which machine is which group's, as the coordinator has it; None: it does not answer."""
        name = self.leader(0)
        rows = name and self.psql(name, "\\connect juliet\nSELECT groupid, nodename FROM pg_dist_node", 5)
        return rows and {int(group): name for group, name in (line.split("|") for line in rows.splitlines())}

    def whole(self, _=None):
        """Whether each group has a primary with a standby that commits wait for, and the coordinator knows the primaries."""
        seen, nodes = self.look(GROUPS), self.nodes()
        return nodes and all(
            sorted(seen[name] or "" for name in GROUPS[group]) == (["f|1", "t|0"] if len(GROUPS[group]) == 2 else ["f|0"])
            and (seen[name] or "")[:1] == "f" for group, name in nodes.items())

    def refuses(self):
        """Who must not get in does not: the superuser from a service's machine, a server without its certificate, anybody without TLS."""
        leader, authority = self.leader(1), self.folder + "/tls/authority.crt"
        key = f"sslcert={self.folder}/{leader}/tls/server.crt sslkey={self.folder}/{leader}/tls/server.key"
        secret = failover.SECRETS["juliet_service"]
        for machine, who, wanted in (
            ("service1", f"user=postgres sslmode=verify-full sslrootcert={authority} {key}", False),
            ("worker2a", f"user=postgres sslmode=verify-full sslrootcert={authority}", False),
            ("worker2a", f"user=postgres sslmode=verify-full sslrootcert={authority} {key}", True),
            ("service1", f"user=juliet_service password={secret} sslmode=disable", False),
            ("service1", f"user=juliet_service password=another sslmode=verify-full sslrootcert={authority}", False),
            ("service1", f"user=juliet_service password={secret} sslmode=verify-full sslrootcert={authority}", True),
        ):
            r = subprocess.run(["ip", "netns", "exec", machine, *POSTGRES, "psql", "-XAt", "-d",
                                f"host={leader} dbname=juliet connect_timeout=5 {who}", "-c", "SELECT 'in'"],
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", env={**os.environ, "HOME": "/"})
            if (r.stdout.strip() == "in") != wanted:
                run.stop(f"from {machine}, {who.split()[0]} {'does not get' if wanted else 'gets'} in: {r.stderr}")
        unsafe = [line for group in (0, 1, 2) for line in self.ask(
            self.leader(group), "SELECT usename, client_addr, application_name FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) "
            "WHERE client_addr IS NOT NULL AND NOT ssl").splitlines()]
        if unsafe:
            run.stop("sessions without TLS: " + ", ".join(unsafe))
        say("the superuser gets in with a server's certificate alone, and nobody without TLS")


# What goes wrong

def strike(world, fault):
    """Causes the fault, and puts right what it broke. Returns when another server took over, and when the old one came back."""
    group = 0 if fault.startswith("coordinator") else 1
    if fault == "added":
        world.start("worker3")
        until(lambda: (world.nodes() or {}).get(3) == "worker3", 120, "the coordinator knows the third worker")
        world.make_roles("worker3")
        taken = time.monotonic()
        world.ask(world.coordinator(), "SELECT citus_rebalance_start()")
        world.ask(world.coordinator(), "SELECT citus_rebalance_wait()")
        time.sleep(6)
        return taken, None
    if fault == "removed":
        coordinator = world.coordinator()
        world.ask(coordinator, "SELECT citus_drain_node('worker3', 5432)")
        taken = time.monotonic()
        time.sleep(6)           # the services have read the map again
        # Without the pause Patroni 3.0 tells the coordinator's that the worker is being demoted, which holds a lock for ever.
        world.patronictl("pause", "juliet", "--group", "3", "--wait")
        world.signal("worker3", signal.SIGTERM, only="patroni")
        until(lambda: "worker3" not in world.patronictl("list"), 60, "the third worker has left")
        world.ask(coordinator, "SELECT citus_remove_node('worker3', 5432)")
        world.kill("worker3")
        return taken, None
    # On a busy machine a server may take longer than a second to answer.
    until(world.whole, 180, "every server and its standby answer")
    old = world.nodes()[group]
    new = next(name for name in GROUPS[group] if name != old)
    if fault.endswith("switched"):
        world.patronictl("switchover", "juliet", "--group", str(group), "--master", old, "--candidate", new, "--force")
        return time.monotonic(), None
    if fault.endswith("killed"):
        world.kill(old)
    else:
        world.signal(old, signal.SIGSTOP)
    until(lambda: world.primary([new]), 90, f"{new} takes over")
    taken = time.monotonic()
    time.sleep(15)
    if fault.endswith("killed"):
        world.start(old)
    else:
        world.signal(old, signal.SIGCONT)
    return taken, time.monotonic()


# What is asked beside the journal

def request(method, path, body=None, token=None):
    text = json.dumps(body).encode() if body is not None else b""
    return (f"{method} {path} HTTP/1.1\r\nHost: juliet\r\nContent-Length: {len(text)}\r\n"
            + (f"Authorization: Bearer {token}\r\n" if token else "")
            + ("Content-Type: application/json\r\n" if text else "") + "\r\n").encode() + text


class Probe:
    """One kind of request, sent twice a second, and what became of each."""

    def __init__(self, name, method, path, body=None, token=None):
        self.name, self.bytes, self.seen = name, request(method, path, body, token), []

    async def send(self, service):
        begin, wrong = time.monotonic(), None
        try:
            status, text, _ = await asyncio.wait_for(service.exchange(self.bytes), 15)
            if status not in (200, 201):
                wrong = str(status)
            self.hear(status, text)
        except (OSError, EOFError, asyncio.TimeoutError, asyncio.LimitOverrunError, ValueError, KeyError) as error:
            wrong = type(error).__name__
        self.seen.append((begin, time.monotonic(), wrong))

    def hear(self, status, text):
        """Hears of an answer."""

    async def keep(self, services, done):
        under_way, turn = set(), itertools.cycle(services)
        while not done.is_set():
            task = asyncio.create_task(self.send(next(turn)))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            await asyncio.sleep(0.5)
        await asyncio.gather(*under_way)


class SignIn(Probe):
    """A sign-in by recovery code: all servers are asked whose code it is. Each code serves once, and brings the next."""

    def __init__(self, codes):
        super().__init__("/v2, sign-in", "POST", "/v2/sessions")
        self.codes = codes

    async def send(self, service):
        # Of one that fails nobody knows whether it took effect: it is not used again.
        if self.codes:
            self.bytes = request("POST", "/v2/sessions", {"recoveryCode": self.codes.pop(0)})
            await super().send(service)

    def hear(self, status, text):
        if status == 201:
            self.codes.append(json.loads(text)["recoveryCode"])


class Journal(failover.Journal):
    """Clients of the app, and for the players of which group each answer was."""

    def __init__(self, seed):
        super().__init__(seed)
        self.group_of, self.seen = {}, collections.defaultdict(list)

    def note(self, operation, begin, wrong):
        super().note(operation, begin, wrong)
        self.seen[self.group_of.get(operation.player)].append((begin, time.monotonic(), wrong))


def groups(world, players):
    """Which group has each of these players."""
    names = ",".join(f"('{player}')" for player in players)
    return {player: int(group) for player, group in (line.split("|") for line in world.ask(
        world.coordinator(), f"SELECT id, groupid FROM (VALUES {names}) AS v (id) JOIN pg_dist_placement ON shardid = "
        "get_shard_id_for_distribution_column('juliet.users', id)").splitlines())}


async def json_of(services, method, path, body=None, token=None):
    status, text, _ = await services[0].exchange(request(method, path, body, token))
    if status not in (200, 201):
        run.stop(f"{method} {path}: {status} {text!r}")
    return json.loads(text)


async def probes(world, services):
    """A player of /v2 on each worker, and one request of each kind."""
    made = [await json_of(services, "POST", "/v2/players", {}) for _ in range(200)]
    group_of, there = groups(world, [player["player"]["id"] for player in made]), {}
    for player in made:
        there.setdefault(group_of[player["player"]["id"]], player["token"])
    found = []
    for group, which in (1, "the first worker"), (2, "the second worker"):
        found += [Probe(f"/v2, read, a player of {which}", "GET", "/v2/players/me", token=there[group]),
                  Probe(f"/v2, change, a player of {which}", "PATCH", "/v2/players/me", {"name": "Ada"}, there[group])]
    return found + [
        Probe("/v2, a new player", "POST", "/v2/players", {}),
        Probe("/v2, a leaderboard", "GET", "/v2/leaderboards/wins", token=there[2]),
        Probe("/v2, challenges", "GET", "/v2/challenges", token=there[2]),
        SignIn([player["recoveryCode"] for player in made]),
        Probe("/ready", "GET", "/ready"),
    ]


Trouble = collections.namedtuple("Trouble", "requests wrong silence")


def trouble(seen, since, until):
    """How many requests there were between two moments, what went wrong, and the longest time without a good answer."""
    seen = [s for s in seen if s[1] >= since and s[0] < until]
    good = sorted(min(s[1], until) for s in seen if not s[2])
    times = [since, *good, until]
    return Trouble(len(seen), collections.Counter(s[2] for s in seen if s[2]), max(b - a for a, b in zip(times, times[1:])))


async def suffer(world, fault, clients, asked, a, words, numbers, operations):
    """Causes one fault under load. Returns the row of each kind of request."""
    done, first = asyncio.Event(), len(clients.acknowledged)
    asking = [asyncio.create_task(failover.ask(clients, a, words, numbers, operations, done))]
    asking += [asyncio.create_task(probe.keep(clients.services, done)) for probe in asked]
    await asyncio.sleep(5)
    begin = time.monotonic()
    taken, returned = await asyncio.to_thread(strike, world, fault)
    await asyncio.to_thread(until, world.whole, 180, "every server and its standby are whole again")
    back = time.monotonic() - returned if returned else None
    await asyncio.sleep(8)
    end = time.monotonic()
    done.set()
    await asyncio.gather(*asking)
    told = [o for _, o in clients.acknowledged[first:]]
    lost = await asyncio.to_thread(failover.missing, world, told)
    if lost:
        clients.broken.append(f"{fault}: {len(lost)} acknowledged changes are lost, the first {lost[0].key} {lost[0].kind}")
    else:
        await failover.repeat(clients, told, clients.broken)
    say(f"  {fault}: {len(lost)} of {len(told)} lost; took {taken - begin:.1f} s"
        + (f", whole {back:.1f} s after the return" if back else ""))
    rows = {f"the app, players of the {which} worker": trouble(clients.seen[group], begin, end)
            for group, which in ((1, "first"), (2, "second"))}
    rows.update({probe.name: trouble(probe.seen, begin, end) for probe in asked})
    for name, row in rows.items():
        wrong = ", ".join(f"{count} times {what}" for what, count in row.wrong.most_common())
        say(f"    {name}: {sum(row.wrong.values())} of {row.requests} failed{wrong and f' ({wrong})'}, none served for {row.silence:.1f} s")
    return rows


async def go_back(world, clients, a, words, numbers, operations):
    """Takes all servers back to a marked moment, as docs/citus-backup.md has it, and compares the records with what clients were told.

    A worker fails over between base copy and moment. Of the groups one goes on from a leader's copy, the others from a standby's;
    for one it is the machine that did not lead. At the end `operations` has only what is in the records.
    """
    for name, kept in itertools.product(DATABASES, ("15/juliet.broken-*", "srv/juliet/wal.broken-*", "srv/juliet/base-*")):
        for folder in glob.glob(f"{world.folder}/{name}/{kept}"):      # of an earlier time
            shutil.rmtree(folder)
    done = asyncio.Event()
    asking = asyncio.create_task(failover.ask(clients, a, words, numbers, operations, done))
    machines = [name for group in (0, 1, 2) for name in GROUPS[group]]
    await asyncio.to_thread(world.type, "citus servers base", *machines)
    await asyncio.to_thread(strike, world, "worker killed")
    await asyncio.to_thread(until, world.whole, 180, "every server and its standby are whole again")
    leaders = [world.nodes()[group] for group in (0, 1, 2)]
    standbys = [name for name in machines if name not in leaders]
    chosen = [leaders[0], leaders[1], next(name for name in GROUPS[2] if name in standbys)]
    others = [name for name in machines if name not in chosen]
    before = [operation for _, operation in clients.acknowledged]
    await asyncio.to_thread(world.type, "citus coordinator moment", leaders[0])
    later = len(operations)
    files = {name: world.psql(leader, "SELECT pg_walfile_name(pg_current_wal_lsn())", 5) for name, leader in zip(chosen, leaders)}
    await asyncio.to_thread(until, lambda: all(
        os.path.exists(f"{world.folder}/{name}/srv/juliet/wal/{file}.gz") for name, file in files.items()), 120, "the archives have the moment")
    done.set()
    await asking
    after = [operation for _, operation in clients.acknowledged[len(before):]]

    def back():
        begin = time.monotonic()
        for name in failover.SERVICES:
            world.signal(name, signal.SIGTERM)
        until(lambda: not any(world.commands(name) for name in failover.SERVICES), 60, "the services have ended")
        world.type("citus patroni stop", *standbys, *leaders)
        world.type("citus patroni restore", *chosen)
        until(lambda: all(world.psql(name, "SELECT pg_is_in_recovery()", 5) == "f" for name in chosen), 120, "all have been promoted")
        world.type("citus patroni end", *chosen)
        world.type("citus patroni others", *others)
        world.type("citus patroni forget", chosen[0])
        world.type("citus patroni first", *chosen)
        until(lambda: world.nodes() == dict(enumerate(chosen)), 120, "the coordinator knows the restored machines")
        world.type("citus patroni rest", *others)
        world.type("citus patroni recover", *chosen)
        say("  " + world.type("citus patroni audit", chosen[0]).strip().splitlines()[-1])
        for name in failover.SERVICES:
            world.start_service(name)
        served = time.monotonic()
        until(world.whole, 180, "every server has its standby")
        return served - begin, time.monotonic() - begin

    served, whole = await asyncio.to_thread(back)
    lost = failover.missing(world, before)
    # An operation's name is unique with its player: those of /v2 name some in the same way.
    names = world.sql("SELECT operation_id FROM juliet.energy_ledger WHERE user_id LIKE 'PLAYER-%'").split()
    stayed = {operation.key for operation in operations[later:]} & set(names)
    double = len(names) - len(set(names))
    say(f"  restored: {len(lost)} of {len(before)} from before the moment lost, {len(stayed)} of {len(operations) - later} from after it still "
        f"there, {double} there twice; services again after {served:.1f} s, each server with its standby after {whole:.1f} s")
    if lost or stayed or double or not after:
        clients.broken.append("restored: the records are not those of the moment")
    gone = set(map(id, failover.missing(world, operations)))
    operations[:] = [operation for operation in operations[:later] if id(operation) not in gone]
    await failover.repeat(clients, before[-1000:], clients.broken)
    # Also those machines archive that did not go back themselves.
    await asyncio.to_thread(until, lambda: not any(
        file.endswith(".ready") for name in machines for file in os.listdir(f"{world.folder}/{name}/15/juliet/pg_wal/archive_status")),
        60, "every machine archives its log")


async def play(world, a):
    clients, operations, numbers = Journal(a.seed), [], itertools.count()
    words = world.sql("SELECT word FROM juliet.words WHERE is_secret ORDER BY id LIMIT 40").split()
    operations += await register(clients, a.seed, failover.PLAYERS, words, numbers)
    clients.group_of = groups(world, {o.player for o in operations})
    asked = await probes(world, clients.services)
    rows = {}
    for fault, _ in itertools.product(a.faults, range(a.repeats)):
        if fault == "restored":
            await go_back(world, clients, a, words, numbers, operations)
            # Tokens and codes from after the moment hold no more.
            asked = await probes(world, clients.services)
            await suffer(world, "worker switched", clients, asked, a, words, numbers, operations)
            continue
        rows.setdefault(fault, []).append(await suffer(world, fault, clients, asked, a, words, numbers, operations))
        clients.group_of = groups(world, clients.group_of)
    return clients, operations, rows


def table(results):
    """How many requests of a kind failed, of how many, and the longest time in which none was served; the worst of all times."""
    say("| requests | " + " | ".join(results) + " |")
    say("|---|" + "---|" * len(results))
    for kind in next(iter(results.values()))[0]:
        worst = [max((row[kind] for row in rows), key=lambda t: t.silence) for rows in results.values()]
        say(f"| {kind} | " + " | ".join(
            f"{sum(t.wrong.values())} of {t.requests}, {t.silence:.1f} s" if t.wrong or t.silence > 2 else "-" for t in worst) + " |")


def main(a):
    world = World(a.program)
    say("making the machines")
    world.make(a.folder + "/citus")
    world.refuses()
    try:
        clients, operations, results = asyncio.run(play(world, a))
    except TimeoutError:
        say(world.patronictl("list"))
        say(f"the coordinator's nodes: {world.nodes()}")
        raise
    # The journal is of the app's players. Those of /v2 are the probes'; the audit below is of all.
    status = verdict(a.program, world.url("juliet_owner"), lambda text: "\n".join(
        row for row in world.sql(text).splitlines() if row.startswith("PLAYER-")), clients, operations, a.seed)
    audit = subprocess.run([a.program, "audit", "--database", world.url("juliet_owner")], capture_output=True, text=True)
    say((audit.stdout or audit.stderr).strip().splitlines()[-1])
    if results:
        table(results)
    world.end()
    status |= audit.returncode != 0
    say("held" if not status else f"broken; repeat with --seed {a.seed}")
    return status
