-- Answers that an operator is refused something.
CREATE OR REPLACE FUNCTION admin_refusal(why text) RETURNS admin_answer
LANGUAGE sql IMMUTABLE AS 'SELECT ROW(why, NULL)::juliet.admin_answer';
