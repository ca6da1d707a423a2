-- concurrently
-- Lists, filters and sorts read an index instead of an account's whole history. Where a column has few values, PostgreSQL stores an
-- entry per value and not per row (deduplication), so these indexes are small.

-- Substrings of labels and tracking ids.
create extension if not exists pg_trgm;

create index concurrently if not exists deposit_by_update on deposit (account_id, updated_at, id);
create index concurrently if not exists deposit_by_status on deposit (account_id, status, id);
create index concurrently if not exists deposit_by_currency on deposit (account_id, currency);
create index concurrently if not exists deposit_by_wallet_type on deposit (account_id, wallet_type);
create index concurrently if not exists deposit_by_confirmations on deposit (account_id, confirmations_needed) where confirmations_needed is not null;
create index concurrently if not exists deposit_by_time_limit on deposit (account_id, time_limit) where time_limit is not null;
create index concurrently if not exists deposit_by_help_email on deposit (account_id, help_email) where help_email is not null;
create index concurrently if not exists deposit_by_rate on deposit (account_id, rate) where rate is not null;
create index concurrently if not exists deposit_by_end on deposit (account_id, expires_at) where expires_at is not null;
create index concurrently if not exists deposit_in_label_order on deposit (account_id, coalesce(label, ''), id);
create index concurrently if not exists deposit_in_tracking_order on deposit (account_id, coalesce(tracking_id, ''), id);
create index concurrently if not exists deposit_label_parts on deposit using gin (label gin_trgm_ops)
  with (gin_pending_list_limit = 512) where label is not null;
create index concurrently if not exists deposit_tracking_parts on deposit using gin (tracking_id gin_trgm_ops)
  with (gin_pending_list_limit = 512) where tracking_id is not null;
-- Every amount of a deposit that a filter compares, zeros apart (src/deposits/deposit-filters.ts).
create index concurrently if not exists deposit_by_amounts on deposit using gin (array_remove(array_remove(array[
    target_amount_requested, source_amount_requested, target_paid, target_paid_pending, enrolled, commission, source_paid,
    source_paid_pending, source_commission], null), 0))
  with (gin_pending_list_limit = 512);

create index concurrently if not exists payout_by_update on payout (account_id, updated_at, id);
create index concurrently if not exists payout_by_status on payout (account_id, status, id);
create index concurrently if not exists payout_by_amount on payout (account_id, units);
create index concurrently if not exists payout_by_currency on payout (account_id, currency);
create index concurrently if not exists payout_by_commission on payout (account_id, commission_units);
create index concurrently if not exists payout_by_wallet_type on payout (account_id, wallet_type);
create index concurrently if not exists payout_by_confirmations on payout (account_id, confirmations_needed) where confirmations_needed is not null;
create index concurrently if not exists payout_with_fee_included on payout (account_id, is_fee_included);
create index concurrently if not exists payout_by_rate on payout (account_id, rate);
create index concurrently if not exists payout_in_label_order on payout (account_id, coalesce(label, ''), id);
create index concurrently if not exists payout_in_tracking_order on payout (account_id, coalesce(tracking_id, ''), id);
create index concurrently if not exists payout_label_parts on payout using gin (label gin_trgm_ops)
  with (gin_pending_list_limit = 512) where label is not null;
create index concurrently if not exists payout_tracking_parts on payout using gin (tracking_id gin_trgm_ops)
  with (gin_pending_list_limit = 512) where tracking_id is not null;
-- Deposits and wallets of the account that its own wallets paid inside the service.
create index concurrently if not exists payout_to_deposit on payout (account_id, wallet_id, target_deposit_id) where target_deposit_id is not null;
create index concurrently if not exists payout_of_deposit on payout (account_id, target_deposit_id) where target_deposit_id is not null;
create index concurrently if not exists payout_to_wallet on payout (account_id, target_wallet_id) where target_wallet_id is not null;

create index concurrently if not exists transfer_by_update on transfer (account_id, updated_at, id);
create index concurrently if not exists transfer_by_status on transfer (account_id, status, id);
create index concurrently if not exists transfer_by_amount on transfer (account_id, units);
create index concurrently if not exists transfer_by_currency on transfer (account_id, currency);
create index concurrently if not exists transfer_by_commission on transfer (account_id, commission_units);
create index concurrently if not exists transfer_by_operation on transfer (account_id, op_type);
create index concurrently if not exists transfer_by_risk on transfer (account_id, risk_status);
create index concurrently if not exists transfer_by_wallet on transfer (account_id, wallet_id, created_at desc, id desc);

create index concurrently if not exists callback_by_update on callback (account_id, updated_at, id);
create index concurrently if not exists callback_by_status on callback (account_id, status, id);
create index concurrently if not exists callback_by_attempts on callback (account_id, attempts, id);
create index concurrently if not exists callback_by_wallet on callback (account_id, wallet_id);

create index concurrently if not exists event_by_trigger on event (account_id, trigger);
create index concurrently if not exists event_by_wallet on event (account_id, (payload #>> '{data,relationships,wallet,data,id}'));
create index concurrently if not exists event_by_time on event (account_id, created_at);
