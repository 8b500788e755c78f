-- Purchases that the App Store vouches for, and purchases that nobody vouches for. The service has no rights on these
-- tables.

-- migrate:backward-compatible
-- migrate:up

-- A transaction of the App Store is one row, whoever presents it: the key makes it count once.
--
-- user_id is the player who presented it. NULL: nobody has yet, but the store has sent a notification about it. A
-- deleted player's transactions stay used, under the pseudonym of the ledger. product, quantity and energy are as
-- they were when it was presented.
--
-- is_refunded is what the store said last, by the date of what it said (decided_at), in whatever order it came in.
-- credit_entry is the entry of the player's ledger that gave the energy (NULL: none did), last_entry the newest entry
-- about the transaction. They are in credit_ledger and last_ledger when the player was merged since.
--
-- seal is a checksum of what was presented.
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
    credit_ledger text COLLATE "C",
    last_entry integer,
    last_ledger text COLLATE "C",
    seal bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT purchases_pkey PRIMARY KEY (environment, transaction_id)
);
CREATE INDEX purchases_user_id_idx ON purchases (user_id);
CREATE INDEX purchases_created_at_idx ON purchases (created_at);

-- What the store sends by itself, stored before it is applied: if applying fails, nothing is lost, and it can be
-- applied again.
--
-- account is the player whom the transaction names. When that player, or the player who presented the transaction, is
-- deleted, payload is removed, because it holds the name.
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
INSERT INTO trail_seals (trail, writer) VALUES ('store_notifications', 'operators'), ('store_notifications', 'service');

-- How much energy a player has bought on a day (UTC) that nobody vouches for. Only used where that is limited.
CREATE TABLE unverified_purchases (
    user_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    energy bigint NOT NULL,
    CONSTRAINT unverified_purchases_pkey PRIMARY KEY (user_id)
) WITH (fillfactor = 80);

-- A transaction as the service has verified it. energy is what all its pieces are worth; NULL: the product is not
-- sold any more. account is the player it names, in lower case; NULL: nobody. revoked_at is when the store took it
-- back.
CREATE TYPE store_transaction AS (
    environment text, id text, product text, quantity integer, energy integer, account text, purchased_at timestamptz,
    signed_at timestamptz, revoked_at timestamptz
);
-- energy is the balance. product, quantity and credited are those of the transaction when it was first credited.
CREATE TYPE purchase_answer AS (
    refusal text, energy integer, is_new boolean, is_replay boolean, product text, quantity integer, credited integer
);

-- migrate:down
DROP TYPE purchase_answer;
DROP TYPE store_transaction;
DROP TABLE unverified_purchases;
DELETE FROM trail_seals WHERE trail = 'store_notifications';
DROP TABLE store_notifications;
DROP TABLE purchases;
