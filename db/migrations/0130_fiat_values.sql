-- What a payment was worth in the account's fiat currency when it was priced, or a payout when its account committed to it: the price
-- of one unit of the transfer's currency (fiat_rate / 10^fiat_rate_exp). Null: no price was known, or the row is older than this.
alter table transfer add column fiat_currency text;
alter table transfer add column fiat_rate numeric;
alter table transfer add column fiat_rate_exp integer;

-- The fiat currency of new payments and payouts (US dollar).
alter table account add column fiat_currency text not null default '840';
