-- Some chains let nobody pay an address before it holds coin, or has accepted a token. Such an address is activated after a deposit took
-- it, and the deposit shows it only then.
alter table address
  -- True from its issue until it can be paid.
  add column needs_activation boolean not null default false,
  -- The newest transaction that is to make it payable, and the one that sent it coin.
  add column activating_spend_id bigint,
  add column topped_up_by bigint;

create index address_to_activate on address (keyspace, issued_at) where needs_activation;

-- opt_in: lets an account of ours hold an asset.
alter table spend
  drop constraint spend_kind_check,
  add constraint spend_kind_check
    check (kind in ('payout', 'sweep', 'top_up', 'consolidation', 'cold', 'gap', 'delegate', 'undelegate', 'opt_in'));
