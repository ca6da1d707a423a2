-- Which node told the block; null for blocks that were read before this was recorded.
alter table chain_block add column read_from text;

-- Why a node is not believed, or not there to be asked. A row goes when the node says otherwise.
create table node_doubt (
  chain text not null,
  node text not null,
  -- refused: an answer that no honest node gives. disagrees: with another node. behind: has not got as far. silent: no answer.
  kind text not null check (kind in ('refused', 'disagrees', 'behind', 'silent')),
  reason text not null,
  -- The block that it is about.
  height bigint,
  -- First and newest sighting.
  since timestamptz not null,
  seen_at timestamptz not null,
  primary key (chain, node, kind)
);

-- The block for which another node has confirmed the transfer. Another block of a re-org needs a word of its own.
alter table transfer add column vouched_hash text;
-- Deep enough to be payable, and another node has yet to confirm it: since when.
alter table transfer add column awaits_opinion_since timestamptz;
