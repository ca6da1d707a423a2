-- concurrently
-- Prepares callback_attempt for partitions by month (0087) without blocking anyone: what it holds becomes the first partition, which ends
-- in the future.
alter table callback_attempt
  drop constraint if exists callback_attempt_in_first,
  add constraint callback_attempt_in_first check (attempted_at < {month+2}) not valid;
alter table callback_attempt validate constraint callback_attempt_in_first;
create unique index concurrently if not exists callback_attempt_first_key on callback_attempt (account_id, callback_id, number, attempted_at);
