-- What another node showed of a block before it was deep enough: the content of a block never changes, and later the node may no longer
-- have the state that shows it.
create table shown_transfer (
  chain text not null,
  block_hash text not null,
  -- The node that showed it.
  node text not null,
  -- The whole transfer, as text.
  content text not null,
  height bigint not null,
  primary key (chain, block_hash, node, content)
);

create index shown_transfer_by_height on shown_transfer (chain, height);
