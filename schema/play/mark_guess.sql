-- Marks a guess as long as the word: first the letters in their place, then those that occur elsewhere, as often as the
-- word has them.
--
-- Called by: guess_known_word, take_guess.
-- Answers: one letter for each letter of the guess: c correct, p present, a absent.
--
-- Most letters of a guess are not in the word, so they are marked at once. The others are marked one by one, as long as
-- none of them occurs twice. Until the end marks are no letters (- absent, 1 correct, 2 present), so that a mark is not
-- taken for a letter of the guess.
CREATE OR REPLACE FUNCTION mark_guess(guess text, word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    absent text := translate(guess, word, '');
    marks text := translate(guess, absent, repeat('-', char_length(absent)));
    common text := translate(marks, '-', '');
    others text;
    letter text;
    place integer;
BEGIN
    FOR i IN 1..char_length(common) LOOP
        letter := substr(common, i, 1);
        IF strpos(common, letter) < i THEN
            others := word;
            EXIT;
        END IF;
        place := strpos(marks, letter);
        marks := overlay(
            marks PLACING CASE WHEN substr(word, place, 1) = letter THEN '1' ELSE '2' END FROM place FOR 1);
    END LOOP;
    IF others IS NULL THEN RETURN translate(marks, '-12', 'acp'); END IF;

    marks := repeat('a', char_length(word));
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
