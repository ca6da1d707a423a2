-- What sweeping has under way, and what came of it.

-- One asset of one deposit address that a spend of kind sweep or top_up is about.
create table sweep_source (
  spend_id bigint not null references spend,
  chain text not null,
  watch_key text not null,
  key_index bigint not null,
  currency text not null,
  -- What the address was seen to hold, at the currency's own count; what it held after the spend was over.
  units numeric not null check (units >= 0),
  left_units numeric check (left_units >= 0),
  settled_at timestamptz,
  created_at timestamptz not null,
  primary key (spend_id, watch_key, currency)
);

-- No two live sweeps of one asset.
create unique index sweep_source_live on sweep_source (chain, watch_key, currency) where settled_at is null;

-- Tries that moved nothing since the last one that did, and when the next one is due.
alter table holding add column failures smallint not null default 0;
alter table holding add column retry_at timestamptz;

-- Deposit addresses that run the delegate's code (EIP-7702).
create table delegation (
  chain text not null,
  watch_key text not null,
  key_index bigint not null,
  -- When it last served to move something.
  used_at timestamptz not null,
  -- The spend that is to end it.
  ending_spend_id bigint references spend,
  primary key (chain, watch_key)
);

create index delegation_by_use on delegation (chain, used_at) where ending_spend_id is null;
