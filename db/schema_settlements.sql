-- The third version of the schema adds which settlements the services have been told of.
-- Never change what was released: add a migration.

CREATE TABLE settlement_read (
  service ANY NOT NULL,
  n       INTEGER NOT NULL, -- of the transition by which a person settled an operation; 0: the service reads its settlements
  at      INTEGER,          -- when it was read; NULL: nobody knows whether it was, as it is older than this table
  PRIMARY KEY (service, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX transition_by_person ON transition (settles, n)
  WHERE settles IS NOT NULL AND actor_kind = 'person';

INSERT INTO settlement_read (service, n)
  SELECT settles, n FROM transition WHERE settles IS NOT NULL AND actor_kind = 'person';
