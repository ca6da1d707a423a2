-- Whether a payout pays a payment back. It is credited what it charges, so it never changes its rate. Null: written by a process
-- older than this migration, or not a refund.
alter table payout add column is_refund boolean;
update payout set is_refund = true from transfer t
where t.account_id = payout.account_id and t.refund_payout_id = payout.id and payout.stage in ('waiting', 'held', 'blocked');

-- How a payment was valued before a decision valued it anew: its deposit's status goes on to follow from this. Null: it has the
-- value it always had.
alter table transfer add column judged_rate numeric;
alter table transfer add column judged_rate_exp smallint;
alter table transfer add column judged_target_units numeric;
