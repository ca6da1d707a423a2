-- What monitoring counts must not cost a walk through everything that was ever delivered.
create index callback_exhausted on callback (account_id) where status = 'exhausted';
