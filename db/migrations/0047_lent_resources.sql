-- delegate: lends a deposit address resources of the gas account's stake, for its own sweep; undelegate takes them back.

alter table spend
  drop constraint spend_kind_check,
  add constraint spend_kind_check
    check (kind in ('payout', 'sweep', 'top_up', 'consolidation', 'cold', 'gap', 'delegate', 'undelegate'));
