-- How far this database has come, which the signer writes down too: one that the signer knows to have come further was
-- restored from a backup, or took the place of one that had come further. See docs/decisions/restored-databases.md.
create table database_mark (
  -- There is one row.
  is_only boolean primary key default true check (is_only),
  -- Grows whenever numbers were given out since it last did. Never less than the signer's.
  generation bigint not null default 0,
  -- It grew once more after the last numbers were given out, when no transaction can have been open any longer that
  -- took them.
  is_settled boolean not null default true,
  -- Which database this row was written in; the same row elsewhere is a copy. Null before the first worker.
  origin text,
  -- Which server in which run of it may give out numbers and addresses: it was held against the signer's mark since it started.
  admitted_since timestamptz,
  admitted_database oid,
  admitted_table oid,
  -- It was found to be restored, and what the signer has signed is still to be adopted.
  is_recovering boolean not null default false,
  updated_at timestamptz
);

insert into database_mark default values;
