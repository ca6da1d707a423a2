-- The deposits of an account whose rate is locked and that still wait for money: their value is added up before another rate is
-- locked (deposits.open_locks_max). Building the index reads `deposit` once; until it is built, deposits can be read and not
-- changed. No column of it changes with a payment that leaves the deposit Created.
create index deposit_by_rate_lock on deposit (account_id, rate_expires_at) include (wallet_currency, target_amount_requested)
  where status = 2 and target_amount_requested is not null and rate_expires_at is not null;
