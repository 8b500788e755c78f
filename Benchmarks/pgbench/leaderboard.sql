\set n random(1, 100000)
\set a 10000000 + (:n * 48271) % 90000000
\set b 100000000000 + :n
SELECT juliet.read_board(sha256(uuid_send((:a || '-0000-8000-8000-' || :b)::uuid) || '\x0000000000000000'::bytea || int8send(:n)) || convert_to((:a || '-0000-8000-8000-' || :b), 'UTF8'), 'daily'::juliet.board, date '1970-01-01' + :day::integer, 20, true);
