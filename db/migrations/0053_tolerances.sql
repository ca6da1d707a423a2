-- An account's defaults for deposits whose request does not set them (src/deposits/create/deposit-defaults.ts). Null: the built-in ones.
alter table account
  add column underpayment_ppm integer check (underpayment_ppm between 0 and 500000),
  add column underpayment_units numeric check (underpayment_units >= 0),
  add column overpayment_ppm integer check (overpayment_ppm between 0 and 1000000),
  add column overpayment_units numeric check (overpayment_units >= 0),
  -- The currency of both units: they apply to deposits into wallets of this currency.
  add column tolerance_currency text,
  add column default_time_limit integer,
  add column default_callback_url text,
  add check (tolerance_currency is not null or (underpayment_units is null and overpayment_units is null));

-- What the defaults were at creation, units of the wallet currency. Null: the request set inaccuracy or no amount, or the deposit is
-- older; then inaccuracy alone counts.
alter table deposit
  add column tolerance_below numeric check (tolerance_below >= 0),
  add column tolerance_above numeric check (tolerance_above >= 0),
  add check ((tolerance_below is null) = (tolerance_above is null));
