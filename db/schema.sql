-- The first version of the schema. Never change what was released: add a migration.
-- Times are nanoseconds of Unix time, durations nanoseconds, NULL is "none".
--
-- A column of type ANY that holds text has either the text itself, as TEXT or, if it is
-- not plain, as BLOB; or an INTEGER, the id of a row in the table text.

CREATE TABLE session (
  id           INTEGER PRIMARY KEY AUTOINCREMENT, -- ids are part of call ids: one is never used again
  service      ANY NOT NULL,
  version      ANY NOT NULL,
  host         ANY NOT NULL,  -- name of the machine
  pid          INTEGER NOT NULL,
  boot         ANY NOT NULL,
  process      ANY,           -- what tells the process from a later one with the same pid; NULL: unknown
  started      INTEGER NOT NULL,
  last_seen    INTEGER NOT NULL,
  ended        INTEGER,
  queued       INTEGER NOT NULL DEFAULT 0,
  written      INTEGER NOT NULL DEFAULT 0,
  queue_full   INTEGER NOT NULL DEFAULT 0,
  store_failed INTEGER NOT NULL DEFAULT 0,
  calls        INTEGER NOT NULL DEFAULT 0 -- rows in call
) STRICT;

CREATE TABLE gap (
  session  INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
  n        INTEGER NOT NULL,
  "from"   INTEGER NOT NULL,
  "to"     INTEGER NOT NULL,
  calls    INTEGER NOT NULL,
  reason   ANY NOT NULL,
  PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;

-- Text that repeats. Rows are only ever added.
CREATE TABLE text (
  id    INTEGER PRIMARY KEY,
  kind  INTEGER NOT NULL,
  value ANY NOT NULL,
  UNIQUE (kind, value)
) STRICT;

-- A call that has ended. Its id is session << 40 | number.
CREATE TABLE call (
  id       INTEGER PRIMARY KEY,
  started  INTEGER NOT NULL,
  took     INTEGER NOT NULL,
  host     INTEGER NOT NULL, -- always in text
  method   ANY NOT NULL,
  scheme   ANY NOT NULL,
  path     ANY,
  query    ANY,
  status   INTEGER NOT NULL,
  outcome  INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  sends    INTEGER NOT NULL,
  waited   INTEGER NOT NULL,
  waits    INTEGER NOT NULL, -- bit 1 << kind for each kind of wait
  key      ANY,              -- the idempotency key; never in text
  error    ANY,
  policy   ANY,
  last     BLOB              -- its last attempt; see attempt.data
) STRICT;

-- The calls that people look for, each list in order of the calls.
CREATE INDEX call_failed  ON call (id, status)        WHERE status >= 400 OR status = 0;
CREATE INDEX call_doubt   ON call (id, outcome)       WHERE outcome <> 1;
CREATE INDEX call_retried ON call (id, attempts)      WHERE attempts > 1;
CREATE INDEX call_slow    ON call (id, took)          WHERE took >= 1000000000;
CREATE INDEX call_waited  ON call (id, waited, waits) WHERE waits <> 0;
CREATE INDEX call_error   ON call (id)                WHERE error IS NOT NULL;
CREATE INDEX call_key     ON call (key COLLATE NOCASE, id) WHERE key IS NOT NULL;

-- The attempts of a call before its last one.
CREATE TABLE attempt (
  call INTEGER NOT NULL,
  n    INTEGER NOT NULL,
  data BLOB NOT NULL, -- see encode.go
  PRIMARY KEY (call, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE wait (
  call    INTEGER NOT NULL,
  n       INTEGER NOT NULL, -- from 0, in order
  kind    INTEGER NOT NULL,
  before  INTEGER NOT NULL, -- number of the attempt
  start   INTEGER NOT NULL, -- since the call's start
  planned INTEGER NOT NULL,
  took    INTEGER NOT NULL,
  rule    BLOB NOT NULL,    -- see encode.go
  PRIMARY KEY (call, n)
) STRICT, WITHOUT ROWID;

-- Bodies that are too long to stay with their attempts.
CREATE TABLE body (
  call     INTEGER NOT NULL,
  n        INTEGER NOT NULL, -- number of the attempt
  response INTEGER NOT NULL, -- 0: of the request
  sha256   BLOB,             -- NULL: not computed
  data     BLOB,             -- NULL: none kept
  PRIMARY KEY (call, n, response)
) STRICT;

-- A call that is running, or was when its process ended.
CREATE TABLE live (
  call INTEGER PRIMARY KEY,
  data BLOB NOT NULL -- see encode.go
) STRICT;

-- The state of the windows of a session, as of its last beat.
CREATE TABLE window (
  session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
  n       INTEGER NOT NULL, -- place in the list
  host    ANY NOT NULL,
  "limit" INTEGER NOT NULL,
  per     INTEGER NOT NULL,
  used    INTEGER NOT NULL,
  opens   INTEGER,
  waiting INTEGER NOT NULL,
  since   INTEGER,
  PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;

-- What ended in one second at one host. Columns as in ledger.Rollup.
CREATE TABLE rollup (
  session     INTEGER NOT NULL,
  second      INTEGER NOT NULL, -- Unix time, in seconds
  host        INTEGER NOT NULL, -- always in text
  calls       INTEGER NOT NULL,
  attempts    INTEGER NOT NULL,
  retried     INTEGER NOT NULL,
  failed      INTEGER NOT NULL,
  unknown     INTEGER NOT NULL,
  window      INTEGER NOT NULL, -- time spent waiting, by kind
  backoff     INTEGER NOT NULL,
  retry_after INTEGER NOT NULL,
  latency     BLOB NOT NULL,    -- see encode.go
  PRIMARY KEY (session, second, host)
) STRICT, WITHOUT ROWID;

-- When a session called a host, so that a host that it never called costs no search.
CREATE TABLE session_host (
  session INTEGER NOT NULL,
  host    INTEGER NOT NULL,
  calls   INTEGER NOT NULL,
  first   INTEGER NOT NULL, -- start of the earliest call
  last    INTEGER NOT NULL, -- start of the latest call
  PRIMARY KEY (session, host)
) STRICT, WITHOUT ROWID;
