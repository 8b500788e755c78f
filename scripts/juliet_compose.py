#!/usr/bin/env python3
"""Stands for `docker compose` where there is no engine: runs what docker-compose.yml says as processes of this machine.

scripts/pages types with it what the pages print for compose, in a folder of its own (class Room). A process has of its container: what
the Dockerfile puts into the image (by packaging/install), entry point, command, environment, secrets and volumes, the order of
dependencies, the health check, and as root the account. It has not: a network and a file system of its own, limits, PostgreSQL of the
image's version. What this does not know, of the file or of the command line, is an error.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from juliet_dev import ROOT, free_port

ENGINE = ".engine"
KEYS = {"image", "env_file", "pull_policy", "profiles", "user", "environment", "secrets", "depends_on", "healthcheck", "volumes", "read_only",
        "cap_drop", "cap_add", "security_opt", "mem_limit", "pids_limit", "ulimits", "shm_size", "logging", "build", "ports",
        "stop_grace_period", "restart", "entrypoint", "command", "tmpfs"}


class Refused(Exception):
    """What the real one would refuse, or this does not know."""


def server_programs():
    """The folder of PostgreSQL's programs."""
    debian = "/usr/lib/postgresql"
    if os.path.isdir(debian) and (versions := [name for name in os.listdir(debian) if name.isdigit()]):
        return f"{debian}/{max(versions, key=int)}/bin"
    return subprocess.run(["pg_config", "--bindir"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def lines_of(path):
    """The variables of a file such as .env."""
    if not os.path.exists(path):
        raise Refused(f"env file {path} not found")
    with open(path, encoding="utf-8") as file:
        return dict(line.split("=", 1) for line in file.read().splitlines() if re.match(r"\w+=", line))


def variables():
    """What docker-compose.yml may name: the lines of .env beside it, and the environment before them."""
    return {**(lines_of(".env") if os.path.exists(".env") else {}), **os.environ}


def project(known):
    """docker-compose.yml, and what the other files that COMPOSE_FILE names put into its services."""
    import yaml
    files = []
    for name in known.get("COMPOSE_FILE", "docker-compose.yml").split(":"):
        with open(name, encoding="utf-8") as file:
            files.append(yaml.safe_load(file))
    for other in files[1:]:
        if set(other) != {"services"}:
            raise Refused("another file has more than services")
        for name, service in other["services"].items():
            files[0]["services"].setdefault(name, {}).update(service)
    return interpolated(files[0], known)


def interpolated(value, known):
    """A value of the file with its variables, as compose puts them in."""
    if isinstance(value, dict):
        return {name: interpolated(part, known) for name, part in value.items()}
    if isinstance(value, list):
        return [interpolated(part, known) for part in value]
    if not isinstance(value, str):
        return value

    def variable(match):
        if match[0] == "$$":
            return "$"
        if match["name"] is None:
            raise Refused(f"a $ that stands for nothing: {value}")
        if match["how"] == "?" and match["name"] not in known:
            raise Refused(f"required variable {match['name']} is missing a value: {match['text']}")
        return known[match["name"]] if match["how"] == "?" else known.get(match["name"]) or match["text"]
    return re.sub(r"\$\$|\$\{(?P<name>\w+)(?P<how>:-|\?)(?P<text>[^}]*)\}|\$", variable, value)


class Image:
    """The last stage of the Dockerfile: what a container of it begins with."""

    def __init__(self):
        with open(os.path.join(ROOT, "Dockerfile"), encoding="utf-8") as file:
            text = re.sub(r"\\\n", " ", file.read())
        stage = re.split(r"^FROM ", text, flags=re.MULTILINE)[-1]
        self.entrypoint, self.command = (json.loads(self.line(stage, name)) for name in ("ENTRYPOINT", "CMD"))
        self.health = json.loads(re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", stage, re.MULTILINE)[1])
        self.folder = self.line(stage, "WORKDIR")
        # The folders that a volume begins as: mode, account, group.
        self.made = {path: (int(mode, 8), int(user), int(group)) for mode, user, group, path in
                     re.findall(r"install -d -m (\d+) -o (\d+) -g (\d+) (/\S+)", stage)}

    @staticmethod
    def line(stage, name):
        return re.search(rf"^{name} (.*)$", stage, re.MULTILINE)[1]


class Engine:
    """The containers of the docker-compose.yml in this folder. Their state is below .engine."""

    def __init__(self):
        self.file = project(variables())
        self.services, self.image = self.file["services"], Image()
        for name, service in self.services.items():
            if unknown := set(service) - KEYS:
                raise Refused(f"{name}: this does not know {', '.join(unknown)}")
        self.folder = os.path.abspath(ENGINE)
        self.programs = server_programs()
        with open(os.path.join(self.folder, "ports"), encoding="utf-8") as file:
            self.port, self.admin_port, self.database_port = file.read().split()

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def service(self, name):
        if name not in self.services:
            raise Refused(f"no such service: {name}")
        return self.services[name]

    def is_ours(self, service):
        """Whether its image is ours; else it is PostgreSQL's."""
        name = service["image"].rsplit(":", 1)[0]
        if name not in (self.services["juliet"]["image"].rsplit(":", 1)[0], "postgres"):
            raise Refused(f"no such image: {name}")
        return name != "postgres"

    def places(self, name, service):
        """What lies where in a container: its path, and the one here."""
        places = {"/run/secrets": self.path("secrets", name)}
        os.makedirs(places["/run/secrets"], exist_ok=True)
        for secret in service.get("secrets", []):
            file = os.path.abspath(self.file["secrets"][secret]["file"])
            if not os.path.exists(file):
                raise Refused(f"there is no {file}")
            link = os.path.join(places["/run/secrets"], secret)
            if not os.path.islink(link):
                os.symlink(file, link)
        for volume in service.get("volumes", []):
            source, path = volume.split(":")[:2]
            if source.startswith("."):
                places[path] = os.path.abspath(source)
                if not os.path.exists(places[path]):
                    raise Refused(f"there is no {source}")
                continue
            if source not in self.file["volumes"]:
                raise Refused(f"no such volume: {source}")
            places[path] = self.path("volumes", source)
            if not os.path.exists(places[path]):
                os.makedirs(places[path])
                if path in self.image.made and os.geteuid() == 0:
                    mode, user, group = self.image.made[path]
                    os.chmod(places[path], mode)
                    os.chown(places[path], user, group)
        return places

    def process(self, name, arguments=None, entrypoint=None):
        """The command line, the environment and the folder that stand for a container."""
        service = self.service(name)
        places = self.places(name, service)
        prefix = []
        if self.is_ours(service):
            places["/usr/local"] = self.path("image")
            entry, command = self.image.entrypoint, self.image.command
            path, folder = [self.path("image", "bin")], self.image.folder
        else:
            entry, command, path, folder = [], ["postgres"], [], "/"
        if entrypoint is not None or "entrypoint" in service:
            entry, command = entrypoint or service["entrypoint"], []
        command = arguments or service.get("command", command)

        def here(text):
            for inside, outside in places.items():
                text = re.sub(rf"(?<![\w/.]){re.escape(inside)}(?![\w-])", outside, text)
            return text.replace("@postgres/", f"@127.0.0.1:{self.database_port}/")
        environment = {"PATH": ":".join([*path, self.programs, "/usr/bin", "/bin"]), "PGPORT": self.database_port,
                       # Every container has a port of its own for metrics.
                       "JULIET_ADMIN_PORT": "0"}
        of_files = lines_of(service["env_file"]) if service.get("env_file") else {}
        for variable, value in {**of_files, **service.get("environment", {})}.items():
            environment[variable] = here(str(value))
        if environment.get("PGHOST") == "postgres":
            environment["PGHOST"] = "127.0.0.1"
        if os.geteuid() == 0 and ":" in str(service.get("user", "")):
            user, group = service["user"].split(":")
            prefix = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"]
        return [*prefix, *map(here, entry + command)], environment, here(folder)

    def start_database(self):
        """Starts PostgreSQL as its image does, unless it runs: over its socket everybody may enter, over TCP with passwords."""
        data, service = self.path("volumes", "database"), self.service("postgres")
        account = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []

        def run(program, *arguments):
            subprocess.run([*account, os.path.join(self.programs, program), *arguments], check=True, cwd="/", stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=self.notes)
        if not os.path.exists(data):
            secrets = self.places("postgres", service)["/run/secrets"]
            password = self.path("password")
            shutil.copy(os.path.join(secrets, os.path.basename(service["environment"]["POSTGRES_PASSWORD_FILE"])), password)
            os.chmod(data, 0o700)
            if account:
                shutil.chown(data, "postgres", "postgres")
                shutil.chown(password, "postgres", "postgres")
            run("initdb", "--pgdata", data, "--username", service["environment"]["POSTGRES_USER"], "--pwfile", password,
                "--encoding=UTF8", "--locale=C", "--auth-local=trust", "--auth-host=scram-sha-256",
                *service["environment"]["POSTGRES_INITDB_ARGS"].split())
        if not os.path.exists(os.path.join(data, "postmaster.pid")):
            run("pg_ctl", "start", "--wait", "--pgdata", data, "--log", os.path.join(data, "log"),
                "--options", f"-c fsync=off -c listen_addresses=127.0.0.1 -p {self.database_port} -k '{data}'")
        self.wait_until_healthy("postgres", service["healthcheck"]["test"][1:], float(service["healthcheck"]["retries"]))

    @property
    def notes(self):
        return open(self.path("notes"), "a", encoding="utf-8")

    def wait_until_healthy(self, name, test, seconds):
        _, environment, _ = self.process(name)
        test = [self.path("image") + part[len("/usr/local"):] if part.startswith("/usr/local/") else part for part in test]
        end = time.monotonic() + seconds
        while subprocess.run(test, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            if time.monotonic() > end:
                with open(self.path("notes"), encoding="utf-8") as file:
                    raise Refused(f"{name} is not healthy:\n{file.read()[-2000:]}")
            time.sleep(0.1)

    def start_dependencies(self, service):
        for other, how in service.get("depends_on", {}).items():
            if (other, how) != ("postgres", {"condition": "service_healthy"}):
                raise Refused(f"this cannot wait for {other}")
            self.start_database()

    # The commands.

    def run(self, flags, name, arguments):
        entrypoint = None
        if "--rm" not in flags:
            raise Refused("run leaves a container behind: --rm")
        for flag in flags - {"--rm", "-T"}:
            if not flag.startswith("--entrypoint="):
                raise Refused(f"run: this does not know {flag}")
            entrypoint = [flag.split("=", 1)[1]]
        self.start_dependencies(self.service(name))
        command, environment, folder = self.process(name, arguments, entrypoint)
        return subprocess.run(command, env=environment, cwd=folder).returncode

    def up(self, flags, name, arguments):
        if not {"--detach", "--wait"} <= flags <= {"--detach", "--wait", "--force-recreate", "--no-deps"} or arguments or name != "juliet":
            raise Refused("up: only --detach --wait, of juliet")
        service = self.service(name)
        if "--no-deps" not in flags:
            self.start_dependencies(service)
        # Another image is another container.
        if "--force-recreate" in flags or self.running()[1] != service["image"]:
            self.stop(set(), name, [])
        command, environment, folder = self.process(name)
        # The first port that the container shows is the one that it listens on, and that its health is asked of; the other is the
        # admin page's, which listens on the container's loopback unless it is told otherwise.
        (address, _, inner), (admin_address, *admin_port) = (entry.split(":") for entry in service["ports"])
        health = service["healthcheck"]["test"][1:]
        if any(inner not in part for part in (command, health, self.image.health)) or admin_port != ["9090", "9090"]:
            raise Refused("up: the ports")
        if environment.get("JULIET_ADMIN_HOST") != "0.0.0.0" or admin_address != "127.0.0.1":
            raise Refused("up: the admin page is for this machine")
        environment.update(JULIET_ADMIN_HOST=admin_address, JULIET_ADMIN_PORT=self.admin_port)
        command = [{inner: self.port, "0.0.0.0": address}.get(part, part) for part in command]
        if not os.path.exists(self.path("juliet.pid")):
            process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=self.notes,
                                       stderr=self.notes, start_new_session=True)
            with open(self.path("juliet.pid"), "w", encoding="utf-8") as file:
                file.write(f"{process.pid} {service['image']}")
        # The image's own check holds too: of a service that is ready, the process answers.
        for test in (health, self.image.health):
            self.wait_until_healthy(name, [self.port if part == inner else part for part in test], 40)
        return 0

    def stop(self, flags, name, arguments):
        if flags or arguments or name != "juliet":
            raise Refused("stop: only juliet")
        if pid := self.running()[0]:
            end(pid)
            os.remove(self.path("juliet.pid"))
        return 0

    def running(self):
        """The service that runs, its process and its image; None: none does."""
        if not os.path.exists(self.path("juliet.pid")):
            return None, None
        with open(self.path("juliet.pid"), encoding="utf-8") as file:
            pid, image = file.read().split()
        return int(pid), image

    def exec(self, flags, name, arguments):
        if flags - {"-T"} or name != "postgres":
            raise Refused("exec: only in postgres")
        self.start_database()
        environment = {"PATH": f"{self.programs}:/usr/bin:/bin", "PGPORT": self.database_port, "PGHOST": self.path("volumes", "database")}
        return subprocess.run(arguments, env=environment, cwd="/").returncode

    def build(self, flags, name, arguments):
        if flags or arguments or "build" not in self.service(name):
            raise Refused("build: only what has an image of its own")
        return 0

    def pull(self, flags, name, arguments):
        if flags or arguments or "build" in self.service(name):
            raise Refused("pull: only what a registry has")
        return 0


def end(pid):
    """Ends a process that may be nobody's child any more."""
    try:
        os.kill(pid, signal.SIGTERM)
        while os.path.exists(f"/proc/{pid}") and "State:\tZ" not in open(f"/proc/{pid}/status", encoding="utf-8").read():
            time.sleep(0.05)
    except (ProcessLookupError, FileNotFoundError):
        pass


class Room:
    """A folder with what a release has for compose, and an image, where the command `docker` is this file. Needs PyYAML, which scripts/setup test
    brings, and as root every account must be able to read the folder."""

    def __init__(self, program, folder):
        self.folder = folder
        python = os.path.join(ROOT, ".build/openapi/bin/python3")
        engine, programs = os.path.join(folder, ENGINE), os.path.join(folder, ENGINE, "bin")
        os.makedirs(os.path.join(programs))
        archive = subprocess.run([os.path.join(ROOT, "packaging/compose-archive"), engine], check=True, stdout=subprocess.PIPE, text=True)
        subprocess.run(["tar", "xzf", archive.stdout.strip(), "--strip-components=1", "-C", folder], check=True)
        # Who builds the image has the sources.
        shutil.copy(os.path.join(ROOT, "compose.build.yml"), folder)
        self.port, self.admin_port, self.database_port = free_port(), free_port(), free_port()
        with open(os.path.join(engine, "ports"), "w", encoding="utf-8") as file:
            file.write(f"{self.port} {self.admin_port} {self.database_port}")
        subprocess.run([os.path.join(ROOT, "packaging/install"), os.path.join(engine, "image")], check=True,
                       env={**os.environ, "PROGRAMS": os.path.dirname(program)}, stdout=subprocess.DEVNULL)
        self.write("docker", f'exec "{python}" "{os.path.abspath(__file__)}" "$@"')
        # Where nobody can become another account, what needs root does without.
        as_root = os.path.join(programs, "as-root")
        os.makedirs(as_root)
        if os.geteuid() != 0:
            self.write("as-root/id", "echo 0")
            self.write("as-root/chown", "exit 0")
        self.write("sudo", f'PATH="{as_root}:$PATH" exec "$@"')
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("JULIET_", "PG")) and name != "DATABASE_URL"}
        self.environment["PATH"] = f"{programs}:{self.environment['PATH']}"
        self.url, self.admin_url = (f"http://127.0.0.1:{port}" for port in (self.port, self.admin_port))

    def write(self, name, command):
        path = os.path.join(self.folder, ENGINE, "bin", name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{command}\n")
        os.chmod(path, 0o755)

    def end(self):
        data, pid = (os.path.join(self.folder, ENGINE, *parts) for parts in (("volumes", "database", "postmaster.pid"), ("juliet.pid",)))
        for file in (pid, data):
            if os.path.exists(file):
                with open(file, encoding="utf-8") as text:
                    end(int(text.readline().split()[0]))


def main(arguments):
    # As in a container, whatever the caller's is.
    os.umask(0o022)
    if arguments[:1] != ["compose"] or len(arguments) < 3:
        raise Refused("only docker compose COMMAND SERVICE")
    verb, rest, flags = arguments[1], arguments[2:], set()
    while rest and rest[0].startswith("-"):
        flag = rest.pop(0)
        flags.add(f"{flag}={rest.pop(0)}" if flag == "--entrypoint" else flag)
    if verb not in ("run", "up", "stop", "exec", "build", "pull") or not rest:
        raise Refused(f"this does not know docker compose {verb}")
    return getattr(Engine(), verb)(flags, rest[0], rest[1:])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as error:
        print(f"docker compose: {error}", file=sys.stderr)
        sys.exit(64)
