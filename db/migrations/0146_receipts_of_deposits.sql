-- concurrently
-- The receipts of a deposit are counted while its row is locked, on request of its public page: not by reading all emails of the account.
create index concurrently if not exists email_receipt on email (account_id, (content ->> 'deposit_id')) where kind = 'receipt';
