import { mayView, type Principal } from "../../accounts/principal.ts";
import type { Currency } from "../../currencies/currency.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { multiplyByRate, type Rate, rateOfOne } from "../../platform/kernel/rate.ts";
import { pointerOf, Rejected, type Rejection, reject } from "../../platform/kernel/rejection.ts";
import { readLimitUsage } from "../approve/limits.ts";
import { pauseFaults } from "../controls/pause.ts";
import { type Calculation, calculatePayout } from "../create/calculate.ts";
import type { CreatePayoutContext } from "../create/create-payout.ts";
import { walletFaults } from "../create/decide-new-payout.ts";
import type { PayoutFacts } from "../create/facts.store.ts";
import { at } from "../payout-documents.ts";
import { readTravelRuleField } from "../travel-rule/read-travel-rule.ts";
import { travelRuleFrom } from "../travel-rule/travel-rule.ts";
import type { BatchRow, RowFault } from "./read-batch-rows.ts";

export type BatchContext = CreatePayoutContext & { readonly db: Database; readonly clock: Clock };

/** The network fee that all payouts of a batch offer, of those that a calculation quotes. */
export type FeeSpeed = "low" | "medium" | "high";

export const feeSpeeds = [
  { value: "low", name: "slow and cheap" },
  { value: "medium", name: "standard" },
  { value: "high", name: "fast" },
] as const;

/** Where the payouts of a batch come from. */
export type BatchSource = {
  readonly walletId: string;
  readonly currencyId: string;
  readonly speed: FeeSpeed;
};

/** What a row would cost now; `calculation` null if it can't be paid. */
export type QuotedRow = {
  readonly row: BatchRow;
  /** In the payment currency; 0 if the amount can't be read. */
  readonly units: bigint;
  readonly calculation: Calculation | null;
  readonly feeUnits: bigint;
};

export type BatchQuote = {
  readonly rows: readonly QuotedRow[];
  readonly faults: readonly RowFault[];
  /** Those of the rows themselves, without what refuses every payout of the wallet. */
  readonly ownFaults: readonly RowFault[];
  /** Why no payout can be created now, whatever the rows say: the wallet's own faults, and pauses of payouts. */
  readonly refusals: readonly Rejection[];
  readonly totalUnits: bigint;
  readonly commissionUnits: bigint;
  /** In the chain's coin. */
  readonly feeUnits: bigint;
  /** Whether the wallet's balance pays all rows, and the wallet of the coin a token's fees. */
  readonly isCovered: boolean;
  /** One approval is needed: by the caller's role, or because the total exceeds a limit. */
  readonly needsApproval: boolean;
  /** Whether the total exceeds a limit. */
  readonly isAboveLimit: boolean;
  /** The units from which a row must name its recipient; null: every row must. */
  readonly travelRuleFromUnits: bigint | null;
};

/** Rows that ask a node for their fee at the same time. */
const atOnce = 8;

/**
 * What each row would cost now, and what is wrong with it. Writes nothing. Rejects with invalidValue for a wallet or currency that the
 * caller can't pay from.
 */
export async function quoteBatch(
  context: BatchContext,
  principal: Principal,
  source: BatchSource,
  rows: readonly BatchRow[],
): Promise<BatchQuote> {
  const { currency, facts } = await findSource(context, principal, source);
  const faults: RowFault[] = [];
  const ownFaults: RowFault[] = [];
  const origins = new Set<Rejection["origin"]>();
  const quoted: QuotedRow[] = [];
  for (let from = 0; from < rows.length; from += atOnce) {
    const part = rows.slice(from, from + atOnce);
    const answers = await Promise.all(
      part.map((row) => quoteRow(context, principal, source, currency, row)),
    );
    for (const { quoted: row, own, shared } of answers) {
      quoted.push(row);
      ownFaults.push(...own);
      faults.push(...own, ...faultsOf(row.row.number, shared));
      for (const { origin } of shared) origins.add(origin);
    }
  }
  const sum = (of: (row: QuotedRow) => bigint): bigint =>
    quoted.reduce((all, row) => all + of(row), 0n);
  const totalUnits = sum(({ units }) => units);
  const commissionUnits = sum(({ calculation }) => calculation?.commission.units ?? 0n);
  const feeUnits = sum((row) => row.feeUnits);
  const cost = totalUnits + commissionUnits;
  const rate = await findWalletRate(context, facts, currency);
  const terms = {
    accountId: principal.accountId,
    walletId: source.walletId,
    currency: currency.id,
    units: totalUnits,
  };
  const usage = await readLimitUsage(
    context.db,
    [{ terms, limits: facts.limits }],
    context.clock.now(),
  );
  const isAboveLimit = usage.isExceeded(terms, facts.limits);
  return {
    rows: quoted,
    faults,
    ownFaults,
    refusals: refusalsOf(principal, source, currency, facts, origins.has("chainPause")),
    totalUnits,
    commissionUnits,
    feeUnits,
    isCovered: isCovered(context, { facts, currency, rate, cost, feeUnits }),
    travelRuleFromUnits: travelRuleFrom(
      context.travelRuleThresholds,
      facts.travelRuleFrom,
      currency.id,
    ),
    needsApproval: principal.role === "withdrawals_with_approval" || isAboveLimit,
    isAboveLimit,
  };
}

/** The currency, and the facts of the wallet and currency. */
async function findSource(
  { currencies, readFacts }: BatchContext,
  principal: Principal,
  { walletId, currencyId }: BatchSource,
): Promise<{ readonly currency: Currency; readonly facts: PayoutFacts }> {
  const currency = currencies.find(currencyId);
  if (currency === null) reject("invalidValue", "There is no such currency.", at.currency);
  const isVisible = isObjectId(walletId) && mayView(principal, walletId);
  const facts = await readFacts({
    accountId: principal.accountId,
    key: null,
    trackingId: null,
    walletId: isVisible ? walletId : null,
    currency,
  });
  if (facts.wallet === null) reject("invalidValue", "There is no such wallet.", at.wallet);
  return { currency, facts };
}

/** As the creation of one payout refuses it. The node's pause counts only if a row meets it: payouts inside the service do not need the node. */
function refusalsOf(
  principal: Principal,
  { walletId }: BatchSource,
  currency: Currency,
  facts: PayoutFacts,
  isChainPauseMet: boolean,
): readonly Rejection[] {
  const kind = isChainPauseMet ? "chain" : "internal";
  return [
    ...walletFaults({ principal, facts, request: { wallet: walletId } }),
    ...pauseFaults("payoutsBlocked", facts.pauses, currency, { kind }),
  ];
}

/** A row, what is wrong with it itself, and what refuses every payout like it. */
type RowAnswer = {
  readonly quoted: QuotedRow;
  readonly own: readonly RowFault[];
  readonly shared: readonly Rejection[];
};

async function quoteRow(
  context: BatchContext,
  principal: Principal,
  { walletId, currencyId, speed }: BatchSource,
  currency: Currency,
  row: BatchRow,
): Promise<RowAnswer> {
  const parsed = parseDecimal(row.amount, currency.exp);
  const units = parsed.kind === "units" && parsed.units > 0n ? parsed.units : 0n;
  const recipient = readTravelRuleField(row.travelRule);
  const faults = recipient.faults.map(({ detail, source }) => ({
    row: row.number,
    column: recipientColumn(pointerOf(source === undefined ? {} : { source })),
    detail,
  }));
  const quoted = { row, units, calculation: null, feeUnits: 0n };
  if (/^\d+,\d+$/.test(row.amount)) {
    const detail = "Use a decimal point, for example 12.50.";
    const own = [...faults, { row: row.number, column: "amount", detail }];
    return { quoted, own, shared: [] };
  }
  try {
    const calculation = await calculatePayout(context, principal, {
      walletId,
      currencyId,
      amount: row.amount,
      toAddress: row.address,
      tag: row.tag,
      tagType: row.tagType,
    });
    if (calculation.needsTravelRule && row.travelRule === null)
      faults.push({
        row: row.number,
        column: "first_name",
        detail:
          "Recipient details are required: first_name, last_name and street, or company and street.",
      });
    const feeUnits = calculation.isInternal ? 0n : calculation.quote[speed];
    return { quoted: { row, units, calculation, feeUnits }, own: faults, shared: [] };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const isOwn = ({ origin }: Rejection): boolean => origin === undefined;
    return {
      quoted,
      own: [...faults, ...faultsOf(row.number, error.rejections.filter(isOwn))],
      shared: error.rejections.filter((one) => !isOwn(one)),
    };
  }
}

/** What is wrong with a row, by the column that holds the refused member. */
export function faultsOf(row: number, rejections: readonly Rejection[]): readonly RowFault[] {
  return rejections.map((rejection) => ({
    row,
    column: columnOf(pointerOf(rejection)),
    detail: rejection.detail,
  }));
}

function columnOf(pointer: string | null): string | null {
  const member = pointer?.replace(/^\/data\/attributes\//, "") ?? "";
  if (member === "to_address") return "address";
  if (member.startsWith("travel_rule_info")) return recipientColumn(pointer);
  return ["address", "amount", "tag", "tag_type", "label", "tracking_id"].includes(member)
    ? member
    : null;
}

const recipientColumns = [
  [/\/secondaryIdentifier$/, "first_name"],
  [/\/primaryIdentifier$/, "last_name"],
  [/\/legalPersonName$/, "company"],
  [/\/country$/, "country"],
  [/\/addressLine(?:\/\d+)?$/, "street"],
] as const;

function recipientColumn(pointer: string | null): string | null {
  return recipientColumns.find(([part]) => part.test(pointer ?? ""))?.[1] ?? null;
}

async function findWalletRate(
  { findRate, currencies }: BatchContext,
  { wallet }: PayoutFacts,
  currency: Currency,
): Promise<Rate | null> {
  if (wallet === null) return null;
  if (wallet.currency === currency.id) return rateOfOne;
  return (await findRate(currency.id, currencies.get(wallet.currency).id))?.ask ?? null;
}

function isCovered(
  { currencies, tokenFees }: BatchContext,
  sums: {
    readonly facts: PayoutFacts;
    readonly currency: Currency;
    readonly rate: Rate | null;
    readonly cost: bigint;
    readonly feeUnits: bigint;
  },
): boolean {
  const { facts, currency, rate, cost, feeUnits } = sums;
  const { wallet, coinWallet } = facts;
  if (wallet === null || rate === null) return false;
  const isToken = currency.parent !== null;
  const debited = cost + (isToken ? 0n : feeUnits);
  const { exp } = currencies.get(wallet.currency);
  if (multiplyByRate(debited, currency.exp, rate, exp, "up") > wallet.available) return false;
  return !isToken || tokenFees === "operator" || feeUnits <= (coinWallet?.available ?? 0n);
}
