-- concurrently
-- Callbacks that were resent manually are claimed per receiver, as the others are (callback_by_host), in place of the oldest of all.
create index concurrently if not exists callback_resent on callback (account_id, host, due_at, id) where status = 'pending' and is_resend;
drop index concurrently if exists callback_by_resend;
