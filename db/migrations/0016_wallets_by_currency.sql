-- Which of an account's wallets pays the fee of a token, asked for each payout of one.
create index wallet_by_currency on wallet (account_id, currency, id);
