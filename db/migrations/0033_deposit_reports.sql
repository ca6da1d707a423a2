-- What all payments of a Merchant wallet's deposit add up to, so that the next one is decided without reading them again
-- (src/deposits/tally-row.ts). Null: made from all its transfers when one of them changes next.
alter table deposit add column tally jsonb;

-- What the follower of a chain reported of a deposit's transfers that is not decided on yet: somebody else was changing the
-- deposit, or it was too much for the block's own transaction (src/deposits/report.ts). Deleted by the transaction that decides.
create table deposit_report (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  deposit_id bigint not null,
  -- Reserved where the transfer is new.
  transfer_id bigint not null,
  chain text not null,
  kind text not null check (kind in ('arrived', 'orphaned', 'cancelled')),
  -- The block that it arrived in (null: the mempool), or that was orphaned.
  block_height bigint,
  block_hash text,
  block_time timestamptz,
  -- What arrived; null for the other kinds.
  txid text,
  output_index bigint,
  watch_key text,
  currency text,
  hit jsonb,
  -- Whether a block of the best chain holds the transfer after it.
  is_on_chain boolean not null,
  -- What it moved between chain/C and arriving/C, so that the books have what the chain has at every block.
  chain_units numeric not null,
  reported_at timestamptz not null,
  check ((kind = 'arrived') = (hit is not null))
);

create index deposit_report_by_deposit on deposit_report (deposit_id, id);
create index deposit_report_by_transfer on deposit_report (transfer_id, id);
create index deposit_report_by_output on deposit_report (chain, txid, output_index) where kind = 'arrived';
create index deposit_report_by_block on deposit_report (chain, block_height) where kind = 'arrived';
create index deposit_report_by_watch_key on deposit_report (chain, watch_key) where kind = 'arrived';
