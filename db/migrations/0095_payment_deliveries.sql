-- Of a spend with several payments, the token transfers whose logs in the block differ from what was asked: the members of `delivery`, and
-- the payment's place in the request. Null: none, and while in no block.
alter table spend add column payment_deliveries jsonb;
