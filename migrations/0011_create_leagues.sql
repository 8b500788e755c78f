-- Leagues: the day's word among people who know each other.

-- migrate:backward-compatible
-- migrate:up

-- How the days' words of a month ended for a player who ended them on their day: a digit for each day of it, 31 always.
-- 0: no game, 1 to 6: won with so many guesses, 7: lost. So the table of a league reads one row a member and month, and
-- what ends a game of the day writes one row more.
CREATE TABLE daily_results (
    user_id text COLLATE "C" NOT NULL,
    month date NOT NULL,
    results text COLLATE "C" NOT NULL,
    CONSTRAINT daily_results_pkey PRIMARY KEY (user_id, month)
) WITH (fillfactor = 80);

-- A league has at least one member. Who has the invite, a code of 8 characters, may join.
CREATE TABLE leagues (
    id uuid NOT NULL,
    name text NOT NULL,
    invite text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT leagues_pkey PRIMARY KEY (id),
    CONSTRAINT leagues_invite_key UNIQUE (invite)
);

-- The longest member is the owner. joined_at grows with each member who joins, so there is only one of them.
CREATE TABLE league_members (
    league_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    joined_at timestamptz NOT NULL,
    CONSTRAINT league_members_pkey PRIMARY KEY (league_id, id),
    CONSTRAINT league_members_user_id_key UNIQUE (user_id, league_id),
    CONSTRAINT league_members_league_id_fkey FOREIGN KEY (league_id) REFERENCES leagues (id) ON DELETE CASCADE
);

-- A league as one of its members sees it: the invite is for its owner alone. The first row of a list holds the refusal
-- alone.
CREATE TYPE league_answer AS (
    refusal text, is_replay boolean, id uuid, name text, members integer, is_owner boolean, invite text,
    created_at timestamptz
);
-- A member of a league. The first row of an answer holds the refusal alone.
CREATE TYPE league_member_answer AS (
    refusal text, id uuid, name text, is_owner boolean, is_me boolean, joined_at timestamptz
);
-- What a member may see of a league's table: which member asks, and whether they have ended the word of the day it is.
CREATE TYPE league_view AS (refusal text, member uuid, day date, has_ended boolean);
-- A line of a league's table: the first day it is about (NULL: it is about all), the day it is, the member and the
-- figures; how the word of the day ended, NULLs if it has not; and the member's place in the order of joining.
CREATE TYPE league_place AS (
    starts_on date, day date, rank integer, member uuid, name text, points integer, played integer, won integer,
    is_won boolean, guesses integer, seconds bigint, marks text, letters integer, joined integer
);

-- migrate:down
DROP TYPE league_place;
DROP TYPE league_view;
DROP TYPE league_member_answer;
DROP TYPE league_answer;
DROP TABLE league_members;
DROP TABLE leagues;
DROP TABLE daily_results;
