-- The language of a member's emails, as its dashboard has it; null until the member has signed in to one: English.
alter table member_contact add column language text check (language in ('en', 'de', 'es', 'zh'));
