-- What became of each payment of a spend, in the order of its request: `made`, `refused` by the chain, or `undone` because another one
-- was refused. Null where all of them share the fate of the transaction.
alter table spend add column payment_outcomes jsonb;

-- Failed spends may hold numbers that their payouts are paid again with.
create index spend_failed on spend (chain, id) where state = 'failed';
