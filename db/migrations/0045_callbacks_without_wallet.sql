-- The callbacks that processes from before migration 0028 write during a rolling upgrade: a job fills in their wallets. The index
-- is empty the rest of the time. Building it reads the table once, while callbacks can be read but not written.
create index callback_without_wallet on callback (account_id, id)
  where wallet_id is null and object_type in ('deposit', 'payout');
