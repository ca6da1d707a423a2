-- Monero's blocks name what they spend by key images, which only the secret spend key computes: null until the signer was asked, and on
-- chains whose blocks name outpoints.
alter table coin add column key_image text;

create unique index coin_key_image on coin (chain, key_image) where key_image is not null;
create index coin_without_key_image on coin (chain, block_height) where key_image is null and spent_height is null;
