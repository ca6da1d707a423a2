-- What grows with the use of an account and is read only with it: its events, their deliveries and its postings. An account's rows of
-- all these tables are on one node.
select create_distributed_table('event', 'account_id');
select create_distributed_table('callback', 'account_id', colocate_with => 'event');
select create_distributed_table('callback_attempt', 'account_id', colocate_with => 'event');
select create_distributed_table('posting', 'account_id', colocate_with => 'event');
