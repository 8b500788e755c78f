-- 3.5 statements a run. The word is the one at a random place, of which there are :secrets.
\set w random(0, :secrets - 1)
\set won random(0, 1)
\set n random(1, 100000)
\set a 10000000 + (:n * 48271) % 90000000
\set b 100000000000 + :n
SELECT juliet.start_game(:a || '-0000-4000-8000-' || :b, 'en', 5, NULL, NULL, NULL);
SELECT juliet.record_played_word(:a || '-0000-4000-8000-' || :b, (SELECT word FROM juliet.words WHERE place = :w), 'en', NULL);
\if :won
SELECT juliet.add_win(:a || '-0000-4000-8000-' || :b, NULL, NULL, NULL);
\endif
SELECT wins FROM juliet.users WHERE id = :a || '-0000-4000-8000-' || :b;
