import { depositDefinition, depositResource } from "../../deposits/deposit-resource.ts";
import { acceptDeposit, assertMayChange } from "../../deposits/payments/change-deposit.ts";
import { createReadDeposit } from "../../deposits/read-deposits.ts";
import {
  findSurplusFunds,
  findUnresolvedFunds,
  type Refundable,
} from "../../deposits/resolve/refundable.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { defineDocument } from "../../platform/resources/define-document.ts";
import { calculationDefinition } from "../payouts/payout-calculation.ts";
import { type ApiRequest, actionRouteWithFaults, type Route } from "../server/route.ts";
import { readKey } from "./idempotency-key.ts";
import {
  createRefundPayout,
  incomingRefund,
  quoteRefundPayout,
  type RefundRequestContext,
  refundFields,
  refundKeyHeader,
} from "./refund-request.ts";

const keptAmount = {
  kind: "Decimal",
  min: 0,
  maxLength: 36,
  description:
    "Of partial: the amount to keep, in the wallet's currency. Default: the missing part of target_amount_requested.",
} as const;

const resolutionDocument = defineDocument({
  type: "deposit",
  fields: {
    action: {
      kind: "Choice",
      required: true,
      choices: [
        { value: "accept", name: "Accept: credit the funds on hold; the deposit becomes Paid" },
        { value: "refund", name: "Refund: refund the funds on hold" },
        { value: "partial", name: "Partial: accept a part and refund the rest" },
      ],
    },
    amount: keptAmount,
    ...refundFields,
  },
});

const quoteDocument = defineDocument({
  type: "payout-calculation",
  fields: {
    action: {
      kind: "Choice",
      required: true,
      choices: [
        { value: "refund", name: "Quote a full refund" },
        { value: "partial", name: "Quote the refund of the part that is not kept" },
      ],
    },
    amount: keptAmount,
    to_address: { kind: "String", maxLength: 128, required: true },
    tag: { kind: "String", maxLength: 64 },
    tag_type: { kind: "String", maxLength: 64 },
  },
});

type Context = RefundRequestContext & { readonly deposits: { readonly clock: Clock } };

/** `POST /deposit/{id}/resolve/` and its quote: accepts or refunds the funds on hold in an Unresolved deposit. */
export function depositResolveRoutes(context: Context): readonly Route[] {
  return [resolveRoute(context), quoteRoute(context)];
}

function resolveRoute(context: Context): Route {
  const { deposits } = context;
  const readDeposit = createReadDeposit(deposits.db);
  return actionRouteWithFaults({
    path: "/deposit/{id}/resolve/",
    summary: "Resolve an Unresolved deposit",
    description:
      "accept credits the funds on hold. refund sends them to an address with a payout, named by `meta.payout_id`. partial credits the missing part of the requested amount, or `amount`, and refunds the rest.",
    resource: depositDefinition,
    document: resolutionDocument,
    assertAllowed: assertMayChange,
    requestHeaders: [refundKeyHeader],
    act: async (request, reading) => {
      const { principal, id } = request;
      const { action } = reading.values;
      if (action !== "refund" && action !== "partial") {
        const [first, ...others] = reading.faults;
        if (first !== undefined) throw new Rejected(first, ...others);
        const accepted = await acceptDeposit(deposits, principal, id);
        return accepted === null
          ? null
          : { data: depositResource(accepted, deposits.currencies, deposits) };
      }
      readKey(request);
      const money = await findMoney(context, request, reading.values);
      if (money === null) return null;
      const address = reading.values.address ?? null;
      const payoutId = await createRefundPayout(context.payouts, request, money, reading, {
        incoming: incomingRefund(deposits, money),
        subject: `deposit ${id}`,
        address,
        isRiskAccepted: false,
      });
      const deposit = present(await readDeposit(principal, id), `deposit ${id}`);
      return {
        data: depositResource(deposit, deposits.currencies, deposits),
        meta: { payout_id: payoutId },
      };
    },
  });
}

function quoteRoute(context: Context): Route {
  return actionRouteWithFaults({
    path: "/deposit/{id}/resolve/calculate/",
    summary: "Calculate the fees of refunding an Unresolved deposit",
    description:
      "Like /payout/calculate/, but the wallet needs no balance. meta.amount is the refunded amount before the fee.",
    resource: calculationDefinition,
    document: quoteDocument,
    throttle: "calculate",
    act: async (request, reading) => {
      const money = await findMoney(context, request, reading.values);
      if (money === null) return null;
      return quoteRefundPayout(context, request, money, {
        faults: reading.faults,
        toAddress: reading.values.to_address ?? "",
        tag: reading.values.tag ?? null,
        tagType: reading.values.tag_type ?? null,
      });
    },
  });
}

/** The funds that an action concerns; `amount` applies to partial acceptance only. Null: the account has no such deposit. */
async function findMoney(
  { deposits }: Context,
  { principal, id }: Pick<ApiRequest, "principal" | "id">,
  values: { readonly action?: string | null; readonly amount?: string | null },
): Promise<Refundable | null> {
  if (values.action !== "partial") return findUnresolvedFunds(deposits.db, principal, id);
  const deposit = await createReadDeposit(deposits.db)(principal, id);
  if (deposit === null) return null;
  const { exp, alpha } = deposits.currencies.get(deposit.walletCurrency);
  const amount = values.amount ?? null;
  const parsed = amount === null ? null : parseDecimal(amount, exp);
  if (parsed?.kind === "excessDigits") {
    reject("invalidValue", `${alpha} has at most ${exp} digits after the decimal point.`, {
      pointer: "/data/attributes/amount",
    });
  }
  const keepUnits = parsed?.kind === "units" ? parsed.units : null;
  return findSurplusFunds(deposits, principal, id, keepUnits);
}
