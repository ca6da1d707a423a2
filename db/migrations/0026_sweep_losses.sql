-- Tokens that a sweep took from deposit addresses and that did not come to the hot account, by the logs of its transaction: units as
-- text by currency. Null: none; and while in no block.
alter table spend add column lost jsonb;
