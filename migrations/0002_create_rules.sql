-- The rules of the game: prices, limits and rewards. Only the owner writes here (juliet rules apply). The newest row
-- holds; the others are its history, by which the audit judges entries of their time.

-- migrate:backward-compatible
-- migrate:up

-- Energy comes back to players of /v2: each whole refill_every (seconds) makes refill_amount due, up to a balance of
-- refill_up_to; zero is off. daily_reward is for the word of the day. Words are dealt from the list of language and letters.
-- Days begin at midnight in time_zone (see days).
CREATE TABLE rules (
    since timestamptz NOT NULL,
    set_by text COLLATE "C" NOT NULL,
    starting_energy integer NOT NULL,
    game_price integer NOT NULL,
    client_updates text COLLATE "C" NOT NULL,
    maximum_energy integer NOT NULL,
    claims text COLLATE "C" NOT NULL,
    claimed_app text COLLATE "C" NOT NULL,
    verification text COLLATE "C" NOT NULL,
    unverified_daily_limit integer NOT NULL,
    refill_amount integer NOT NULL,
    refill_every integer NOT NULL,
    refill_up_to integer NOT NULL,
    daily_reward integer NOT NULL,
    language text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    time_zone text COLLATE "C" NOT NULL,
    CONSTRAINT rules_pkey PRIMARY KEY (since),
    CONSTRAINT rules_starting_energy_check CHECK (starting_energy BETWEEN 0 AND 1000000),
    CONSTRAINT rules_game_price_check CHECK (game_price BETWEEN 0 AND 1000000),
    CONSTRAINT rules_client_updates_check CHECK (client_updates IN ('accept', 'lowerOnly', 'refuse')),
    CONSTRAINT rules_maximum_energy_check CHECK (maximum_energy BETWEEN 0 AND 1000000000),
    CONSTRAINT rules_claims_check CHECK (claims IN ('refuse', 'allow')),
    CONSTRAINT rules_claimed_app_check CHECK (claimed_app IN ('refuse', 'accept')),
    CONSTRAINT rules_verification_check CHECK (verification IN ('none', 'whenPresent', 'required')),
    CONSTRAINT rules_unverified_daily_limit_check CHECK (unverified_daily_limit BETWEEN 0 AND 1000000000),
    CONSTRAINT rules_refill_amount_check CHECK (refill_amount BETWEEN 0 AND 1000000),
    CONSTRAINT rules_refill_every_check CHECK (refill_every BETWEEN 0 AND 31536000),
    CONSTRAINT rules_refill_up_to_check CHECK (refill_up_to BETWEEN 0 AND 1000000),
    CONSTRAINT rules_daily_reward_check CHECK (daily_reward BETWEEN 0 AND 1000000),
    CONSTRAINT rules_language_check CHECK (language ~ '^[a-z]{2,3}$'),
    CONSTRAINT rules_letters_check CHECK (letters BETWEEN 4 AND 8),
    CONSTRAINT rules_time_zone_check CHECK (time_zone = 'UTC' OR time_zone LIKE '%/%')
);

-- The published app's rules, and what players of /v2 get back.
INSERT INTO rules (
    since, set_by, starting_energy, game_price, client_updates, maximum_energy, claims, claimed_app,
    verification, unverified_daily_limit, refill_amount, refill_every, refill_up_to, daily_reward, language, letters,
    time_zone)
VALUES ('-infinity', 'juliet', 30, 5, 'accept', 1000000, 'refuse', 'refuse', 'none', 0, 5, 14400, 30, 5, 'en', 5,
    'UTC');

-- migrate:down
DROP TABLE rules;
