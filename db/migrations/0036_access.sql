-- Who gave whom access to an account: an approver must be independent of the payout's creator.

-- A program's credential no longer opens a person's session: such sessions end.
delete from token_family where member_id is not null and credential_id is not null;
delete from challenge where credential_id is not null;
alter table challenge drop column credential_id;

-- The member who added it; null: the operator did.
alter table member
  add column created_by_member_id bigint,
  -- Another Owner has confirmed the member; the operator may do so too, then without a member.
  add column confirmed_by_member_id bigint,
  add column confirmed_at timestamptz;

-- The member who made it; null: the operator did.
alter table credential add column created_by_member_id bigint;

-- The member who handed out the first password, and when; both null where neither is known.
alter table person_login
  add column given_by_member_id bigint,
  add column given_at timestamptz;

-- The audit log knows the makers of what exists already.
update member m set created_by_member_id = e.member_id
from audit_entry e
where e.account_id = m.account_id and e.object_type = 'member' and e.object_id = m.id::text
  and e.action = 'member.created' and e.member_id is not null;

update credential c set created_by_member_id = e.member_id
from audit_entry e
where e.account_id = c.account_id and e.object_type = 'credential' and e.object_id = c.id::text
  and e.action = 'credential.created' and e.member_id is not null;

update person_login p set given_by_member_id = e.member_id, given_at = e.created_at
from (
  select distinct on (account_id, object_id) account_id, object_id, member_id, created_at
  from audit_entry
  where object_type = 'member' and action in ('member.created', 'member.access_reset')
  order by account_id, object_id, seq desc
) e
where e.account_id = p.account_id and e.object_id = p.member_id::text;

-- True: it went above one of the account's limits when it was made.
alter table payout add column is_above_limit boolean not null default false;
-- Nobody knows that of the payouts that wait already: they are treated as if they did.
update payout set is_above_limit = true where status = 1;
