-- Transactions that a chain accepts for a limited time, and accounts whose transactions claim nothing.

alter table spend_attempt
  -- The time from which blocks no longer include it; null: no such time. At most one of the two ends is set.
  add column expires_at timestamptz,
  add check (expires_after_height is null or expires_at is null);

-- The account that sent it; null on chains of coins, and in older rows.
alter table unexplained_spend add column sender text;
