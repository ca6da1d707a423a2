-- Which wallet a callback tells of, as its event says; null where it tells of none. Statistics of some wallets then read an index as
-- those of all do, where the event of each callback was looked into.
alter table callback add column wallet_id bigint;
drop index callback_made;
update callback set wallet_id = (event.payload #>> '{data,relationships,wallet,data,id}')::bigint
from event
where event.account_id = callback.account_id and event.id = callback.event_id
  and event.payload #>> '{data,relationships,wallet,data,id}' is not null;
-- `claimed_until` is in none of a callback's indexes, this one included: a claim writes no index entries.
create index callback_made on callback (account_id, object_type, created_at)
  include (wallet_id, status, attempts, delivered_at);
