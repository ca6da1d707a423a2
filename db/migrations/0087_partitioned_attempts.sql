-- Attempts by month, so that old ones are dropped and not deleted row by row (src/platform/jobs/keep-partitions.ts). An attempt's number is
-- counted in its callback's row, under that row's lock, so no other key has to guard it.
alter table callback_attempt rename to callback_attempt_first;
alter table callback_attempt_first drop constraint callback_attempt_pkey;
alter table callback_attempt_first add constraint callback_attempt_first_pkey primary key using index callback_attempt_first_key;
create table callback_attempt (like callback_attempt_first including defaults) partition by range (attempted_at);
alter table callback_attempt add constraint callback_attempt_pkey primary key (account_id, callback_id, number, attempted_at);
-- Not read: the constraint says that every row belongs here.
alter table callback_attempt attach partition callback_attempt_first for values from (minvalue) to ({month+2});
alter table callback_attempt_first drop constraint callback_attempt_in_first;
-- For times without a partition: empty as long as a worker makes partitions ahead.
create table callback_attempt_rest partition of callback_attempt default;
