-- The price in the account's fiat currency of a network fee that is charged in another currency than the payout's, such as the coin of a
-- token (fee_fiat_rate / 10^fee_fiat_rate_exp), of when the account committed to the payout. Null: the fee has the price of the payout,
-- no price was known, or the row is older than this.
alter table transfer add column fee_fiat_currency text;
alter table transfer add column fee_fiat_rate numeric;
alter table transfer add column fee_fiat_rate_exp integer;
