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
  type PayBackContext,
  payBackFields,
  payBackKeyHeader,
  payMoneyBack,
  quoteOf,
} from "./refund-request.ts";

const keptAmount = {
  kind: "Decimal",
  min: 0,
  maxLength: 36,
  description:
    "Of partial: how much is kept, in the wallet's currency. Default: what is missing of target_amount_requested.",
} as const;

const resolutionDocument = defineDocument({
  type: "deposit",
  fields: {
    action: {
      kind: "Choice",
      required: true,
      choices: [
        { value: "accept", name: "Accept: the deposit becomes Paid" },
        { value: "refund", name: "Refund: what waited is paid back" },
        { value: "partial", name: "Partial: a part is accepted, the rest is paid back" },
      ],
    },
    amount: keptAmount,
    ...payBackFields,
  },
});

const quoteDocument = defineDocument({
  type: "payout-calculation",
  fields: {
    action: {
      kind: "Choice",
      required: true,
      choices: [
        { value: "refund", name: "Of paying back all that waited" },
        { value: "partial", name: "Of paying back what is not kept" },
      ],
    },
    amount: keptAmount,
    to_address: { kind: "String", maxLength: 128, required: true },
  },
});

type Context = PayBackContext & { readonly deposits: { readonly clock: Clock } };

/** `POST /deposit/{id}/resolve/`: what becomes of an Unresolved deposit's money, and what that would cost. */
export function depositResolveRoutes(context: Context): readonly Route[] {
  return [resolveRoute(context), quoteRoute(context)];
}

function resolveRoute(context: Context): Route {
  const { deposits } = context;
  const readDeposit = createReadDeposit(deposits.db);
  return actionRouteWithFaults({
    path: "/deposit/{id}/resolve/",
    summary: "Settle an Unresolved deposit",
    description:
      "accept credits what waited; refund pays it back to an address by a payout, which `meta.payout_id` names; partial credits as much as was asked for, or `amount`, and pays the rest back.",
    resource: depositDefinition,
    document: resolutionDocument,
    assertAllowed: assertMayChange,
    requestHeaders: [payBackKeyHeader],
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
      const payoutId = await payMoneyBack(context, request, money, reading, {
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
    summary: "Calculate the fees of paying an Unresolved deposit back",
    description:
      "As /payout/calculate/, for money that the wallet does not have yet. meta.amount is what goes back, before the fee.",
    resource: calculationDefinition,
    document: quoteDocument,
    throttle: "calculate",
    act: async (request, reading) => {
      const money = await findMoney(context, request, reading.values);
      if (money === null) return null;
      return quoteOf(context, request, money, {
        faults: reading.faults,
        toAddress: reading.values.to_address ?? "",
      });
    },
  });
}

/** The money that an action is about; `amount` counts only where a part is kept. Null: there is no such deposit. */
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
    reject("invalidValue", `${alpha} has ${exp} digits after the decimal separator.`, {
      pointer: "/data/attributes/amount",
    });
  }
  const keepUnits = parsed?.kind === "units" ? parsed.units : null;
  return findSurplusFunds(deposits, principal, id, keepUnits);
}
