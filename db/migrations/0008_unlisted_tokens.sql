-- How many arrivals of tokens that anybody can make are on record for a deposit: no more than so many are.
create index transfer_unlisted on transfer (account_id, deposit_id) where currency is null;
