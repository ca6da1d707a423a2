-- What was read of each chain, and which addresses are watched.

-- One row per followed chain: where the follower stands and who holds the lease. `fence` grows with each new holder; a
-- block is committed only under the fence it was read under.
create table chain_cursor (
  chain text primary key,
  -- Hash of block 0 or the chain id that this cursor belongs to; another network's node is refused.
  network text not null,
  height bigint,
  hash text,
  block_time timestamptz,
  lease_holder text,
  lease_expires_at timestamptz,
  fence bigint not null default 0,
  -- The node's own tip at the last look.
  node_height bigint,
  -- When the follower last stood at the node's tip and had read its pending transactions.
  caught_up_at timestamptz,
  updated_at timestamptz not null
);

-- Best-chain blocks within reach of a re-org, and the orphans that were seen.
create table chain_block (
  chain text not null,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  block_time timestamptz not null,
  scanned_at timestamptz not null,
  orphaned_at timestamptz,
  primary key (chain, hash)
);

create unique index chain_block_best on chain_block (chain, height) where orphaned_at is null;

-- Every height that was scanned, as ranges without gaps inside: the proof after an outage.
create table scanned_range (
  chain text not null,
  from_height bigint not null,
  to_height bigint not null,
  first_scanned_at timestamptz not null,
  last_scanned_at timestamptz not null,
  primary key (chain, from_height),
  check (from_height <= to_height)
);

-- Addresses, derived ahead and then issued, each to one deposit for ever. `keyspace` is the set of addresses that chains share.
create table address (
  keyspace text not null,
  watch_key text not null,
  address text not null,
  -- Empty on chains with one form of address.
  address_type text not null,
  key_index bigint not null,
  tag text,
  derived_at timestamptz not null,
  -- Null while it waits in the pool.
  account_id bigint,
  wallet_id bigint,
  deposit_id bigint,
  issued_at timestamptz,
  primary key (keyspace, watch_key),
  unique (keyspace, address_type, key_index)
);

create index address_pool on address (keyspace, address_type, key_index) where deposit_id is null;
