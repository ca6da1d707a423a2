-- The operator's position per currency from conversions: what wallets gave of it less what they were given, counted from the moment
-- at which the price is fixed. Changes are appended, so that no row is waited for; a worker adds them up now and then.
create table conversion_position (
  currency text primary key,
  units numeric not null
);

create table conversion_delta (
  id bigint generated always as identity primary key,
  currency text not null,
  units numeric not null
);

insert into conversion_position (currency, units)
select currency, sum(units) from (
  select currency, units from posting where credit = 'conversion/' || currency
  union all
  select currency, -units from posting where debit = 'conversion/' || currency
  union all
  select wallet_currency, charged_units from payout
  where stage in ('waiting', 'held', 'sending', 'blocked') and wallet_currency <> currency
  union all
  select currency, -(paid_units + commission_units + case when fee_wallet_id = wallet_id then fee_units else 0 end) from payout
  where stage in ('waiting', 'held', 'sending', 'blocked') and wallet_currency <> currency
) as change group by currency;
