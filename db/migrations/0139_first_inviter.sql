-- Who invited the person and chose the address, where another member sent the newest link; null: the same member.
alter table invitation add column first_invited_by_member_id bigint;
