"""What the scripts of this folder share: the files kept by hand, the checks, and writing or comparing what is made."""

import argparse
import os
import sys
import unicodedata
from collections.abc import Callable

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCKED_LETTERS = range(4, 9)
GUESSABLE_MINIMUM = 10_000


class Failure(Exception):
    """Something the operator has to put right. The message is the whole explanation."""


def run(parser: argparse.ArgumentParser, make: Callable[[argparse.Namespace], dict[str, str]]) -> int:
    """Writes or checks the files that `make` returns, and returns the exit status."""
    parser.epilog = "Exit status: 0 done, 1 files differ or a rule is broken, 2 wrong usage. Rules: README.md."
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail unless the files are what this script makes")
    parser.add_argument("--quiet", action="store_true", help="print only what is wrong")
    options = parser.parse_args()
    try:
        contents = make(options)
        if options.check:
            check(contents, parser.prog)
        else:
            write(contents)
    except Failure as failure:
        print(f"{parser.prog}: {failure}", file=sys.stderr)
        return 1
    return 0


class Review:
    """What a reader decided about the words of one language: files under review/, and blocked.txt."""

    def __init__(self, prefix: str, letters: str, length: int):
        self.path = "review/" + prefix
        self.letters, self.length = letters, length
        self.included = self.read("included.txt")
        self.excluded = self.read("excluded.txt")
        self.guesses = self.read("guesses.txt")
        self.blocked = {word for word in read_blocked() if self.fits(word)}

    def fits(self, word: str) -> bool:
        return len(word) == self.length and set(word) <= set(self.letters)

    def read(self, name: str) -> set[str]:
        words = set()
        for place, word in read_words(self.path + name):
            if not self.fits(word):
                raise Failure(f"{place}: {word!r} is not {self.length} letters of {self.letters}")
            words.add(word)
        return words

    def secrets(self, candidates: set[str], known: set[str], untypable: set[str] = set()) -> set[str]:
        """Returns the secrets: candidates and included words, without those that are excluded in any way."""
        included, excluded = self.included, self.excluded
        refused = excluded | self.blocked | untypable
        self.refuse("is already a secret", "included.txt", included & (candidates - refused))
        self.refuse("is not a word of the source", "included.txt", included - known)
        self.refuse("is no candidate", "excluded.txt", excluded - candidates)
        self.refuse("is blocked anyway", "excluded.txt", excluded & self.blocked)
        refuse("is both included and excluded", included & refused)
        return (candidates | included) - refused

    def guessable(self, known: set[str]) -> set[str]:
        """Returns the words that a player may guess: the source's and a reader's, without blocked ones."""
        self.refuse("can be guessed anyway", "guesses.txt", self.guesses & known)
        self.refuse("is blocked", "guesses.txt", self.guesses & self.blocked)
        return (known | self.guesses) - self.blocked

    def verify(self, secrets: set[str], guessable: set[str], required: set[str], secret_count: range) -> None:
        refuse("is a secret that cannot be guessed", secrets - guessable)
        refuse("must be a secret", required - secrets)
        refuse("is blocked and yet listed", self.blocked & (secrets | guessable))
        if len(secrets) not in secret_count:
            raise Failure(f"{len(secrets)} secrets; {secret_count.start} to {secret_count.stop - 1} are expected")
        if len(guessable) < GUESSABLE_MINIMUM:
            raise Failure(f"{len(guessable)} guessable words; at least {GUESSABLE_MINIMUM} are expected")

    def refuse(self, reason: str, name: str, words: set[str]) -> None:
        refuse(f"{reason}; take it out of {self.path}{name}", words)


def read_blocked() -> list[str]:
    words = []
    for place, word in read_words("blocked.txt"):
        if not (word.isalpha() and word == unicodedata.normalize("NFC", word.lower()) and len(word) in BLOCKED_LETTERS):
            raise Failure(f"{place}: {word!r} is not 4 to 8 small letters, each one character (NFC)")
        if words and word < words[-1]:
            raise Failure(f"{place}: {word!r} is not in its place; sort the file by byte")
        words.append(word)
    return words


def read_words(name: str) -> list[tuple[str, str]]:
    """Reads a list kept by hand: words between blanks, "#" starts a comment. Returns each word after its place."""
    words: dict[str, str] = {}
    for number, line in enumerate(read_text(name).splitlines(), start=1):
        for word in line.split("#")[0].split():
            if word in words:
                raise Failure(f"{name}:{number}: {word!r} is listed twice")
            words[word] = f"{name}:{number}"
    return [(place, word) for word, place in words.items()]


def read_text(name: str) -> str:
    """Returns the text of a file of this folder."""
    try:
        with open(os.path.join(HERE, name), encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(f"cannot read {name}: {error}")


def refuse(reason: str, words: set[str]) -> None:
    if words:
        raise Failure("\n  ".join([f"{len(words)} wrong:"] + [f"{word} {reason}" for word in sorted(words)]))


def render(notes: list[str], lines: set[str]) -> str:
    """Returns a file's text: notes, then the lines in the order of their bytes, which is that of code points."""
    return "\n".join([*(f"# {note}" for note in notes), *sorted(lines)]) + "\n"


def write(contents: dict[str, str]) -> None:
    for name, text in contents.items():
        with open(os.path.join(HERE, name), "w", encoding="utf-8", newline="") as file:
            file.write(text)


def check(contents: dict[str, str], program: str) -> None:
    for name, text in contents.items():
        committed = read_text(name)
        if committed != text:
            extra = sorted(set(committed.splitlines()) - set(text.splitlines()))
            missing = sorted(set(text.splitlines()) - set(committed.splitlines()))
            raise Failure(f"{name} is not what this script makes: {len(extra)} lines too many {extra[:5]},"
                          f" {len(missing)} missing {missing[:5]}, or another order; run {program}")
