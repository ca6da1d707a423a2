-- What payers see and leave on the payment page.

alter table account
  -- Null shows no name.
  add column payment_page_shop_name text,
  -- Origins that may show the account's payment pages in a frame; empty: none.
  add column payment_page_frame_ancestors text[] not null default '{}';

alter table deposit
  -- Locks of the rate, oldest first, once the payer has renewed the first one: each payment is valued at the lock in force when
  -- it was first seen. `{units, exp, from, until}`; empty: `rate` and `rate_expires_at` are the only one.
  add column rate_locks jsonb not null default '[]';

-- Where the payer of an Unresolved deposit wants the money back; the merchant decides.
create table deposit_payer (
  account_id bigint not null,
  deposit_id bigint not null,
  -- Canonical spelling.
  refund_address text not null,
  refund_tag text,
  left_at timestamptz not null,
  primary key (account_id, deposit_id),
  foreign key (account_id, deposit_id) references deposit
);
