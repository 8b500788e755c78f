-- The tables and columns that the service may read. Everything else it does by calling the
-- functions that are granted to it.
GRANT USAGE ON SCHEMA juliet TO juliet_service;

-- Whether a player exists, and how often they have won.
GRANT SELECT (id, wins) ON users TO juliet_service;

-- The list in memory, from which a word is dealt when there is no player or no database to ask.
GRANT SELECT ON words TO juliet_service;
