-- The lottery: who takes part, and the draws.
--
-- A participant is a user of the two documents, under their own number, or a player, who gets one from 1,000,000,000 on. A
-- player has neither name nor username here: their public name is in players. A participant who is gone keeps the number,
-- for kept draws name it; is_listed is then false.
--
-- The list of those who take part is lottery_entries, in the order of place. A draw freezes it: what it was is kept as text,
-- once for each digest, in lottery_lists.
--
-- The next draw is there before anybody can start it, with the SHA-256 of its secret seed. Whatever follows from seed and
-- list is written when it starts, in one transaction (0020), and shown in the course of time. credited_to is the player who
-- won a prize, later the pseudonym of a deleted one; credit_entry the entry of their ledger (NULL: the balance was full).
--
-- No right of the service's.

-- migrate:backward-compatible
-- migrate:up
-- Values of an enumeration cannot be taken back, so migrating down leaves it.
ALTER TYPE energy_reason ADD VALUE IF NOT EXISTS 'lottery';

CREATE SEQUENCE lottery_player_numbers AS bigint MINVALUE 1000000000;

CREATE TABLE lottery_participants (
    number bigint NOT NULL,
    user_id text COLLATE "C",
    name text,
    username text,
    registered_on date NOT NULL,
    is_listed boolean NOT NULL DEFAULT true,
    CONSTRAINT lottery_participants_pkey PRIMARY KEY (number),
    CONSTRAINT lottery_participants_user_id_key UNIQUE (user_id),
    CONSTRAINT lottery_participants_number_check CHECK (number > 0 AND (user_id IS NULL OR number >= 1000000000)),
    CONSTRAINT lottery_participants_name_check CHECK ((name IS NULL) = (user_id IS NOT NULL))
);

CREATE TABLE lottery_entries (
    participant bigint NOT NULL,
    is_void boolean NOT NULL DEFAULT false,
    place bigint GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT lottery_entries_pkey PRIMARY KEY (participant),
    CONSTRAINT lottery_entries_participant_fkey FOREIGN KEY (participant) REFERENCES lottery_participants (number),
    CONSTRAINT lottery_entries_place_key UNIQUE (place)
);

CREATE TABLE lottery_lists (
    digest bytea NOT NULL,
    list text NOT NULL,
    CONSTRAINT lottery_lists_pkey PRIMARY KEY (digest)
);

CREATE TABLE lottery_draws (
    number bigint NOT NULL,
    seed bytea NOT NULL,
    commitment bytea NOT NULL,
    prize integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    loading interval,
    pace interval,
    list_digest bytea,
    entries integer,
    rounds bigint[],
    winner bigint,
    credited_to text COLLATE "C",
    credit_entry integer,
    CONSTRAINT lottery_draws_pkey PRIMARY KEY (number),
    CONSTRAINT lottery_draws_list_digest_fkey FOREIGN KEY (list_digest) REFERENCES lottery_lists (digest),
    CONSTRAINT lottery_draws_prize_check CHECK (prize BETWEEN 0 AND 1000000),
    CONSTRAINT lottery_draws_started_check CHECK (started_at IS NULL AND num_nonnulls(loading, pace, list_digest, entries,
        rounds, winner, credited_to, credit_entry) = 0
        OR num_nulls(started_at, loading, pace, list_digest, entries, rounds) = 0)
);
CREATE INDEX lottery_draws_winner_idx ON lottery_draws (winner);
CREATE INDEX lottery_draws_credited_to_idx ON lottery_draws (credited_to) WHERE credited_to IS NOT NULL;

-- migrate:down
DROP TABLE lottery_draws;
DROP TABLE lottery_lists;
DROP TABLE lottery_entries;
DROP TABLE lottery_participants;
DROP SEQUENCE lottery_player_numbers;
