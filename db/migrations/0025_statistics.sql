-- What statistics sum up, by itself: a year of payments is then read from an index, in the order of its lines, and no row of a table is.
-- The conditions are those of src/statistics/statistics.store.ts.
create index transfer_counted on transfer (account_id, op_type, currency, created_at)
  include (wallet_id, units, commission_units, fee_units, fee_currency)
  where op_type in (1, 2) and status = 2 and currency is not null
    and disposition not in ('dust', 'misplaced', 'blocked', 'none');
create index transfer_timed on transfer (account_id, op_type, currency, created_at)
  include (wallet_id, first_seen_at, confirmed_at)
  where op_type in (1, 2) and status = 2 and currency is not null
    and disposition not in ('dust', 'misplaced', 'blocked', 'none') and confirmed_at is not null and txid is not null;

-- `claimed_until` is in none of a callback's indexes, this one included: a claim writes no index entries.
create index callback_made on callback (account_id, object_type, created_at) include (status, attempts, delivered_at);
