\set n random(1, 100000)
SELECT read_board(sha256('\x000000000000000000000000000000000000000000000000'::bytea || int8send(:n)), 'daily'::board, date '1970-01-01' + :day::integer, 20, true);
