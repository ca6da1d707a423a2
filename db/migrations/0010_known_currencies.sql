-- The currencies that the service has run with. Amounts are stored in smallest units: a currency that disappears from the
-- configuration, or gets other digits, would take the meaning from everything that is stored in it.
create table known_currency (
  currency text primary key,
  alpha text not null,
  exp smallint not null,
  -- Null for fiat.
  chain text,
  first_used_at timestamptz not null
);
