-- The second version of the schema adds the ledger of operations. Never change what was
-- released: add a migration. Columns are as in ledger.Operation, ledger.Transition and
-- ledger.Ask; states, codes and kinds are the words of package ledger.
--
-- Text of type ANY is TEXT or, if it is not plain, BLOB.

CREATE TABLE operation (
  id           INTEGER PRIMARY KEY, -- in order of creation
  service      ANY NOT NULL,
  key          ANY NOT NULL,
  name         ANY,
  ref          ANY,
  method       ANY,
  url          ANY,                 -- whole, secrets included
  header       BLOB,                -- see operation_encode.go; NULL: nil
  withheld     TEXT,                -- JSON; NULL: nil
  fingerprint  BLOB NOT NULL,
  policy       TEXT,                -- JSON; NULL: the zero policy
  budget       TEXT,                -- JSON; NULL: the zero budget
  lookup       TEXT,                -- JSON; NULL: none
  asks         INTEGER NOT NULL,
  undo         TEXT,                -- JSON; NULL: none
  compensates  ANY,
  created      INTEGER NOT NULL,

  -- What transitions change.
  state        TEXT NOT NULL,
  disputed     INTEGER NOT NULL,
  held         INTEGER NOT NULL,    -- 1: Held, and 2: Ageless
  version      INTEGER NOT NULL,
  fence        INTEGER NOT NULL,
  owner        INTEGER NOT NULL,    -- number of a session; 0: none
  updated      INTEGER NOT NULL,
  moved        INTEGER NOT NULL,
  first_sent   INTEGER,
  last_sent    INTEGER,
  due          INTEGER,
  sends        INTEGER NOT NULL,
  doubts       INTEGER NOT NULL,
  lookups      INTEGER NOT NULL,
  not_found    INTEGER NOT NULL,
  failing      INTEGER NOT NULL,
  looked_up    INTEGER,
  finding      TEXT,
  last_error   ANY,
  settled_kind TEXT,                -- of the actor; NULL: none
  settled_by   ANY,                 -- name of the person
  result       BLOB,                -- without its body, see operation_encode.go; NULL: none

  -- For one key of one service, and for all operations with a key, whatever its case.
  UNIQUE (key COLLATE NOCASE, key, service)
) STRICT;

-- How many operations each service has.
CREATE TABLE operation_total (
  service ANY PRIMARY KEY NOT NULL,
  n       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The exact bytes, apart so that a transition does not write them again.
CREATE TABLE operation_body (
  id   INTEGER PRIMARY KEY, -- operation << 1, and 1 more for that of the result
  data BLOB NOT NULL
) STRICT;

CREATE INDEX operation_open ON operation (id, state)
  WHERE state <> 'succeeded' AND state <> 'failed';
CREATE INDEX operation_driven ON operation (service, due)
  WHERE state = 'sending' OR state = 'backing-off' OR state = 'checking';
CREATE INDEX operation_due ON operation (service, due)
  WHERE due IS NOT NULL AND state <> 'sending' AND state <> 'backing-off' AND state <> 'checking';
CREATE INDEX operation_pending  ON operation (service, created) WHERE state = 'pending';
CREATE INDEX operation_disputed ON operation (id)               WHERE state = 'disputed';

-- What became of operations. Rows are only ever added.
CREATE TABLE transition (
  n          INTEGER PRIMARY KEY AUTOINCREMENT, -- the position from which settlements are read: one is never used again
  operation  INTEGER NOT NULL,
  settles    ANY,              -- the service, of a move to a final word or back from one; NULL: of any other
  "from"     TEXT NOT NULL,
  "to"       TEXT NOT NULL,
  at         INTEGER NOT NULL,
  actor_kind TEXT,
  actor      ANY,              -- name of the person
  code       TEXT NOT NULL,
  reason     ANY,
  evidence   ANY,
  call       INTEGER NOT NULL, -- 0: none
  no_effect  INTEGER NOT NULL,
  due        INTEGER,
  finding    TEXT,
  asked      INTEGER,
  result     BLOB,             -- without its body, see operation_encode.go; NULL: none
  error      ANY
) STRICT;

CREATE INDEX transition_operation ON transition (operation);
CREATE INDEX transition_settles   ON transition (settles, n) WHERE settles IS NOT NULL;

-- What people ask of live services.
CREATE TABLE ask (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  service ANY NOT NULL,
  key     ANY NOT NULL,
  kind    TEXT NOT NULL,
  by      ANY,
  at      INTEGER,
  version INTEGER NOT NULL,
  despite TEXT,             -- JSON; NULL: nil
  reason  ANY,
  state   TEXT NOT NULL,
  taken   INTEGER NOT NULL, -- number of a session; 0: none
  answer  ANY
) STRICT;

CREATE INDEX ask_live ON ask (service, state, id) WHERE state = 'open' OR state = 'claimed';
CREATE INDEX ask_key  ON ask (service, key, id);
