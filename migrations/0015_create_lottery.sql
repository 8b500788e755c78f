-- The lottery: who takes part, and the draws. The service has no rights on these tables.

-- migrate:backward-compatible
-- migrate:up

-- The numbers of participants who are players. Those of the documents have their own, below these.
CREATE SEQUENCE lottery_player_numbers AS bigint MINVALUE 1000000000;

-- A participant is a user of the two documents, with a name and a username, or a player (user_id), whose name is in
-- players. A participant who leaves keeps the number, because stored draws name it; is_listed is then false. When
-- two players become one and both had a number, one is given up: its user_id is then NULL, and merged_into the number
-- that stays.
CREATE TABLE lottery_participants (
    number bigint NOT NULL,
    user_id text COLLATE "C",
    name text,
    username text,
    registered_on date NOT NULL,
    is_listed boolean NOT NULL DEFAULT true,
    merged_into bigint,
    CONSTRAINT lottery_participants_pkey PRIMARY KEY (number),
    CONSTRAINT lottery_participants_user_id_key UNIQUE (user_id),
    CONSTRAINT lottery_participants_number_check CHECK (number > 0 AND (user_id IS NULL OR number >= 1000000000)),
    CONSTRAINT lottery_participants_name_check CHECK ((name IS NULL) = (user_id IS NOT NULL))
);

-- The list of those who take part, in the order of place. When a void entry is drawn, nobody wins.
CREATE TABLE lottery_entries (
    participant bigint NOT NULL,
    is_void boolean NOT NULL DEFAULT false,
    place bigint GENERATED ALWAYS AS IDENTITY,
    CONSTRAINT lottery_entries_pkey PRIMARY KEY (participant),
    CONSTRAINT lottery_entries_participant_fkey FOREIGN KEY (participant) REFERENCES lottery_participants (number),
    CONSTRAINT lottery_entries_place_key UNIQUE (place)
);

-- A version of the documents that costs nothing to read, so that a service builds them once for each. A change of
-- participants or entries adds a row and waits for nobody; start_draw() puts the rows together. The sum of what a
-- transaction sees is the version.
CREATE TABLE lottery_changes (
    number bigint GENERATED ALWAYS AS IDENTITY,
    amount bigint NOT NULL DEFAULT 1,
    CONSTRAINT lottery_changes_pkey PRIMARY KEY (number)
);

-- The lists as draws froze them, as text, once for each digest.
CREATE TABLE lottery_lists (
    digest bytea NOT NULL,
    list text NOT NULL,
    CONSTRAINT lottery_lists_pkey PRIMARY KEY (digest)
);

-- The next draw is here before anybody can start it, with the SHA-256 of its secret seed (commitment). freeze_list()
-- writes the list (list_digest, entries). start_draw() writes what follows from seed and list in one transaction. After
-- that show_draw() shows it as time passes.
--
-- started_by is the transaction that froze the list, and later the one that started the draw. For the service these are
-- two, and until the second has ended nothing of the draw is shown. So nobody asks for a draw, finds out whom it draws,
-- and takes that back.
--
-- credited_to is the player who won a prize. credit_entry is the entry of the player's ledger that brought it (NULL: none
-- did, the balance was full). When the player is deleted, credited_to becomes NULL, and a credit_entry becomes 0.
CREATE TABLE lottery_draws (
    number bigint NOT NULL,
    seed bytea NOT NULL,
    commitment bytea NOT NULL,
    prize integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    started_by xid8,
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
    CONSTRAINT lottery_draws_started_check CHECK (
        started_at IS NULL AND (list_digest IS NULL) = (entries IS NULL)
            AND num_nonnulls(loading, pace, rounds, winner, credited_to, credit_entry) = 0
        OR num_nulls(started_at, loading, pace, list_digest, entries, rounds) = 0)
);
CREATE INDEX lottery_draws_winner_idx ON lottery_draws (winner);
CREATE INDEX lottery_draws_credited_to_idx ON lottery_draws (credited_to) WHERE credited_to IS NOT NULL;

-- The first draw is here from the beginning: whoever reads the lottery writes nothing.
WITH secret AS MATERIALIZED (
    SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) AS seed)
INSERT INTO lottery_draws (number, seed, commitment)
SELECT 1, seed, sha256(seed) FROM secret;
-- It is an entry of the trail, by the expressions of prepared_part() and row_seal(), which are not there yet.
INSERT INTO trail_seals (trail, writer) VALUES ('lottery_draws', 'service');
INSERT INTO trail_seals (trail, writer, entries, seal)
SELECT 'lottery_draws', 'operators', count(*), bit_xor(('x' || left(encode(sha256(convert_to(to_jsonb(ARRAY[
    'prepared', number::text, extract(epoch FROM created_at)::text, encode(seed, 'hex')])::text, 'UTF8')), 'hex'),
    16))::bit(64)::bigint)
FROM lottery_draws;

-- A draw as far as it may be seen now. entries is how many take part, or did when the draw started. elapsed, loading,
-- pace and pause are milliseconds. numbers and names are those of the rounds shown so far. seed and winner are there
-- when all rounds are over; winner NULL: the last round showed a void entry. list is there only when it was asked
-- for.
CREATE TYPE shown_draw AS (
    number bigint, commitment bytea, prize integer, entries bigint, started_at timestamptz, elapsed bigint,
    loading integer, pace integer, pause integer, list_digest bytea, numbers bigint[], names text[], has_ended boolean,
    seed bytea, winner bigint, list text
);
-- wait is the number of seconds after which to ask again, where the time was the reason of the refusal.
CREATE TYPE draw_answer AS (refusal text, is_new boolean, wait integer);
CREATE TYPE lottery_answer AS (refusal text, is_new boolean, participant bigint, entries bigint);

-- migrate:down
DROP TYPE lottery_answer;
DROP TYPE draw_answer;
DROP TYPE shown_draw;
DELETE FROM trail_seals WHERE trail = 'lottery_draws';
DROP TABLE lottery_draws;
DROP TABLE lottery_lists;
DROP TABLE lottery_changes;
DROP TABLE lottery_entries;
DROP TABLE lottery_participants;
DROP SEQUENCE lottery_player_numbers;
