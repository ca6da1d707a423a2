import { type Executor, statement } from "../../platform/db/database.ts";
import type { SearchText } from "./read-search-text.ts";
import { hitsMax, type SearchHit } from "./search-hit.ts";

/** $1 account, $2 wallets or null, $3 id, $4 page, $5 txids, $6 chains, $7 prefix, $8 the end of the prefix's range. */
function branch(
  type: SearchHit["objectType"],
  matched: SearchHit["matched"],
  rank: number,
  value: string,
  from: string,
): string {
  return `(select ${rank} as rank, '${type}' as object_type, o.id as object_id, o.wallet_id, '${matched}' as matched,
      (${value})::text as value, o.status::integer as status, ${type === "transfer" ? "null::text" : "o.state"} as state, o.created_at
    from ${from} and o.account_id = $1::bigint and ($2::bigint[] is null or o.wallet_id = any($2)) limit ${hitsMax})`;
}

/** Bounds rather than \`like\`, because the planner derives a range from it only when it knows the text beforehand. */
function beginning(table: "deposit" | "payout", column: string): string {
  const text = `lower(o.${column})`;
  return `${table} o where o.${column} is not null and ${text} ~>=~ $7 and ${text} ~<~ $8`;
}

const byTxid = "from transfer t where t.chain = any($6::text[]) and t.txid = any($5::text[])";

const search = statement<SearchHit>(
  "search.find",
  `select object_type as "objectType", object_id as "objectId", wallet_id as "walletId", matched, value, status, state,
     created_at as "createdAt"
   from (
     select distinct on (object_type, object_id) * from (
       ${[
         ...(["deposit", "payout", "transfer"] as const).map((type) =>
           branch(type, "id", 1, "o.id", `${type} o where o.id = $3::bigint`),
         ),
         branch(
           "deposit",
           "page",
           2,
           "o.payment_page_id",
           "deposit o where o.payment_page_id = $4::uuid",
         ),
         branch(
           "transfer",
           "txid",
           3,
           "o.txid",
           "transfer o where o.chain = any($6::text[]) and o.txid = any($5::text[])",
         ),
         branch(
           "deposit",
           "txid",
           4,
           "($5::text[])[1]",
           `deposit o where (o.account_id, o.id) in (select t.account_id, t.deposit_id ${byTxid})`,
         ),
         branch(
           "payout",
           "txid",
           4,
           "o.txid",
           `payout o where (o.account_id, o.id) in (select t.account_id, t.payout_id ${byTxid})`,
         ),
         ...(["deposit", "payout"] as const).flatMap((type) => [
           branch(type, "tracking_id", 5, "o.tracking_id", beginning(type, "tracking_id")),
           branch(type, "label", 6, "o.label", beginning(type, "label")),
           branch(type, "address", 7, "o.address", beginning(type, "address")),
         ]),
       ].join("\n       union all ")}
     ) found order by object_type, object_id, rank
   ) best order by rank, created_at desc, object_type, object_id limit ${hitsMax}`,
);

/** $1 id, $2 txids, $3 tag or address. */
function receiptBranch(
  matched: SearchHit["matched"],
  rank: number,
  value: string,
  found: string,
): string {
  return `(select ${rank} as rank, u.id, '${matched}' as matched, (${value})::text as value, u.account_id, u.payout_id, u.state, u.created_at
    from unattributed u where ${found} limit ${hitsMax})`;
}

const searchReceipts = statement<SearchHit>(
  "search.find-receipts",
  `select 'unattributed' as "objectType", id as "objectId", null::bigint as "walletId", matched, value, null::integer as status,
     case when state = 'returning' and exists (
       select from payout p
       where p.account_id = best.account_id and p.id = best.payout_id and p.stage in ('confirmed', 'internal'))
     then 'returned' else state end as state, created_at as "createdAt"
   from (
     select distinct on (id) * from (
       ${[
         receiptBranch("id", 1, "u.id", "u.id = $1::bigint"),
         receiptBranch("txid", 2, "u.txid", "u.txid = any($2::text[])"),
         receiptBranch("tag", 3, "u.tag", "u.tag = $3::text"),
         receiptBranch("from_address", 4, "$3", "u.from_addresses @> array[$3::text]"),
       ].join("\n       union all ")}
     ) found order by id, rank
   ) best order by rank, created_at desc, id limit ${hitsMax}`,
);

/** At most \`hitsMax\` payments under no deposit's tag, best first; for operators of the deployment. */
export function searchReceiptRows(db: Executor, text: SearchText): Promise<readonly SearchHit[]> {
  return db.query(searchReceipts, [text.id, text.txids, text.exact]);
}

/** The end of the range of texts with a prefix: no character sorts higher. */
const lastCharacter = "\u{10ffff}";

/** At most `hitsMax` hits in the account, best first; `wallets` null: in all its wallets. */
export function searchRows(
  db: Executor,
  accountId: string,
  wallets: readonly string[] | null,
  text: SearchText,
  chains: readonly string[],
): Promise<readonly SearchHit[]> {
  return db.query(search, [
    ...[accountId, wallets, text.id, text.page, text.txids, chains],
    ...[text.prefix, `${text.prefix}${lastCharacter}`],
  ]);
}
