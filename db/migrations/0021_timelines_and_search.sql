-- What happened to one object, in its order: without this index its events are looked for among all of the account's.
create index event_by_object on event (account_id, object_type, object_id, id);

-- One search over deposits and payouts: what begins with the text, by index. Rows that have no such text cost nothing.
create index deposit_by_label on deposit (account_id, lower(label) text_pattern_ops) where label is not null;
create index deposit_by_tracking on deposit (account_id, lower(tracking_id) text_pattern_ops) where tracking_id is not null;
create index deposit_by_address on deposit (account_id, lower(address) text_pattern_ops) where address is not null;
create index payout_by_label on payout (account_id, lower(label) text_pattern_ops) where label is not null;
create index payout_by_tracking_text on payout (account_id, lower(tracking_id) text_pattern_ops) where tracking_id is not null;
create index payout_by_address on payout (account_id, lower(address) text_pattern_ops) where address is not null;

-- How much of a payment was paid back, units of its currency, where the rest of it was accepted; null: all of it.
alter table transfer add column refund_units numeric check (refund_units > 0);
