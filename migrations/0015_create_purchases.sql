-- What the App Store vouches for.
--
-- A transaction is one row, whoever presents it: the key is what makes it count once. user_id is the player who presented
-- it; NULL: nobody has yet, but the store has spoken of it. Product, quantity and energy are as they were then. is_refunded
-- is what the store has last said, by the date of what it said (decided_at), whatever came in first. credit_entry is the
-- entry of the player's ledger that gave the energy (NULL: none ever did), last_entry the newest one about it.
--
-- A deleted player's transactions stay used, under the pseudonym of the ledger.
--
-- What the store tells by itself stands in store_notifications, as it came and before anything is done about it, so that
-- nothing is lost when that fails, and it can be done again. account is the player that the transaction names; when that
-- player is deleted, or the transaction's, payload goes, for it holds the name.
--
-- unverified_purchases counts what a player has bought on a day (UTC) without the store's word; only where that is
-- limited.
--
-- No right of the service's.

-- migrate:backward-compatible
-- migrate:up
-- Values of an enumeration cannot be taken back, so migrating down leaves it.
ALTER TYPE energy_reason ADD VALUE IF NOT EXISTS 'refund';

CREATE TABLE purchases (
    environment text COLLATE "C" NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    product text,
    quantity integer,
    energy integer,
    purchased_at timestamptz,
    signed_at timestamptz,
    is_refunded boolean NOT NULL DEFAULT false,
    decided_at timestamptz,
    credit_entry integer,
    last_entry integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT purchases_pkey PRIMARY KEY (environment, transaction_id)
);
CREATE INDEX purchases_user_id_idx ON purchases (user_id);
CREATE INDEX purchases_created_at_idx ON purchases (created_at);

CREATE TABLE store_notifications (
    id text COLLATE "C" NOT NULL,
    payload text,
    type text NOT NULL,
    subtype text,
    environment text COLLATE "C",
    transaction_id text COLLATE "C",
    account text COLLATE "C",
    signed_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    applied_at timestamptz,
    CONSTRAINT store_notifications_pkey PRIMARY KEY (id)
);
CREATE INDEX store_notifications_transaction_idx ON store_notifications (environment, transaction_id);
CREATE INDEX store_notifications_account_idx ON store_notifications (account);

CREATE TABLE unverified_purchases (
    user_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    energy bigint NOT NULL,
    CONSTRAINT unverified_purchases_pkey PRIMARY KEY (user_id)
) WITH (fillfactor = 80);

-- migrate:down
DROP TABLE unverified_purchases;
DROP TABLE store_notifications;
DROP TABLE purchases;
