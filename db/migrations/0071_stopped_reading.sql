-- A kill switch of a chain may also stop reading it, so that nothing is credited there until a person turns it off: during a partition of the
-- network, for example, while nobody knows which branch will stay.

alter table payout_stop add column stops_reading boolean not null default false
  check (not stops_reading or scope like 'chain/%');
