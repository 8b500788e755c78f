-- 3.5 statements a run. The ids :low to :high - 1 are the secret words'.
\set c1 random(:low, :high - 1)
\set c2 random(:low, :high - 1)
\set c3 random(:low, :high - 1)
\set c4 random(:low, :high - 1)
\set c5 random(:low, :high - 1)
\set c6 random(:low, :high - 1)
\set c7 random(:low, :high - 1)
\set c8 random(:low, :high - 1)
\set c9 random(:low, :high - 1)
\set c10 random(:low, :high - 1)
\set c11 random(:low, :high - 1)
\set c12 random(:low, :high - 1)
\set c13 random(:low, :high - 1)
\set c14 random(:low, :high - 1)
\set c15 random(:low, :high - 1)
\set c16 random(:low, :high - 1)
\set c17 random(:low, :high - 1)
\set w random(:low, :high - 1)
\set won random(0, 1)
\set n random(1, 100000)
\set a 10000000 + (:n * 48271) % 90000000
\set b 100000000000 + :n
UPDATE users SET energy = CASE WHEN energy >= 5 THEN energy - 5 ELSE energy END,
    energy_reason = 'game', energy_reference = dealt
FROM deal_word(:a || '-0000-4000-8000-' || :b, ARRAY[:c1, :c2, :c3, :c4, :c5, :c6, :c7, :c8, :c9, :c10, :c11, :c12, :c13, :c14, :c15, :c16]::integer[], :c17, 'en', 5) AS dealt
WHERE id = :a || '-0000-4000-8000-' || :b AND dealt IS NOT NULL RETURNING energy, energy_changed, dealt;
WITH played AS (
    INSERT INTO played_words (user_id, word_id)
    SELECT users.id, words.id FROM users, words WHERE users.id = :a || '-0000-4000-8000-' || :b AND language = 'en' AND words.id = :w
    ON CONFLICT (user_id, word_id) DO UPDATE SET played_at = now() RETURNING word_id)
SELECT EXISTS (SELECT FROM played) FROM users WHERE id = :a || '-0000-4000-8000-' || :b;
\if :won
UPDATE users SET wins = wins + 1 WHERE id = :a || '-0000-4000-8000-' || :b RETURNING wins;
\endif
SELECT wins FROM users WHERE id = :a || '-0000-4000-8000-' || :b;
