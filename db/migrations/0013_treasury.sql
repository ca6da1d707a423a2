-- Where money lies that came before the service could pay: told from the transfers on record.

insert into coin
  (chain, outpoint, units, watch_key, address_type, branch, key_index, spendable_from_height, block_height)
select t.chain, t.txid || ':' || t.output_index, t.units, a.watch_key, a.address_type, 0, a.key_index,
  t.spendable_from_height, t.block_height
from transfer t
-- On chains of coins, and on no other, each chain has addresses of its own.
join address a on a.keyspace = t.chain and a.watch_key = t.watch_key
where t.deposit_id is not null and t.block_height is not null and t.currency is not null and t.units > 0;

insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
select t.chain, a.watch_key, t.currency, a.account_id, a.wallet_id, a.key_index, sum(t.units), max(t.block_height)
from transfer t
join address a on a.keyspace = 'evm' and a.watch_key = t.watch_key and a.deposit_id is not null
where t.deposit_id is not null and t.block_height is not null and t.currency is not null and t.units > 0
group by t.chain, a.watch_key, t.currency, a.account_id, a.wallet_id, a.key_index;

-- The height at which the present difference was first seen: seen at another one too, it stops the chain's payouts.
alter table reconciliation add column differs_since_height bigint;
update reconciliation set differs_since_height = height where differs_since is not null;
