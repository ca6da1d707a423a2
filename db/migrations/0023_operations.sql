-- Who runs the deployment, who set a kill switch, and what statistics are read from.

-- Owners and Admins of such an account see the deployment's own operations (chains, hot money, kill switches for everybody).
alter table account add column is_operator boolean not null default false;
-- The first account was made by whoever runs the deployment.
update account set is_operator = true where id = (select min(id) from account);

-- Null: from the command line, or by reconciliation.
alter table payout_stop add column set_by_account_id bigint;
alter table payout_stop add column set_by_member_id bigint;

-- Of payouts_blocked: null for what was set from the command line.
alter table wallet add column payouts_blocked_reason text;
alter table wallet add column payouts_blocked_by bigint;
alter table wallet add column payouts_blocked_at timestamptz;
