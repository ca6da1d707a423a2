/**
 * The tables with an account's rows that stay on the coordinator, each with what keeps it there: the keys without the account, which must
 * be unique over all accounts, or the statements about several accounts at once. A new table with `account_id` is distributed by a new
 * file in `db/distributed`, or listed here.
 */
export const centralTables: Readonly<Record<string, string>> = {
  account_currency_block: "a few rows, read with currency_state",
  address:
    "the pool: rows without an account are taken by any, and (keyspace, watch_key) decides whose money a payment is",
  address_book: "a few rows, read with the facts of payouts of several accounts",
  audit_entry: "id alone is unique; read across accounts by operators",
  audit_head: "locked together with the row that is audited",
  beneficiary: "id alone is unique; joined with address_book",
  callback_host: "the breakers of receivers of several accounts are locked by one statement",
  challenge: "found by its digest, before the account is known",
  commission_terms: "defaults have no account",
  credential: "found by its login, before the account is known",
  deposit:
    "payment_page_id is found without the account; deposits of several accounts are locked by one statement",
  deposit_key:
    "written by the statement that takes addresses from the central pool; kept for a day",
  deposit_payer: "belongs to deposit",
  deposit_report: "written with a chain's block, for transfers of several accounts",
  email: "the outbox is taken by one job for all accounts",
  email_token: "found by its digest, before the account is known",
  event_feed: "the feeds of several accounts are locked by one statement",
  holding: "swept by chain, over all accounts",
  invitation: "found by its token, before the account is known",
  member: "read with sessions, before the account is known",
  member_contact: "unsubscribe_key is found without the account",
  notice: "written for several members by one statement",
  passkey: "key_id is found before the account is known",
  payment_link: "page_id is found without the account",
  payout: "a chain's sender takes those of all accounts; one spend pays several accounts",
  payout_batch: "joined with payout and payout_key",
  payout_batch_row: "joined with payout and payout_key",
  payout_key: "a key must never be used twice; read with the facts of payouts of several accounts",
  payout_limit: "defaults have no account",
  person_login: "found by its login, before the account is known",
  protection_change: "id alone is unique; belongs to member and wallet",
  push_message: "the outbox is taken by one job for all accounts",
  push_notice: "belongs to member",
  push_subscription: "endpoint is unique over all accounts",
  receipt_request: "belongs to deposit",
  recovery_code: "belongs to member",
  refund: "joined with transfer and payout",
  store_image: "joined with account and payment_link",
  token_family: "found by a token, before the account is known",
  totp: "belongs to member",
  transfer: "(chain, txid, output_index) must never be credited twice, whatever the account",
  unattributed:
    "has no account until an operator decides; (chain, txid, output_index) must be unique",
  wallet: "one statement reads those of several accounts; the balances refer to it",
  wallet_balance: "the balances of payer and receiver are locked in one order by one statement",
  wallet_grant: "belongs to member and wallet",
  webhook_endpoint: "id alone is unique; a few rows, read with each event",
};

/**
 * The statements about distributed tables that name no account, by the name of the statement: each asks every node. Any other one
 * would, too.
 */
export const statementsOfAllAccounts: Readonly<Record<string, string>> = {
  "callbacks.any-available": "one of all accounts is enough; each node answers from an index",
  "events.any-waiting": "one of all accounts is enough; each node answers from an index",
  "end-leases.callbacks": "at the start of a deployment in one process only",
  "operations.read-queue": "an operator's count over all accounts",
};
