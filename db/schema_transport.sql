-- Version 4 of the schema: what the transport has learned to tell since the first one.
-- Never change what was released: add a migration. An older redial that still records to
-- the file names the columns that it knows, so that each later one has a default.

-- The state of the windows of a session, as of its last beat.
CREATE TABLE kept AS SELECT session, n, host, "limit", per, used, opens, waiting, since FROM window;
DROP TABLE window;
CREATE TABLE window (
  session   INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
  n         INTEGER NOT NULL, -- place in the list
  host      ANY NOT NULL,
  "limit"   INTEGER NOT NULL,
  per       INTEGER NOT NULL,
  used      INTEGER NOT NULL,
  opens     INTEGER,
  waiting   INTEGER NOT NULL,
  since     INTEGER,
  name      ANY NOT NULL DEFAULT '',
  kind      INTEGER NOT NULL DEFAULT 0,
  paused    INTEGER,
  declared  INTEGER, -- when the server said the following; NULL: it never did
  allows    INTEGER NOT NULL DEFAULT 0,
  within    INTEGER NOT NULL DEFAULT 0,
  remaining INTEGER NOT NULL DEFAULT 0,
  resets    INTEGER,
  PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;
INSERT INTO window (session, n, host, "limit", per, used, opens, waiting, since) SELECT * FROM kept;
DROP TABLE kept;

-- The time that was spent waiting for a bandwidth limit in one second at one host, where
-- there was any. It belongs to the row of rollup with the same key.
CREATE TABLE bandwidth (
  session INTEGER NOT NULL,
  second  INTEGER NOT NULL,
  host    INTEGER NOT NULL,
  waited  INTEGER NOT NULL,
  PRIMARY KEY (session, second, host)
) STRICT, WITHOUT ROWID;

-- The calls that a redirect led to, each with the call that was redirected.
CREATE TABLE redirect (
  call     INTEGER PRIMARY KEY,
  previous INTEGER NOT NULL
) STRICT;

-- The calls that asked for what another one asked for: both of a pair have a row.
CREATE TABLE duplicate (
  call  INTEGER PRIMARY KEY,
  other INTEGER NOT NULL, -- the same as call: it was on the wire twice
  kind  INTEGER NOT NULL
) STRICT;
