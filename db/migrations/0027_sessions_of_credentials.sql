-- When a credential was last used, for the list of an account's credentials: it read all sessions of a day once for each of them.
create index token_family_of_credential on token_family (account_id, credential_id, created_at)
  where credential_id is not null;
