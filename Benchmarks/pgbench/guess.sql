-- Guesses that end no game: the clients go through the players together, each once in a round and in an order at random.
-- The word is one at an odd place; the words of these games have even ones.
\set i :i + 16
\set number 1 + (:i + :client_id) / 100000
\set n 1 + permute((:i + :client_id) % 100000, 100000)
\set a 10000000 + (:n * 48271) % 90000000
\set b 100000000000 + :n
\set w 1 + 2 * random(0, :secrets / 2 - 1)
SELECT juliet.guess_known_word(sha256(uuid_send((:a || '-0000-8000-8000-' || :b)::uuid) || '\x0000000000000000'::bytea || int8send(:n)) || convert_to((:a || '-0000-8000-8000-' || :b), 'UTF8'), ('00000000-0000-7000-8000-' || :b)::uuid, (SELECT word FROM juliet.words WHERE place = :w), :number, 'en');
