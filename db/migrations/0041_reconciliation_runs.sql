-- Comparing books and chain costs what is held, not what was ever issued: addresses that hold nothing by the books are read in turns.

-- The last watch key of the newest sample; the next one goes on behind it.
alter table reconciliation add column sampled_after text not null default '';

-- Addresses at which a sample found what the books do not have there: read in every comparison from then on, until it is gone.
create table reconciliation_find (
  chain text not null,
  currency text not null,
  watch_key text not null,
  units numeric not null check (units > 0),
  found_at timestamptz not null,
  primary key (chain, currency, watch_key)
);

-- The newest attempt to compare a chain.
create table reconciliation_run (
  chain text primary key,
  tried_at timestamptz not null,
  -- When all its currencies were last compared; null: never.
  completed_at timestamptz,
  -- Why the newest attempt did not complete; null: it did.
  failure text
);
