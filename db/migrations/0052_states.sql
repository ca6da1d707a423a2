-- What people read as a status (src/deposits/deposit-state.ts, src/payouts/payout-state.ts), written with what it is derived from.
alter table deposit add column state text not null default 'new' check (state in
  ('new', 'pending', 'partially_paid', 'paid', 'overpaid', 'expired', 'canceled', 'on_hold', 'refunded'));

update deposit set state = case
  when status = 5 then 'on_hold'
  when status = 3 and accepted_at is not null and enrolled + commission > target_amount_requested + coalesce(inaccuracy, 0) then 'overpaid'
  when status = 3 then 'paid'
  when status = 4 and status_reason = 'expired' then 'expired'
  when status = 4 and status_reason = 'refunded' then 'refunded'
  when status = 4 then 'canceled'
  when source_paid_pending > 0 or target_paid_pending > 0 then 'pending'
  when target_amount_requested is null then 'paid'
  else 'partially_paid' end
where status <> 2 or source_paid_pending > 0 or target_paid_pending > 0 or source_paid > 0 or target_paid > 0;

alter table payout add column state text check (state in
  ('needs_approval', 'queued', 'sent', 'confirmed', 'failed', 'canceled', 'on_hold'));

update payout set state = case
  when stage = 'waiting' then 'needs_approval'
  when stage = 'held' or (stage = 'sending' and txid is null) then 'queued'
  when stage in ('confirmed', 'internal') or (stage in ('sending', 'included') and is_confirmed) then 'confirmed'
  when stage in ('sending', 'included') then 'sent'
  when stage = 'failed' then 'failed'
  when stage = 'cancelled' then 'canceled'
  else 'on_hold' end;

alter table payout alter column state set not null;

-- Lists filtered by state, in their usual order.
create index deposit_by_state on deposit (account_id, state, created_at desc, id desc);
create index payout_by_state on payout (account_id, state, created_at desc, id desc);
