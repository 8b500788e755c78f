\set n random(1, 100000)
\set a 10000000 + (:n * 48271) % 90000000
\set b 100000000000 + :n
SELECT juliet.buy_energy(:a || '-0000-4000-8000-' || :b, 5, NULL, NULL, NULL);
