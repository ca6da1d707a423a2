-- How often the key image of a coin was asked for and not found, up to three times. Coins that the signer's wallet never finds stop neither
-- payouts nor their resumption. See docs/decisions/monero-payments.md.
alter table coin add column key_image_asked smallint;
