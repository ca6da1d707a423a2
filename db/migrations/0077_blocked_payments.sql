-- How many payments of a deposit screening holds: while there is one, an open deposit is on hold (src/deposits/deposit-state.ts).
alter table deposit add column blocked_payments integer not null default 0;

update deposit d set blocked_payments = b.payments, state = case when d.status = 2 then 'on_hold' else d.state end
from (select account_id, deposit_id, count(*)::integer as payments from transfer
      where disposition = 'blocked' and deposit_id is not null group by 1, 2) b
where d.account_id = b.account_id and d.id = b.deposit_id;
