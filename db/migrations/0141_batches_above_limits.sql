-- Whether the total of a batch exceeded a limit when it was stored: then each of its payouts needs the approver that a payout of that sum needs
-- (src/payouts/batches). An upload that continues the batch knows only the sum of what is missing.
alter table payout_batch add column is_above_limit boolean not null default false;
