-- Raising a travel-rule threshold, or removing a low one, excuses more payouts, so it waits for a second member, too: a change of the
-- whole deployment, asked for in an account that operates it. Units null: the configuration's threshold applies again, or none.
alter table protection_change
  drop constraint protection_change_kind_check,
  add constraint protection_change_kind_check
    check (kind in ('limit', 'limit_removal', 'payee_addition', 'payee_removal', 'allowlist', 'travel_rule_threshold')),
  drop constraint protection_change_check1,
  add constraint protection_change_units_of_kind
    check (kind = 'travel_rule_threshold' or (kind = 'limit') = (units is not null)),
  add constraint protection_change_threshold_currency
    check (kind <> 'travel_rule_threshold' or (currency is not null and wallet_id is null and span is null));

create index protection_change_waiting_subject on protection_change (subject) where status = 'waiting';
