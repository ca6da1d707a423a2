-- What a token's contract made of the transfer that a spend asked of it, by the logs of the transaction in the block: currency and
-- units asked, arrived and left, as text. Null: what was asked, as far as the chain says; and while in no block.
alter table spend add column delivery jsonb;
