-- The rules of the game. Only the owner writes here (juliet rules apply). The newest row holds; the others are its
-- history, by which the audit judges older entries.

-- migrate:up
CREATE TABLE rules (
    since timestamptz NOT NULL,
    set_by text COLLATE "C" NOT NULL,
    starting_energy integer NOT NULL,
    game_price integer NOT NULL,
    client_updates text COLLATE "C" NOT NULL,
    maximum_energy integer NOT NULL,
    claims text COLLATE "C" NOT NULL,
    verification text COLLATE "C" NOT NULL,
    unverified_daily_limit integer NOT NULL,
    CONSTRAINT rules_pkey PRIMARY KEY (since),
    CONSTRAINT rules_starting_energy_check CHECK (starting_energy BETWEEN 0 AND 1000000),
    CONSTRAINT rules_game_price_check CHECK (game_price BETWEEN 0 AND 1000000),
    CONSTRAINT rules_client_updates_check CHECK (client_updates IN ('accept', 'lowerOnly', 'refuse')),
    CONSTRAINT rules_maximum_energy_check CHECK (maximum_energy BETWEEN 0 AND 1000000000),
    CONSTRAINT rules_claims_check CHECK (claims IN ('refuse', 'allow')),
    CONSTRAINT rules_verification_check CHECK (verification IN ('none', 'whenPresent', 'required')),
    CONSTRAINT rules_unverified_daily_limit_check CHECK (unverified_daily_limit BETWEEN 0 AND 1000000000)
);

-- The published app's rules.
INSERT INTO rules VALUES ('-infinity', 'juliet', 30, 5, 'accept', 1000000, 'refuse', 'none', 0);

-- migrate:down
DROP TABLE rules;
