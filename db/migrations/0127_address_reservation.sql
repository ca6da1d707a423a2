-- The last index of each kind of address that a worker has set aside, before the signer records it. A range that the signer recorded
-- and this table contains was cut short between the two; a range that it lacks shows an older database.
create table address_reservation (
  keyspace text not null,
  address_type text not null,
  last_index bigint not null,
  primary key (keyspace, address_type)
);
