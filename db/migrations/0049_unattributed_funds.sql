-- Transfers to an account that deposits share, under no deposit's tag: nobody's money until an operator decides about it.
create table unattributed (
  id bigint generated always as identity primary key,
  chain text not null,
  txid text not null,
  output_index bigint not null,
  watch_key text not null,
  address text not null,
  -- As the chain shows it; null without one.
  tag text,
  currency text not null,
  units numeric not null check (units > 0),
  from_addresses text[] not null,
  spends text[] not null,
  spendable_from_height bigint,
  received_at timestamptz not null,
  -- Null while a reorg has removed it from the chain.
  block_height bigint,
  block_hash text,
  -- The block for which another node has confirmed it.
  vouched_hash text,
  state text not null check (state in ('waiting', 'dust', 'assigned', 'returning')),
  -- Who got it: the wallet of the deposit, or the wallet through which it is returned.
  account_id bigint,
  wallet_id bigint,
  deposit_id bigint,
  -- The newest payout that returns it; if the receipt is waiting, that payout was canceled or failed.
  payout_id bigint,
  decided_at timestamptz,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (chain, txid, output_index),
  check ((block_height is null) = (block_hash is null)),
  check (state not in ('assigned', 'returning') or (account_id is not null and wallet_id is not null and decided_at is not null)),
  check ((state = 'assigned') = (deposit_id is not null)),
  check (state <> 'returning' or payout_id is not null)
);

create index unattributed_by_block on unattributed (chain, block_height) where block_height is not null;
create index unattributed_by_time on unattributed (created_at, id);
create index unattributed_waiting on unattributed (currency) where state = 'waiting' and block_height is not null;
create index unattributed_by_payout on unattributed (payout_id) where payout_id is not null;
create index unattributed_by_deposit on unattributed (deposit_id) where deposit_id is not null;
create index unattributed_by_sender on unattributed using gin (from_addresses);

-- Where deposits share the hot account: the tag of the operator's own money.
alter table treasury_address add column tag text;
