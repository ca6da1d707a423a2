-- Of a pause after a restore, on chains whose transactions claim nothing: one that was signed before, and that every record lost,
-- may be mined until then.

alter table payout_stop add column valid_until timestamptz;
