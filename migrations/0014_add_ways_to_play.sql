-- More ways to play: in hard mode, and the words of days gone by.

-- migrate:up

-- game: paid for, with a word of its own. daily: of the day, begun on it. archive: of a day gone by; counts nowhere.
ALTER TABLE judged_games ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'game';
UPDATE judged_games SET kind = 'daily' WHERE day IS NOT NULL;
ALTER TABLE judged_games ALTER COLUMN kind DROP DEFAULT;
-- Whether each guess has to use what the guesses before have shown.
ALTER TABLE judged_games ADD COLUMN is_hard boolean NOT NULL DEFAULT false;

-- A player plays one ordinary game at a time. A day's word is played once, whatever the kind of the game.
DROP INDEX judged_games_playing_key;
CREATE UNIQUE INDEX judged_games_playing_key ON judged_games (user_id) WHERE kind = 'game' AND ended_at IS NULL;

ALTER TYPE shown_game ADD ATTRIBUTE kind text, ADD ATTRIBUTE is_hard boolean;
-- The rule of hard mode that a guess breaks: the letter, and its place or how often the guess must have it.
ALTER TYPE game_answer ADD ATTRIBUTE rule_letter text, ADD ATTRIBUTE rule_position integer,
    ADD ATTRIBUTE rule_count integer;

-- migrate:down
ALTER TYPE game_answer DROP ATTRIBUTE rule_count, DROP ATTRIBUTE rule_position, DROP ATTRIBUTE rule_letter;
ALTER TYPE shown_game DROP ATTRIBUTE is_hard, DROP ATTRIBUTE kind;
DROP INDEX judged_games_playing_key;
-- The release before would take them for the day's, and count them.
DELETE FROM judged_games WHERE kind = 'archive';
ALTER TABLE judged_games DROP COLUMN is_hard;
ALTER TABLE judged_games DROP COLUMN kind;
CREATE UNIQUE INDEX judged_games_playing_key ON judged_games (user_id) WHERE day IS NULL AND ended_at IS NULL;
