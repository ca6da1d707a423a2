-- One-time keys of outputs that pay us, on chains where several outputs may have one key and only one of them can be spent
-- (src/chains/follow/count-once.ts). The first output in a block has it; every later one, over all history, is worth nothing.
create table one_time_key (
  chain text not null,
  -- In lower-case hexadecimal.
  key text not null,
  txid text not null,
  output_index bigint not null,
  -- The block that the output is in; when it leaves the best chain, the key is free again.
  block_height bigint not null,
  primary key (chain, key)
);

create index one_time_key_by_block on one_time_key (chain, block_height);
