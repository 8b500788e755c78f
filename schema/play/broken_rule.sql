-- Finds the first rule of hard mode that a guess breaks. The guesses so far and their marks are as a game keeps them;
-- the guess is a word of as many letters.
--
-- A letter that is known to be in place has to be there again: these rules go first, from the left. A letter that is
-- known to be in the word has to be in the guess as often as one guess has shown it, in place or elsewhere: these
-- follow in the order of the alphabet. All else is allowed: letters that are absent, and present ones where they were.
--
-- Called by: take_guess; operators (juliet audit).
-- Answers: the letter, and its place, from 1 on, or how often it has to be there; NULLs: no rule is broken.
CREATE OR REPLACE FUNCTION broken_rule(
    guesses text, marks text, letters integer, spelled text, OUT letter text, OUT place integer, OUT wanted integer
)
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    SELECT substr(guesses, n, 1), (n - 1) % letters + 1 INTO letter, place
    FROM generate_series(1, char_length(guesses)) AS n
    WHERE substr(marks, n, 1) = 'c' AND substr(guesses, n, 1) <> substr(spelled, (n - 1) % letters + 1, 1)
    ORDER BY (n - 1) % letters LIMIT 1;
    IF FOUND THEN RETURN; END IF;
    SELECT shown, max(times) INTO letter, wanted
    FROM (SELECT substr(guesses, n, 1) COLLATE "C" AS shown, count(*)::integer AS times
        FROM generate_series(1, char_length(guesses)) AS n WHERE substr(marks, n, 1) <> 'a'
        GROUP BY shown, (n - 1) / letters) AS of_one_guess
    GROUP BY shown HAVING max(times) > char_length(spelled) - char_length(replace(spelled, shown, ''))
    ORDER BY shown LIMIT 1;
END
$$;
