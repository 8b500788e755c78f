-- The tables and columns that the service may read. Everything else it does by calling the
-- functions that are granted to it.
GRANT USAGE ON SCHEMA juliet TO juliet_service;

-- Whether a player exists, and how often they have won.
GRANT SELECT (id, wins) ON users TO juliet_service;

-- The list in memory, from which a word is dealt when there is no player or no database to ask. A right on the whole
-- table would also show where a row is (ctid), and which transaction locked it last (xmax).
GRANT SELECT (language, word, is_secret, place, retired_at) ON words TO juliet_service;
GRANT SELECT (language, letters, seal) ON word_lists TO juliet_service;
