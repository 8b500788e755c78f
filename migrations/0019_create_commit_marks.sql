-- A table that is always empty. Where players are on several servers, it makes all of them commit together:
-- schema/servers/commit_together.sql.

-- migrate:backward-compatible
-- migrate:up
CREATE TABLE commit_marks (
    id integer NOT NULL,
    CONSTRAINT commit_marks_pkey PRIMARY KEY (id)
);

-- migrate:down
DROP TABLE commit_marks;
