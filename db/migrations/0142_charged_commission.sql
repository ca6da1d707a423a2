-- concurrently
-- A payment that was refunded in full was charged no commission.
update transfer set commission_units = 0, target_commission_units = 0
where refund_payout_id is not null and refund_undone_at is null and disposition = 'refunded' and (commission_units > 0 or target_commission_units > 0);

-- As transfer_counted (0025_statistics.sql), with what tells whether a commission was charged.
create index concurrently if not exists transfer_charged on transfer (account_id, op_type, currency, created_at)
  include (wallet_id, units, commission_units, fee_units, fee_currency, disposition)
  where op_type in (1, 2) and status = 2 and currency is not null
    and disposition not in ('dust', 'misplaced', 'blocked', 'none');
drop index concurrently if exists transfer_counted;
