"""Runs `juliet dev` for scripts that use the whole service: scripts/pages, scripts/pictures."""
import os
import re
import shlex
import signal
import socket
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def program_to_run():
    """The program `juliet`: what PROGRAM says, else what scripts/build makes."""
    if program := os.environ.get("PROGRAM"):
        return os.path.abspath(program)
    built = subprocess.run([os.path.join(ROOT, "scripts/build")], check=True, stdout=subprocess.PIPE, text=True)
    return built.stdout.strip()


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """A `juliet dev` of its own in a folder of its own, on a free port."""

    def __init__(self, program, flags, folder, admin_port=0):
        self.folder, self.program, self.admin_port = folder, program, admin_port
        self.log = open(os.path.join(folder, "dev.log"), "w+", encoding="utf-8")
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("JULIET_", "PG")) and name != "DATABASE_URL"}
        self.process = subprocess.Popen(
            [program, "dev", "--port", str(free_port()), *flags], cwd=folder, stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, env={**environment, "JULIET_ADMIN_PORT": str(admin_port)}, start_new_session=True)
        self.environment = environment
        self.url = None
        while self.url is None:
            text = self.said()
            if found := re.search(r"^Juliet is ready at (http://\S+)$", text, re.MULTILINE):
                self.url = found[1]
            elif self.process.poll() is not None:
                raise SystemExit(f"juliet dev did not start:\n{text}")
            else:
                time.sleep(0.05)
        self.database = shlex.split(re.search(r"psql: psql (.*)$", self.said(), re.MULTILINE)[1])[0]

    def said(self):
        with open(self.log.name, encoding="utf-8") as file:
            return file.read()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        self.log.close()
