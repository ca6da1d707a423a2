-- What of a payment arrived but can never be paid out, because it has to stay with tokens that came with it (Cardano). `units` is without it.
-- Null: everything can be paid out, or the row is older than this, and `units` is all that arrived. See docs/decisions/cardano-payments.md.
alter table transfer add column withheld_units numeric;
