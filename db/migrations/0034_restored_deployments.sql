-- What a failover proves, and transactions of our accounts that nothing on record explains. See docs/decisions/restored-databases.md.

-- When the mark was last moved, each commit waited until a standby had it on its disk.
alter table database_mark add column is_synchronous boolean not null default false;

-- Transactions that only our keys can have signed, and that neither the database nor the signer's journal knew when they were seen.
create table unexplained_spend (
  chain text not null,
  txid text not null,
  -- Outpoints `txid:vout` or nonces `0x...#7` of ours that it uses up.
  claims text[] not null,
  -- Whom it paid: [{"to": "...", "address": "...", "currency": "1002", "units": "1"}]; a null currency is a token that is not listed.
  payments jsonb not null,
  -- Burnt, units of the chain's coin; null while that is not known.
  fee_units numeric check (fee_units >= 0),
  -- Null while it is in no block of the best chain.
  block_height bigint,
  block_hash text,
  seen_at timestamptz not null,
  -- When a person decided about it, and why; null while it pauses the chain's payouts.
  decided_at timestamptz,
  reason text,
  decided_by_account_id bigint,
  decided_by_member_id bigint,
  -- The payouts that it paid, by that decision.
  payout_ids bigint[] not null default '{}',
  primary key (chain, txid)
);

create index unexplained_spend_open on unexplained_spend (chain) where decided_at is null;
create index unexplained_spend_by_block on unexplained_spend (chain, block_height) where block_height is not null;
