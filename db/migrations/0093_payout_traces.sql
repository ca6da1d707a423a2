-- The W3C traceparent of the request that created the payout, so that what workers and the signer do for it continues its trace.
-- Null unless tracing was configured then.
alter table payout add column trace_parent text;
