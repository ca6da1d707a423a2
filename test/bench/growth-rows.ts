import type { BenchSite } from "./bench-site.ts";

/** Whose rows they are. */
export type GrowthOwner = {
  readonly accountId: string;
  readonly credentialId: string;
  readonly memberId: string;
  /** A Merchant wallet in dollars, and an Enterprise wallet in ETH. */
  readonly merchantId: string;
  readonly enterpriseId: string;
};

/** The beginning of the public ids of two payment links, which end with 1 and 2. */
export const linkPages = "00000000-0000-4000-8000-00000000000";

/** Rows are spread over 300 days, however many there are. */
const at = "timestamptz '2026-01-01' + n * interval '300 days' / $3::bigint";
const key = "encode(sha256(n::text::bytea), 'hex')";

/**
 * Each statement fills one table from a range of numbers: $1 account, $2 credential, $3 number of deposits, $4 and $5 wallets, $6 and
 * $7 the first and last number. Nine deposits in ten are the merchant's, of which half were paid; one in twenty is matched by a payout.
 * The merchant's come from two payment links, one of which has a stock.
 */
const statements: readonly { readonly table: string; readonly text: string }[] = [
  {
    table: "payment_link",
    text: `insert into payment_link (account_id, id, page_id, wallet_id, name, amount_type, stock, is_active, created_by_credential_id,
       created_at, updated_at)
     select $1, n, ('${linkPages}' || n)::uuid, $4, 'Link ' || n, 'open', case n when 2 then 1000 end, true, $2, at, at
     from made where n <= 2`,
  },
  {
    table: "deposit",
    text: `insert into deposit (account_id, id, wallet_id, status, state, wallet_type, wallet_currency, currency, chain, address,
       address_type, label, tracking_id, confirmations_needed, time_limit, expires_at, expiry_concluded_at, payment_page_id, inaccuracy,
       target_amount_requested, rate, rate_exp, source_amount_requested, target_paid, source_paid, enrolled, commission,
       source_commission, payment_link_id, created_by_credential_id, created_at, updated_at)
     select $1, n, case when merchant then $4 else $5 end, case when paid then 3 when merchant then 4 else 2 end,
       case when paid then 'paid' when merchant then 'expired' else 'new' end, case when merchant then 1 else 2 end,
       case when merchant then '840' else '1002' end, case when merchant then '1000' else '1002' end,
       case when merchant then 'BTC' else 'ETH' end, 'addr' || substr(key, 1, 38), case when merchant then 'bech32' else '' end,
       'Order ' || n, 'shop-' || n % 97 || '/order-' || n, case when n % 50 = 0 then 3 end, case when merchant then 3600 end,
       case when merchant then at + interval '1 hour' end, case when merchant then at + interval '2 hours' end,
       md5(n::text)::uuid, case when n % 20 = 0 then 50 end, case when merchant then 1000 + n % 50000 end,
       case when merchant then 600000000 end, case when merchant then 4 end, case when merchant then 100000 + n % 50000 end,
       case when paid then 1000 + n % 50000 else 0 end, case when paid then 100000 + n % 50000 else 0 end,
       case when paid then 990 + n % 50000 else 0 end, case when paid then 10 else 0 end, case when paid then 100 else 0 end,
       case when merchant then n % 2 + 1 end, $2, at, at + interval '90 minutes'
     from made`,
  },
  {
    table: "address",
    text: `insert into address (keyspace, watch_key, address, address_type, key_index, derived_at, account_id, wallet_id, deposit_id, issued_at)
     select case when merchant then 'BTC' else 'evm' end, '0014' || substr(key, 1, 40), 'addr' || substr(key, 1, 38),
       case when merchant then 'bech32' else '' end, n, at, $1, case when merchant then $4 else $5 end, n, at from made`,
  },
  {
    table: "transfer",
    text: `insert into transfer (account_id, id, op_type, status, wallet_id, deposit_id, currency, units, target_units, rate, rate_exp, chain,
       txid, output_index, watch_key, first_seen_at, block_height, block_hash, spendable_from_height, disposition, is_confirmed,
       confirmed_at, is_settled, created_at, updated_at)
     select $1, n, 1, 2, case when merchant then $4 else $5 end, n, case when merchant then '1000' else '1002' end,
       100000 + n % 50000, 1000, 600000000, 4, case when merchant then 'BTC' else 'ETH' end, key, 0, '0014' || substr(key, 1, 40),
       at, n / 10, key, n / 10, 'credited', true, at + interval '1 hour', true, at, at + interval '1 hour'
     from made where paid or not merchant`,
  },
  {
    table: "posting",
    text: `insert into posting (account_id, debit, credit, currency, units, cause, created_at)
     select $1, 'chain/' || currency, 'wallet/' || wallet || '/available', currency, 100000 + n % 50000, 'transfer:' || n, at
     from (select made.*, case when merchant then '1000' else '1002' end as currency, case when merchant then $4 else $5 end as wallet
           from made) as booked where paid or not merchant`,
  },
  {
    table: "holding",
    text: `insert into holding (chain, watch_key, currency, account_id, wallet_id, key_index, units, changed_at_height)
     select 'ETH', '0014' || substr(key, 1, 40), '1002', $1, $5, n, case when n % 1000 = 0 then 100000 else 0 end, n / 10
     from made where not merchant`,
  },
  {
    table: "event",
    text: `insert into event (account_id, id, seq, object_type, object_id, transfer_id, trigger, event_key, payload, created_at)
     select $1, n, n, 'deposit', n, n, case when n % 1000 = 0 then 'reversed' else 'status' end, 'deposit:' || n || ':status:1',
       jsonb_build_object('included', '[]'::jsonb, 'data', jsonb_build_object('type', 'deposit', 'id', n::text, 'attributes',
         jsonb_build_object('label', 'Order ' || n, 'address', key, 'padding', repeat(key, 8)), 'relationships',
         jsonb_build_object('wallet', jsonb_build_object('data', jsonb_build_object('type', 'wallet', 'id',
           (case when merchant then $4 else $5 end)::text))))), at
     from made`,
  },
  {
    table: "callback",
    text: `insert into callback (account_id, id, event_id, object_type, object_id, wallet_id, credential_id, url, host, webhook_id, status,
       attempts, due_at, delivered_at, created_at, updated_at)
     select $1, n, n, 'deposit', n, case when merchant then $4 else $5 end, $2, 'https://shop.example/paid', 'shop.example',
       'msg_' || n, case when n % 1000 = 0 then 'exhausted' else 'delivered' end, case when n % 1000 = 0 then 9 else 1 end, null,
       case when n % 1000 <> 0 then at + interval '1 second' end, at, at + interval '1 second'
     from made`,
  },
  {
    table: "callback_attempt",
    text: `insert into callback_attempt (account_id, callback_id, number, attempted_at, duration_ms, status_code, answer_head)
     select $1, n, 1, at, 20, 200, 'ok' from made`,
  },
  {
    table: "payout",
    text: `insert into payout (account_id, id, wallet_id, status, stage, state, wallet_type, wallet_currency, currency, chain, units, paid_units,
       fee_units, fee_currency, rate, rate_exp, charged_units, address, is_internal, label, tracking_id, travel_rule_sealed,
       created_by_credential_id, created_by_member_id, txid, is_confirmed, created_at, updated_at)
     select $1, n, $5, 2, 'confirmed', 'confirmed', 2, '1002', '1002', 'ETH', 1000 + n, 1000 + n, 21000, '1002', 1, 0, 22000 + n,
       'addr' || substr(key, 1, 38), false, 'Payout ' || n, 'pay-' || n, '', $2, 1, key, true, at, at + interval '10 minutes'
     from made where n % 20 = 0`,
  },
  {
    table: "transfer",
    text: `insert into transfer (account_id, id, op_type, status, wallet_id, payout_id, currency, units, cleared_units, fee_units, fee_currency, rate,
       rate_exp, chain, txid, first_seen_at, block_height, disposition, is_confirmed, confirmed_at, is_settled, created_at, updated_at)
     select $1, $3::bigint + n, 2, 2, $5, n, '1002', 1000 + n, 1000 + n, 21000, '1002', 1, 0, 'ETH', 'out' || key, at, n / 10, 'payout', true,
       at + interval '5 minutes', true, at, at + interval '10 minutes'
     from made where n % 20 = 0`,
  },
];

const made = `made as materialized (
  select n, ${at} as at, ${key} as key, n % 10 <> 0 as merchant, n % 10 <> 0 and n % 2 = 0 as paid
  from generate_series($6::bigint, $7::bigint) as n
  where ($1::bigint, $2::bigint, $4::bigint, $5::bigint) is not null)`;

/** Rows per statement, so that no transaction gets large. */
const portion = 500_000;

/** Fills an empty deployment's tables as after `deposits` deposits, as the service would have left them; then vacuums and analyzes. */
export async function fillGrowth(
  { sql }: BenchSite,
  url: string,
  { accountId, credentialId, merchantId, enterpriseId }: GrowthOwner,
  deposits: number,
): Promise<void> {
  for (const { text } of statements)
    for (let first = 1; first <= deposits; first += portion) {
      const last = Math.min(deposits, first + portion - 1);
      const owner = [accountId, credentialId, deposits, merchantId, enterpriseId];
      await sql(url, text.replace(/^insert/, `with ${made} insert`), [...owner, first, last]);
    }
  for (const table of new Set(statements.map((filled) => filled.table)))
    await sql(url, `vacuum analyze ${table}`);
  for (const table of ["deposit", "transfer", "event", "callback", "payout"])
    await sql(url, `select setval(pg_get_serial_sequence('${table}', 'id'), 3 * $1::bigint)`, [
      deposits,
    ]);
  await sql(url, "insert into event_feed (account_id, last_seq) values ($1, $2)", [
    accountId,
    deposits,
  ]);
  for (const chain of ["BTC", "ETH"])
    await sql(
      url,
      `insert into chain_cursor (chain, network, height, hash, block_time, updated_at)
       values ($1, 'bench', $2::bigint / 10 + 1, 'tip', timestamptz '2026-11-01', timestamptz '2026-11-01')
       on conflict (chain) do nothing`,
      [chain, deposits],
    );
}
