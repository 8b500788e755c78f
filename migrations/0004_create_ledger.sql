-- The ledger: every change of a player's energy, and the first answers to operations that have a name.

-- migrate:backward-compatible
-- migrate:up

CREATE TYPE energy_reason AS ENUM (
    'registration', 'import', 'game', 'purchase', 'client_report', 'support', 'refund', 'lottery', 'refill', 'daily',
    'challenge', 'merge'
);

-- What kind of request an operation is, by the function that writes it.
CREATE TYPE operation_kind AS ENUM (
    'register_user', 'report_energy', 'pay_for_game', 'start_game', 'buy_energy', 'credit_purchase', 'add_win',
    'move_energy', 'start_judged_game', 'guess', 'take_refill', 'create_challenge', 'create_league', 'link_identity',
    'merge_players', 'credit_prize'
);

-- Every change of a balance is one append-only row: an entry, numbered from 1 for each player. A row without a number
-- is no change. It keeps the name of an operation that changed no balance (a win, a refusal), so one lookup finds the
-- name of any operation. operation_id is that name. An entry of an operation without a name is called "entry 17"; no
-- client can send that, because it has a blank. So one index serves both: a separate index or table for the names
-- would cost three times as much.
--
-- The row is also the first answer to the operation: refusal (NULL: done), balance_after, and in answer what else it
-- said, NULL where reference (the word that was dealt, or what else the entry is about) says it. operation_request is
-- the fingerprint of the request; both it and operation_kind are NULL without a name. In the answer of an operation of
-- a player who was merged, ledger is whose entry it has.
--
-- There is no foreign key to users, because the ledger of a deleted player stays, under a pseudonym. Of its
-- times only the day is kept then, and of its references those of purchases, refunds and support.
CREATE TABLE energy_ledger (
    user_id text COLLATE "C" NOT NULL,
    operation_id text COLLATE "C" NOT NULL,
    entry integer,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason energy_reason,
    reference text,
    operation_request bigint,
    operation_kind operation_kind,
    refusal text,
    answer jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)
);
-- Finds the rows of a day. Rows are written in the order of time, so a BRIN index needs a few bytes per range of
-- blocks.
CREATE INDEX energy_ledger_created_at_idx ON energy_ledger USING brin (created_at) WITH (autosummarize = on);

-- Old entries that an operator moved out of energy_ledger (juliet energy archive): always the first entries of a
-- player, never the last one. An operator may move them on to files (juliet energy archive --to).
--
-- Whoever moves entries out of the ledger, into files, or to another name locks this table first, so that only one
-- does it at a time. The service has no rights on it and on the next two.
CREATE TABLE energy_ledger_archive (
    user_id text COLLATE "C" NOT NULL,
    entry integer NOT NULL,
    delta integer NOT NULL,
    balance_after integer NOT NULL,
    reason energy_reason NOT NULL,
    reference text,
    operation_id text COLLATE "C" NOT NULL,
    operation_request bigint,
    operation_kind operation_kind,
    created_at timestamptz NOT NULL,
    CONSTRAINT energy_ledger_archive_pkey PRIMARY KEY (user_id, entry)
);

CREATE TYPE ledger_part AS ENUM ('archive', 'ledger');

-- Where the rest of a player's entries begins, in the ledger and in the archive: after which entry, balance and seal.
--
-- Files do not name players: they have file_id in place of user_id, and only this table connects the two. So the lines
-- of a deleted player lead to nobody.
--
-- A line of a file has no game's id, and of its entry's time only the day. So its checksum is not that of the entry:
-- file_seal is the seal of the lines in files, seal that of the entries which they were. With both, files and ledger can
-- be checked. lasting is the energy of the entries in files that a merge of players takes over (lasting_energy()).
CREATE TABLE energy_checkpoints (
    user_id text COLLATE "C" NOT NULL,
    begins ledger_part NOT NULL,
    entry integer NOT NULL,
    balance integer NOT NULL,
    seal bigint NOT NULL,
    file_id uuid,
    file_seal bigint,
    lasting bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT energy_checkpoints_pkey PRIMARY KEY (user_id, begins)
);

-- How the ledger of a deleted or merged player ends, as users says it for a living one. user_id is the id that a merged
-- player had; for a deleted player a random pseudonym with a tab in it, which no client can register.
CREATE TABLE closed_ledgers (
    user_id text COLLATE "C" NOT NULL,
    ledger_entry integer NOT NULL,
    ledger_balance integer NOT NULL,
    ledger_seal bigint NOT NULL,
    closed_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT closed_ledgers_pkey PRIMARY KEY (user_id)
);

-- The answer of most functions that the service calls: refusal (NULL: done), the balance and the wins where the
-- request is about them, the word, and is_replay, true when this is the first answer to a repeated operation.
CREATE TYPE operation_answer AS (refusal text, energy integer, wins integer, word text, is_replay boolean);
-- A change of the balance, as its player sees it. The first row of an answer holds the refusal alone.
CREATE TYPE energy_answer AS (
    refusal text, entry integer, created_at timestamptz, delta integer, balance integer, reason text, game text
);
-- The balance after a refill and what is due then; or why there was none, and for how long (seconds).
CREATE TYPE refill_answer AS (
    refusal text, energy integer, is_replay boolean, refill_due integer, refill_next_at timestamptz,
    retry_after integer, taken integer
);

-- migrate:down
DROP TYPE refill_answer;
DROP TYPE energy_answer;
DROP TYPE operation_answer;
DROP TABLE closed_ledgers;
DROP TABLE energy_checkpoints;
DROP TYPE ledger_part;
DROP TABLE energy_ledger_archive;
DROP TABLE energy_ledger;
DROP TYPE operation_kind;
DROP TYPE energy_reason;
