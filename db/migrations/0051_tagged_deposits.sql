-- Operators look for the deposit of a payment without its tag: by its id or tracking id, in any account, or by its tag.
create index address_tagged_by_deposit on address (deposit_id) where tag is not null and deposit_id is not null;
create index address_by_tag on address (tag) where tag is not null and deposit_id is not null;
create index deposit_tagged_by_tracking on deposit (lower(tracking_id) text_pattern_ops) where tag is not null and tracking_id is not null;
-- Operators filter unattributed payments by tag and transaction.
create index unattributed_by_tag on unattributed (tag) where tag is not null;
create index unattributed_by_txid on unattributed (txid);
