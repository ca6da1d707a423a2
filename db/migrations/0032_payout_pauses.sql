-- What paused payouts: `kind` says it. Processes of the previous release write `by_reconciliation` alone, and know no other kind.

alter table payout_stop drop constraint payout_stop_pkey;
-- Null for what neither a person nor reconciliation paused.
alter table payout_stop alter column by_reconciliation drop not null;
alter table payout_stop add column kind text not null generated always as (
  case by_reconciliation when false then 'kill_switch' when true then 'reconciliation' else 'restore' end) stored;
alter table payout_stop add primary key (scope, kind);
-- What those processes name in `on conflict`.
alter table payout_stop add unique (scope, by_reconciliation);
