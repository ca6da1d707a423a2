-- How many seconds an account's payouts may wait for others to share a transaction with, on chains where that is possible.
alter table account
  add column payout_batch_seconds integer not null default 0 check (payout_batch_seconds between 0 and 3600);
