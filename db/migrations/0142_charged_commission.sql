-- concurrently
-- As transfer_counted (0025_statistics.sql), with what tells whether a commission was charged.
create index concurrently if not exists transfer_charged on transfer (account_id, op_type, currency, created_at)
  include (wallet_id, units, commission_units, fee_units, fee_currency, disposition)
  where op_type in (1, 2) and status = 2 and currency is not null
    and disposition not in ('dust', 'misplaced', 'blocked', 'none');
drop index concurrently if exists transfer_counted;
