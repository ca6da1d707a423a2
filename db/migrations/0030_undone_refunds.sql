-- The deposit whose payments a payout pays back. Filled before `transfer` is altered: it is read whole, and stays unlocked meanwhile.
-- Refunds whose payout had ended before this migration are left as they were booked.
create table refund (
  account_id bigint not null,
  payout_id bigint not null,
  deposit_id bigint not null,
  primary key (account_id, payout_id)
);
insert into refund (account_id, payout_id, deposit_id)
select distinct t.account_id, t.refund_payout_id, t.deposit_id
from transfer t join payout p on p.account_id = t.account_id and p.id = t.refund_payout_id
where t.refund_payout_id is not null and t.deposit_id is not null and p.stage not in ('cancelled', 'failed');

-- When the payout of the refund was canceled or failed. Null: the refund stands. The other columns named refund_ keep the newest
-- refund, so that it can stand again if a re-org brings its payout back.
alter table transfer add column refund_undone_at timestamptz;
