import type { WalletStatus, WalletType } from "../../accounts/wallets/wallet.ts";
import type { PayeeAddressing } from "../../chains/port.ts";
import { answersByPlace } from "../../platform/db/answers-by-place.ts";
import { type Database, statement } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { InternalDestination } from "./internal-target.ts";

export type DestinationQuestion = {
  readonly accountId: string;
  readonly chain: string | null;
  /** An address (in its chain's keyspace), a deposit by its payment page, or a wallet of the account. */
  readonly payee:
    | {
        readonly kind: "address";
        readonly keyspace: string | null;
        readonly watchKey: string;
        /** In its canonical spelling. */
        readonly address: string;
        readonly tag: string | null;
      }
    | { readonly kind: "deposit"; readonly paymentPageId: string }
    | { readonly kind: "wallet"; readonly walletId: string }
    | { readonly kind: "none" };
};

export type DestinationFacts = {
  /** Our deposit (its address in the canonical spelling), wallet or reserved address; null for any other destination. */
  readonly internal: InternalDestination | null;
  /** Whether the account is restricted to allowlisted addresses. */
  readonly isAllowlistOnly: boolean;
  readonly isAllowlisted: boolean;
};

/** Looks up a destination among our own deposits, wallets and addresses; concurrent questions share a statement. */
export type FindInternalDestination = (question: DestinationQuestion) => Promise<DestinationFacts>;

/** `findPayeeAddressing` is null for chains whose addresses this deployment cannot parse; their spelling stays. */
export function createFindInternalDestination(
  db: Database,
  findPayeeAddressing: (chain: string) => PayeeAddressing | null,
): FindInternalDestination {
  return microBatch(
    async (questions) => {
      const parts = questions.map(({ payee }) => partsOf(payee));
      const found = await db.query(find, [
        questions.map(({ accountId }) => accountId),
        questions.map(({ chain }) => chain),
        parts.map(({ keyspace }) => keyspace),
        parts.map(({ watchKey }) => watchKey),
        parts.map(({ address }) => address),
        parts.map(({ tag }) => tag),
        parts.map(({ paymentPageId }) => paymentPageId),
        parts.map(({ walletId }) => walletId),
      ]);
      const rows = found.map((row) => inCanonicalSpelling(row, findPayeeAddressing));
      const listed = await listedDeposits(db, questions, rows);
      return answersByPlace(questions, rows, (row) =>
        factsFromRow(present(row, "facts of a destination"), listed),
      );
    },
    { slots: 2, maxSize: 128 },
  );
}

type Row = {
  readonly place: string;
  readonly is_reserved: boolean;
  readonly deposit_account_id: string;
  readonly deposit_wallet_id: string;
  readonly deposit_id: string | null;
  readonly payment_page_id: string;
  readonly deposit_currency: string | null;
  readonly deposit_chain: string | null;
  readonly deposit_address: string | null;
  readonly deposit_address_type: string;
  readonly deposit_tag: string | null;
  readonly wallet_account_id: string;
  readonly wallet_id: string | null;
  readonly wallet_type: number;
  readonly wallet_status: number;
  readonly wallet_currency: string;
  readonly pays_book_only: boolean;
  readonly is_in_book: boolean;
};

const find = statement<Row>(
  "own-destination.find",
  `select input.place, t.watch_key is not null or (a.watch_key is not null and a.deposit_id is null)
       or (a.watch_key is null and exists (select from treasury_address o where o.keyspace = input.keyspace
         and o.address_type = '' and o.purpose = 'hot' and o.key_index = 0 and o.address = input.address)) as is_reserved,
     d.account_id as deposit_account_id, d.wallet_id as deposit_wallet_id, d.id as deposit_id, d.payment_page_id,
     d.currency as deposit_currency, d.chain as deposit_chain, d.address as deposit_address,
     d.address_type as deposit_address_type, d.tag as deposit_tag,
     w.account_id as wallet_account_id, w.id as wallet_id, w.type as wallet_type, w.status as wallet_status,
     w.currency as wallet_currency,
     account.pays_book_only,
     exists (select from address_book k where k.account_id = input.account_id and k.chain = input.chain
       and k.address = input.address and k.tag is not distinct from coalesce(input.tag, d.tag)) as is_in_book
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::bigint[])
     with ordinality as input (account_id, chain, keyspace, watch_key, address, tag, payment_page_id, wallet_id, place)
   join account on account.id = input.account_id
   left join address a on a.keyspace = input.keyspace and a.watch_key = input.watch_key
   left join treasury_address t on t.keyspace = input.keyspace and t.watch_key = input.watch_key
   left join lateral (
     select * from deposit where deposit.account_id = a.account_id and deposit.id = a.deposit_id
     union all
     select * from deposit where deposit.payment_page_id = input.payment_page_id
     limit 1) as d on true
   left join wallet w on w.account_id = input.account_id and w.id = input.wallet_id`,
);

/**
 * A deposit keeps the address as it shows it (an X-address, a legacy address); the allowlist, and payouts, name every destination in one
 * spelling.
 */
function inCanonicalSpelling(
  row: Row,
  findPayeeAddressing: (chain: string) => PayeeAddressing | null,
): Row {
  const { deposit_chain: chain, deposit_address: address, deposit_tag: tag } = row;
  if (row.deposit_id === null || chain === null || address === null) return row;
  const meant = findPayeeAddressing(chain)?.parse(address, tag) ?? null;
  if (meant === null) return row;
  return {
    ...row,
    deposit_address: meant.address,
    deposit_address_type: meant.addressType ?? "",
    deposit_tag: meant.tag,
  };
}

const findListed = statement<{ readonly place: string }>(
  "own-destination.find-listed",
  `select input.place from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
     as input (place, account_id, chain, address, tag)
   where exists (select from address_book k where k.account_id = input.account_id and k.chain = input.chain
     and k.address = input.address and k.tag is not distinct from input.tag)`,
);

/** The places of those questions about a deposit, by accounts that pay allowlisted addresses only, whose address is allowlisted. */
async function listedDeposits(
  db: Database,
  questions: readonly DestinationQuestion[],
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  const asked = rows.flatMap((row) => {
    const question = questions[Number(row.place) - 1];
    const isAsked = question?.payee.kind === "deposit" && row.pays_book_only;
    return isAsked && row.deposit_address !== null ? [{ row, question }] : [];
  });
  if (asked.length === 0) return new Set();
  const found = await db.query(findListed, [
    asked.map(({ row }) => row.place),
    asked.map(({ question }) => question.accountId),
    asked.map(({ question }) => question.chain),
    asked.map(({ row }) => row.deposit_address),
    asked.map(({ row }) => row.deposit_tag),
  ]);
  return new Set(found.map(({ place }) => place));
}

function partsOf(payee: DestinationQuestion["payee"]) {
  const none = { keyspace: null, watchKey: null, address: null, tag: null };
  switch (payee.kind) {
    case "address":
      return { ...payee, paymentPageId: null, walletId: null };
    case "deposit":
      return { ...none, paymentPageId: payee.paymentPageId, walletId: null };
    case "wallet":
      return { ...none, paymentPageId: null, walletId: payee.walletId };
    case "none":
      return { ...none, paymentPageId: null, walletId: null };
  }
}

function factsFromRow(row: Row, listed: ReadonlySet<string>): DestinationFacts {
  return {
    internal: destinationFromRow(row),
    isAllowlistOnly: row.pays_book_only,
    isAllowlisted: row.is_in_book || listed.has(row.place),
  };
}

function destinationFromRow(row: Row): InternalDestination | null {
  if (row.deposit_id !== null) {
    return {
      kind: "deposit",
      accountId: row.deposit_account_id,
      walletId: row.deposit_wallet_id,
      depositId: row.deposit_id,
      paymentPageId: row.payment_page_id,
      currency: row.deposit_currency as CurrencyId | null,
      chain: row.deposit_chain,
      address: row.deposit_address,
      addressType: row.deposit_address_type,
      tag: row.deposit_tag,
    };
  }
  if (row.wallet_id !== null) {
    return {
      kind: "wallet",
      accountId: row.wallet_account_id,
      walletId: row.wallet_id,
      walletType: row.wallet_type as WalletType,
      walletStatus: row.wallet_status as WalletStatus,
      currency: row.wallet_currency as CurrencyId,
    };
  }
  return row.is_reserved ? { kind: "reserved" } : null;
}
