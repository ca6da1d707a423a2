-- What all payments of a Merchant wallet's deposit add up to, so that the next one is decided without reading them again
-- (src/deposits/tally-row.ts). Null: made from all its transfers when one of them changes next.
alter table deposit add column tally jsonb;
