-- Which deposits a wallet of the same account paid: the filter wallet_from of deposits.
create index payout_by_target_deposit on payout (account_id, target_deposit_id) where target_deposit_id is not null;
