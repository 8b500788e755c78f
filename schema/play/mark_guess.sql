-- Marks a guess as long as the word: first the letters in their place, then those that occur elsewhere, as often as the
-- word has them.
--
-- Called by: guess_known_word, guess_known_word_each, take_guess; operators (juliet audit).
-- Answers: one letter for each letter of the guess: c correct, p present, a absent.
--
-- Nearly always each letter can be marked by itself. A letter of the word that comes twice in the guess has to be
-- counted: then there are no marks after the first loop. PostgreSQL prepares each expression once a transaction, which
-- costs more than evaluating it five times: so there are few, in a loop.
CREATE OR REPLACE FUNCTION mark_guess(guess text, word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    marks text := '';
    others text;
    letter text;
    place integer;
BEGIN
    FOR i IN 1..char_length(word) LOOP
        letter := substr(guess, i, 1);
        marks := marks || CASE WHEN strpos(word, letter) = 0 THEN 'a' WHEN strpos(guess, letter) < i THEN NULL
            WHEN substr(word, i, 1) = letter THEN 'c' ELSE 'p' END;
    END LOOP;
    IF marks IS NOT NULL THEN RETURN marks; END IF;

    marks := repeat('a', char_length(word));
    others := word;
    FOR i IN 1..char_length(word) LOOP
        IF substr(word, i, 1) = substr(guess, i, 1) THEN
            marks := overlay(marks PLACING 'c' FROM i);
            others := overlay(others PLACING ' ' FROM i);
        END IF;
    END LOOP;
    FOR i IN 1..char_length(word) LOOP
        place := strpos(others, substr(guess, i, 1));
        IF place > 0 AND substr(marks, i, 1) <> 'c' THEN
            marks := overlay(marks PLACING 'p' FROM i);
            others := overlay(others PLACING ' ' FROM place);
        END IF;
    END LOOP;
    RETURN marks;
END
$$;
