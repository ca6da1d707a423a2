/** SQL of cluster, timeline (new after each promotion or point-in-time recovery), database and table of `database_mark mark`. */
export const databaseOrigin = `(
  select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '/' || (select oid from pg_database where datname = current_database()) || '/' || mark.tableoid`;
