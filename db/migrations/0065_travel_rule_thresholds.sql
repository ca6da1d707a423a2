-- The amount from which payouts of a currency need travel-rule data, as an operator set it. It takes precedence over the
-- configuration. A currency without a row follows the configuration, or always needs the data.
create table travel_rule_threshold (
  currency text primary key,
  units numeric not null check (units >= 0),
  set_at timestamptz not null
);
