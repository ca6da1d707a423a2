-- What blocks took from our own accounts beside transfers and the fees of our own transactions (src/treasury/holdings/book-charges.ts).
-- Without a block: the block left the best chain.
create table account_charge (
  chain text not null,
  txid text not null,
  currency text not null,
  -- In units of the chain's coin; negative where something came back.
  units numeric not null check (units <> 0),
  block_height bigint,
  block_hash text,
  created_at timestamptz not null,
  primary key (chain, txid),
  check ((block_height is null) = (block_hash is null))
);

create index account_charge_by_block on account_charge (chain, block_height) where block_height is not null;

-- The highest number that any spend of an account ever claimed, where numbers are used once and in any order.
create index spend_claim_by_number on spend_claim (chain, sender, nonce) where nonce is not null;
