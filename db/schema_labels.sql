-- Version 5 of the schema: what people say of sessions. Never change what was released: add
-- a migration.

-- A session that has a name or is pinned.
CREATE TABLE label (
  session INTEGER PRIMARY KEY,
  name    ANY NOT NULL,    -- '': none
  pinned  INTEGER NOT NULL -- 1: it is not pruned
) STRICT;
