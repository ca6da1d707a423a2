-- Where several address types spell one address, its spelling in each of them; a deposit shows the one that it asked for.
alter table address add column spellings jsonb;
