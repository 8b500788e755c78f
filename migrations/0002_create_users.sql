-- Players and their energy.
--
-- Every column that holds a player's id is text COLLATE "C", and leads the key of its table. Ids compare byte by
-- byte, so an index lookup is a memcmp in every locale, and a distributed PostgreSQL can keep the rows of a player on
-- one server.
--
-- None of these tables has CHECK constraints: PostgreSQL parses those of a table again for every statement that
-- writes to it (3 µs each), and counting a win writes to users too.

-- migrate:up

-- One row per player. The id is the app's vendorID or another account id, as the app spells it. A player of /v2 has a
-- UUID of version 8 in lower case, a form that no account id of the app may have.
--
-- ledger_entry is the number of the last entry of the player's ledger, ledger_seal a running checksum of all entries.
-- Both change with the balance and with a row of energy_ledger, in change_energy().
--
-- words_played numbers the rows of played_words. played_secrets has a bit for each secret word, at the word's place: 1
-- when the player has played it.
--
-- Free space on each page keeps an update of the balance on its page. It changes no indexed column (HOT).
CREATE TABLE users (
    id text COLLATE "C" NOT NULL,
    energy integer NOT NULL,
    ledger_entry integer NOT NULL,
    ledger_seal bigint NOT NULL,
    wins integer NOT NULL DEFAULT 0,
    words_played integer NOT NULL DEFAULT 0,
    played_secrets bit varying NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (id)
) WITH (fillfactor = 80);

CREATE TYPE energy_reason AS ENUM (
    'registration', 'import', 'game', 'purchase', 'client_report', 'support', 'refund', 'lottery'
);

-- Every change of a balance is one append-only row: an entry, numbered from 1 for each player. A row without a number
-- is no change. It keeps the name of an operation that changed no balance (a win, a refusal), so one lookup finds the
-- name of any operation. operation_id is that name. An entry of an operation without a name is called "entry 17"; no
-- client can send that, because it has a blank. So one index serves both: a separate index or table for the names
-- would cost three times as much.
--
-- The row is also the answer to the operation: refusal (NULL: done), balance_after, wins, and reference (the word
-- that was dealt, or what else the entry is about). operation_request is the fingerprint of the request.
--
-- There is no foreign key to users: the ledger of a deleted player stays, under a pseudonym.
CREATE TABLE energy_ledger (
    user_id text COLLATE "C" NOT NULL,
    operation_id text COLLATE "C" NOT NULL,
    entry integer,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason energy_reason,
    reference text,
    operation_request bigint,
    refusal text,
    wins integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)
);
-- Finds the rows of a day. Rows are written in the order of time, so a BRIN index needs a few bytes per range of
-- blocks.
CREATE INDEX energy_ledger_created_at_idx ON energy_ledger USING brin (created_at) WITH (autosummarize = on);

-- The answer of most functions that the service calls: refusal (NULL: done), the balance and the wins where the
-- request is about them, the word, and is_replay, true when this is the first answer to a repeated operation.
CREATE TYPE operation_answer AS (refusal text, energy integer, wins integer, word text, is_replay boolean);

-- Old entries that an operator moved out of energy_ledger (juliet energy archive): always the first entries of a
-- player, never the last one. An operator may move them on to files (juliet energy archive --to).
--
-- This table and the next two are for operators only. Whoever moves rows between them locks energy_ledger_archive
-- first, so that only one does it at a time.
CREATE TABLE energy_ledger_archive (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason energy_reason NOT NULL,
    reference text,
    operation_id text COLLATE "C" NOT NULL,
    operation_request bigint,
    created_at timestamptz NOT NULL,
    CONSTRAINT energy_ledger_archive_pkey PRIMARY KEY (user_id, entry)
);

CREATE TYPE ledger_part AS ENUM ('archive', 'ledger');

-- Where the rest of a player's entries begins, in the ledger and in the archive: after which entry, balance and seal.
--
-- Files do not name players: file_id stands for a player's part of a file, and only this table connects the two. So the
-- files of a deleted player lead to nobody.
CREATE TABLE energy_checkpoints (
    user_id text COLLATE "C" NOT NULL,
    begins ledger_part NOT NULL,
    entry integer NOT NULL,
    balance integer NOT NULL,
    seal bigint NOT NULL,
    file_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_checkpoints_pkey PRIMARY KEY (user_id, begins)
);

-- How the ledger of a deleted player ends, as users says it for a living one. user_id is a random pseudonym with a
-- tab in it, which no client can register.
CREATE TABLE closed_ledgers (
    user_id text COLLATE "C" NOT NULL,
    ledger_entry integer NOT NULL,
    ledger_balance integer NOT NULL,
    ledger_seal bigint NOT NULL,
    closed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT closed_ledgers_pkey PRIMARY KEY (user_id)
);

-- migrate:down
DROP TABLE closed_ledgers;
DROP TABLE energy_checkpoints;
DROP TYPE ledger_part;
DROP TABLE energy_ledger_archive;
DROP TYPE operation_answer;
DROP TABLE energy_ledger;
DROP TYPE energy_reason;
DROP TABLE users;
