-- What keeps a function that works with secrets from showing which rows it reads.
--
-- A serializable transaction notes in pg_locks each page and row that it reads, for everybody to see, and the service
-- can find out which word is in which row of words. A snapshot that was taken long ago is of no use to the service, so
-- every other isolation but READ COMMITTED is refused as well.

-- Raises an error unless the transaction is READ COMMITTED. It is the first declaration of each function of the service
-- that touches a table with secrets, itself or through others, so nothing has been read before. What reads such a table
-- for the first answer to a repeat checks it itself, so that payments need not.
--
-- The planner puts this expression in the place of the call: it costs a comparison, and no call.
--
-- Called by: many functions: whatever touches words, days, judged games, challenges or draws, and whatever needs an
-- operator's session, which must not outlive its key in an old snapshot.
CREATE OR REPLACE FUNCTION check_isolation() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN current_setting('transaction_isolation') = 'read committed' THEN true
        ELSE juliet.refuse_isolation() END
$$;

-- Raises the error of check_isolation.
--
-- Called by: check_isolation.
CREATE OR REPLACE FUNCTION refuse_isolation() RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RAISE 'only in a READ COMMITTED transaction, not in a % one', upper(current_setting('transaction_isolation'))
        USING ERRCODE = 'invalid_transaction_state';
END
$$;
