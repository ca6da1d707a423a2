import type { Coin, Draft, Funds, Payment } from "../../chains/paying-port.ts";
import type { PaymentOutcome, TokenDelivery } from "../../chains/port.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId, Money } from "../../platform/kernel/money.ts";
import { formatTimestamp, formatTimestampOrNull } from "../../platform/kernel/timestamp.ts";
import type { Validity } from "../../platform/kernel/validity.ts";
import type { Attempt, AttemptState, Spend, SpendKind, SpendRequest, SpendState } from "./spend.ts";

/** A row of `spend` as PostgreSQL returns it. */
export type SpendRow = {
  readonly id: string;
  readonly chain: string;
  readonly kind: string;
  readonly state: string;
  readonly sender: string | null;
  readonly purpose: JsonObject;
  readonly request: StoredRequest | null;
  readonly fee_currency: string;
  readonly confirmations: number;
  readonly left_currency: string | null;
  readonly left_units: bigint | null;
  readonly burnt_units: bigint | null;
  readonly has_succeeded: boolean | null;
  readonly delivery: StoredDelivery | null;
  readonly payment_outcomes: readonly PaymentOutcome[] | null;
  readonly payment_deliveries: readonly (StoredDelivery & { readonly place: number })[] | null;
  /** Units as text, by currency. */
  readonly lost: Readonly<Record<string, string>> | null;
  readonly mined_attempt: number | null;
  readonly block_height: string | null;
  readonly block_hash: string | null;
  readonly due_height: string | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

export type AttemptRow = {
  readonly spend_id: string;
  readonly number: number;
  readonly chain: string;
  readonly state: string;
  readonly draft: { readonly body: JsonObject; readonly claims: readonly string[] };
  readonly fee_units: bigint;
  readonly txid: string | null;
  readonly raw: Uint8Array | null;
  readonly expires_after_height: string | null;
  readonly expires_at: Instant | null;
  readonly broadcasts: number;
  readonly refusal: string | null;
  readonly first_broadcast_at: Instant | null;
  readonly last_broadcast_at: Instant | null;
  readonly checked_at: Instant | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
};

type StoredDelivery = {
  readonly currency: string;
  readonly asked: string;
  readonly arrived: string;
  readonly left: string;
};

type StoredRequest = {
  readonly payments: readonly (Omit<Payment, "amount"> & {
    readonly currency: string;
    readonly units: string;
  })[];
  readonly funds:
    | StoredAccount
    | (Omit<Extract<Funds, { readonly kind: "coins" }>, "coins"> & {
        readonly coins: readonly (Omit<Coin, "units"> & { readonly units: string })[];
      });
};

/** Earlier versions stored, and read, only `nonce`. They may run beside this one during an upgrade. */
type StoredAccount = {
  readonly kind: "account";
  readonly address: string;
  readonly sequence?: string | null;
  readonly through?: string;
  readonly lender?: string;
  readonly nonce?: number;
};

/** Builds a spend from its row and its attempts' rows. */
export function spendFromRows(row: SpendRow, attempts: readonly AttemptRow[]): Spend {
  return {
    id: row.id,
    chain: row.chain,
    kind: row.kind as SpendKind,
    state: row.state as SpendState,
    sender: row.sender,
    purpose: row.purpose,
    request: row.request === null ? null : requestFromJson(row.request),
    feeCurrency: row.fee_currency as CurrencyId,
    confirmations: row.confirmations,
    leaves:
      row.left_currency === null || row.left_units === null
        ? null
        : { units: row.left_units, currency: row.left_currency as CurrencyId },
    inclusion: inclusionFromRow(row),
    dueHeight: row.due_height === null ? null : Number(row.due_height),
    expiredBy: expiryFromRow(row),
    attempts: attempts.map(attemptFromRow),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function inclusionFromRow(row: SpendRow): Spend["inclusion"] {
  const { mined_attempt, block_height, block_hash, burnt_units, has_succeeded } = row;
  if (mined_attempt === null || block_height === null || block_hash === null) return null;
  if (burnt_units === null || has_succeeded === null) return null;
  return {
    attempt: mined_attempt,
    height: Number(block_height),
    hash: block_hash,
    burntUnits: burnt_units,
    hasSucceeded: has_succeeded,
    delivery: row.delivery === null ? null : deliveryFromJson(row.delivery),
    ...(row.payment_outcomes === null ? {} : { payments: row.payment_outcomes }),
    ...(row.payment_deliveries === null
      ? {}
      : {
          deliveries: row.payment_deliveries.map(({ place, ...delivery }) => ({
            ...deliveryFromJson(delivery),
            place,
          })),
        }),
    lost: Object.entries(row.lost ?? {}).map(([currency, units]) => ({
      currency: currency as CurrencyId,
      units: BigInt(units),
    })),
  };
}

/** A dead spend has a block only if it expired. */
function expiryFromRow({ mined_attempt, block_height, block_hash }: SpendRow): Spend["expiredBy"] {
  if (mined_attempt !== null || block_height === null || block_hash === null) return null;
  return { height: Number(block_height), hash: block_hash };
}

function deliveryFromJson({ currency, asked, arrived, left }: StoredDelivery): TokenDelivery {
  return {
    currency: currency as CurrencyId,
    requestedUnits: BigInt(asked),
    receivedUnits: BigInt(arrived),
    sentUnits: BigInt(left),
  };
}

function lostToJson(lost: readonly Money[]): Readonly<Record<string, string>> {
  return Object.fromEntries(lost.map(({ currency, units }) => [currency, units.toString()]));
}

function deliveryToJson(delivery: TokenDelivery): StoredDelivery {
  const { currency, requestedUnits, receivedUnits, sentUnits } = delivery;
  return {
    currency,
    asked: requestedUnits.toString(),
    arrived: receivedUnits.toString(),
    left: sentUnits.toString(),
  };
}

function attemptFromRow(row: AttemptRow): Attempt {
  const draft: Draft = {
    ...row.draft,
    feeUnits: row.fee_units,
    validity: validityFromRow(row),
  };
  return {
    number: row.number,
    state: row.state as AttemptState,
    draft,
    txid: row.txid,
    raw: row.raw,
    broadcasts: row.broadcasts,
    refusal: row.refusal,
    firstBroadcastAt: row.first_broadcast_at,
    lastBroadcastAt: row.last_broadcast_at,
    checkedAt: row.checked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function validityFromRow(row: AttemptRow): Validity | null {
  if (row.expires_after_height !== null)
    return { kind: "height", last: Number(row.expires_after_height) };
  return row.expires_at === null ? null : { kind: "time", until: row.expires_at };
}

/** The row of a spend as JSON; bigints become text, which PostgreSQL reads into numeric columns. */
export function spendToRow(spend: Spend) {
  const { inclusion } = spend;
  const { delivery, lost } = inclusion ?? { delivery: null, lost: [] };
  return {
    id: spend.id,
    chain: spend.chain,
    kind: spend.kind,
    state: spend.state,
    sender: spend.sender,
    purpose: spend.purpose,
    request: spend.request === null ? null : requestToJson(spend.request),
    fee_currency: spend.feeCurrency,
    confirmations: spend.confirmations,
    left_currency: spend.leaves?.currency ?? null,
    left_units: spend.leaves?.units.toString() ?? null,
    burnt_units: inclusion?.burntUnits.toString() ?? null,
    has_succeeded: inclusion?.hasSucceeded ?? null,
    delivery: delivery === null ? null : deliveryToJson(delivery),
    payment_outcomes: inclusion?.payments ?? null,
    payment_deliveries:
      inclusion?.deliveries?.map((each) => ({ ...deliveryToJson(each), place: each.place })) ??
      null,
    lost: lost.length === 0 ? null : lostToJson(lost),
    mined_attempt: inclusion?.attempt ?? null,
    block_height: (inclusion ?? spend.expiredBy)?.height ?? null,
    block_hash: (inclusion ?? spend.expiredBy)?.hash ?? null,
    due_height: spend.dueHeight,
    created_at: formatTimestamp(spend.createdAt),
    updated_at: formatTimestamp(spend.updatedAt),
  };
}

/** The row of an attempt; amounts as text, since JSON numbers cannot hold them. */
export function attemptToRow({ id, chain }: Pick<Spend, "id" | "chain">, attempt: Attempt) {
  const { body, claims, feeUnits, validity } = attempt.draft;
  return {
    spend_id: id,
    number: attempt.number,
    chain,
    state: attempt.state,
    draft: { body, claims },
    fee_units: feeUnits.toString(),
    txid: attempt.txid,
    // PostgreSQL's text format for bytes.
    raw: attempt.raw === null ? null : `\\x${Buffer.from(attempt.raw).toString("hex")}`,
    expires_after_height: validity?.kind === "height" ? validity.last : null,
    expires_at: validity?.kind === "time" ? formatTimestamp(validity.until) : null,
    broadcasts: attempt.broadcasts,
    refusal: attempt.refusal,
    first_broadcast_at: formatTimestampOrNull(attempt.firstBroadcastAt),
    last_broadcast_at: formatTimestampOrNull(attempt.lastBroadcastAt),
    checked_at: formatTimestampOrNull(attempt.checkedAt),
    created_at: formatTimestamp(attempt.createdAt),
    updated_at: formatTimestamp(attempt.updatedAt),
  };
}

function requestToJson({ payments, funds }: SpendRequest): StoredRequest {
  return {
    payments: payments.map(({ destination, amount }) => ({
      destination,
      currency: amount.currency,
      units: amount.units.toString(),
    })),
    funds:
      funds.kind === "account"
        ? accountToJson(funds)
        : {
            ...funds,
            coins: funds.coins.map((coin) => ({ ...coin, units: coin.units.toString() })),
          },
  };
}

function requestFromJson({ payments, funds }: StoredRequest): SpendRequest {
  return {
    payments: payments.map(({ destination, currency, units }) => ({
      destination,
      amount: { units: BigInt(units), currency: currency as CurrencyId },
    })),
    funds:
      funds.kind === "account"
        ? accountFromJson(funds)
        : { ...funds, coins: funds.coins.map((coin) => ({ ...coin, units: BigInt(coin.units) })) },
  };
}

type AccountFunds = Extract<Funds, { readonly kind: "account" }>;

function accountToJson(funds: AccountFunds): StoredAccount {
  const { kind, address, sequence, through, lender } = funds;
  const last = {
    ...(through === undefined ? {} : { through: through.toString() }),
    ...(lender === undefined ? {} : { lender }),
  };
  const stored = { kind, address, sequence: sequence?.toString() ?? null, ...last };
  const nonce = Number(sequence);
  return sequence !== null && Number.isSafeInteger(nonce) ? { ...stored, nonce } : stored;
}

function accountFromJson(stored: StoredAccount): AccountFunds {
  const { kind, address, sequence, through, lender, nonce } = stored;
  const known = sequence ?? nonce ?? null;
  const last = {
    ...(through === undefined ? {} : { through: BigInt(through) }),
    ...(lender === undefined ? {} : { lender }),
  };
  return { kind, address, sequence: known === null ? null : BigInt(known), ...last };
}
