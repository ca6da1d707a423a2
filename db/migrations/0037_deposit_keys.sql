-- Idempotency keys of deposit creation: a repeated request gets the deposit that the first one created.

create table deposit_key (
  account_id bigint not null,
  key uuid not null,
  deposit_id bigint not null,
  -- SHA-256 of the request document in canonical form.
  fingerprint bytea not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);

-- For deleting keys that are over.
create index deposit_key_created_at on deposit_key (created_at);
