-- What a transaction is called in the ledger.
CREATE OR REPLACE FUNCTION purchase_reference(environment text, transaction_id text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT environment || '/' || transaction_id $$;
