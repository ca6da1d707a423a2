-- A payment that was paid back: when, by which payout, and what its wallet was credited for it at that moment (units of the
-- wallet's currency), which is what that payout charged.
alter table transfer add column refunded_at timestamptz;
alter table transfer add column refund_payout_id bigint;
alter table transfer add column refund_target_units numeric;
