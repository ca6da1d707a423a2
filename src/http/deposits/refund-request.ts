import { createHash } from "node:crypto";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { DepositContext } from "../../deposits/payments/reconsider.ts";
import { refund } from "../../deposits/resolve/refund.ts";
import type { Refundable } from "../../deposits/resolve/refundable.ts";
import { calculationResource } from "../../payouts/create/calculation-resource.ts";
import {
  createRefund,
  quoteRefund,
  type RefundOrder,
  type RefundReceiver,
} from "../../payouts/create/create-refund.ts";
import type { IncomingFunds } from "../../payouts/create/incoming-funds.ts";
import { readTravelRuleField } from "../../payouts/travel-rule/read-travel-rule.ts";
import { travelRuleSchema } from "../../payouts/travel-rule/travel-rule-schema.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { pointerOf, Rejected, type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import type {
  DocumentDefinition,
  DocumentReading,
} from "../../platform/resources/define-document.ts";
import type { PayoutCreateContext } from "../payouts/payout-create.ts";
import type { ApiRequest, HeaderDescription } from "../server/route.ts";
import { keyHeader, readKey } from "./idempotency-key.ts";

export type RefundRequestContext = {
  readonly deposits: DepositContext & {
    readonly db: Database;
    readonly currencies: CurrencyRegistry;
  };
  readonly payouts: PayoutCreateContext;
};

/** The fields of a refund's payout, with the rules of `POST /payout/`. */
export const refundFields = {
  address: { kind: "String", maxLength: 128, description: "Refund address." },
  tag: { kind: "String", maxLength: 64 },
  tag_type: { kind: "String", maxLength: 64 },
  fee_amount: {
    kind: "Decimal",
    min: 0,
    maxLength: 36,
    description:
      "Network fee, as quoted by this route's `calculate/`. It is deducted from the refund, except for tokens.",
  },
  callback_url: { kind: "URL", maxLength: 256, description: "For callbacks about the payout." },
  travel_rule_info: {
    kind: "Field",
    schema: travelRuleSchema,
    checksTexts: true,
    description: "The receiver of the funds.",
  },
} as const satisfies DocumentDefinition["fields"];

export const refundKeyHeader: HeaderDescription = {
  name: keyHeader,
  required: false,
  description: "A UUIDv4 with hyphens, required for refunds; a key can be used only once.",
};

type Reading = DocumentReading<{
  readonly type: string;
  readonly fields: typeof refundFields;
}>;

/** Funds that a payout of this wallet sends back. */
type SentBack = Pick<Refundable, "walletId" | "currency" | "units" | "obstacle">;

/** A deposit's funds, settled by the payout that refunds them. */
export function incomingRefund(
  deposits: DepositContext,
  money: Refundable,
): Omit<IncomingFunds, "units" | "audits"> {
  return {
    depositId: money.depositId,
    lock: () => Promise.resolve(),
    credit: (tx, by, now) => refund(tx, deposits, money, by, now),
  };
}

/** Creates the payout that pays `money` back and settles it in one transaction. Returns the payout's id. */
export async function createRefundPayout(
  payouts: PayoutCreateContext,
  request: ApiRequest,
  money: SentBack,
  reading: Pick<Reading, "values" | "faults" | "fingerprint">,
  {
    subject,
    incoming,
    audits = () => [],
    ...choice
  }: Pick<RefundOrder, "address" | "isRiskAccepted"> & {
    readonly incoming: Omit<IncomingFunds, "units" | "audits">;
    readonly audits?: IncomingFunds["audits"];
    /** The refunded object; part of the fingerprint that identifies a repeated request. */
    readonly subject: string;
  },
): Promise<string> {
  const { values } = reading;
  const travelRule = readTravelRuleField(values.travel_rule_info ?? null);
  const { payout } = await createRefund(payouts, request.principal, {
    ...choice,
    incoming: { ...incoming, units: money.units, audits },
    walletId: money.walletId,
    currencyId: money.currency,
    tag: values.tag ?? null,
    tagType: values.tag_type ?? null,
    feeAmount: values.fee_amount ?? null,
    callbackUrl: values.callback_url ?? null,
    travelRule: travelRule.info,
    faults: [
      ...(money.obstacle === null ? [] : [rejection("invalidValue", money.obstacle)]),
      ...reading.faults,
      ...travelRule.faults,
      ...addressFaults(choice.address, reading.faults),
    ],
    idempotencyKey: readKey(request),
    fingerprint: fingerprintOf(subject, reading.fingerprint),
  });
  return payout.id;
}

/** Quotes the refund of `money`: its fees and its amount. */
export async function quoteRefundPayout(
  {
    deposits,
    payouts,
  }: {
    readonly deposits: { readonly currencies: CurrencyRegistry };
    readonly payouts: PayoutCreateContext;
  },
  { principal }: Pick<ApiRequest, "principal">,
  money: SentBack,
  { faults: ofRequest, ...receiver }: RefundReceiver & { readonly faults: readonly Rejection[] },
) {
  const faults = [
    ...(money.obstacle === null ? [] : [rejection("invalidValue", money.obstacle)]),
    ...ofRequest,
  ];
  const [first, ...others] = faults;
  if (first !== undefined) throw new Rejected(first, ...others);
  const currency = deposits.currencies.get(
    present(money.currency, "the currency of refundable funds"),
  );
  const calculation = await quoteRefund(payouts, principal, {
    walletId: money.walletId,
    currency,
    units: money.units,
    ...receiver,
  });
  return {
    data: calculationResource(calculation, deposits.currencies),
    meta: {
      amount: formatDecimal(money.units, currency.exp),
      currency: currency.id as string,
      needs_travel_rule: calculation.needsTravelRule,
      travel_rule_from:
        calculation.travelRuleFromUnits === null
          ? null
          : formatDecimal(calculation.travelRuleFromUnits, currency.exp),
    },
  };
}

function addressFaults(address: string | null, faults: Reading["faults"]) {
  const source = { pointer: "/data/attributes/address" };
  const isNamed = faults.some((fault) => pointerOf(fault) === source.pointer);
  if (address !== null || isNamed) return [];
  return [rejection("invalidValue", "Enter the refund address.", source)];
}

/** The same body for another object is a different request. */
function fingerprintOf(subject: string, document: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(`${subject}\n`).update(document).digest());
}
