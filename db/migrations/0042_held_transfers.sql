-- What screening and policy hold, for the list of all accounts that operators see.
create index transfer_held on transfer (created_at, id) where status = -2 and disposition in ('blocked', 'payout');
