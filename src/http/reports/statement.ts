import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import { mapPage } from "../../platform/kernel/list-query.ts";
import { toOne } from "../../platform/kernel/resource-object.ts";
import {
  defineResource,
  type FilterName,
  type ResourceOf,
} from "../../platform/resources/define-resource.ts";
import { wholeNumber } from "../../platform/resources/filters.ts";
import { decimal, described, integer, text } from "../../platform/resources/json-schema.ts";
import {
  type FiatSums,
  readStatements,
  type Statement,
  type StatementContext,
} from "../../reports/statements/read-statements.ts";
import { unitParts } from "../../reports/statements/unit-parts.ts";
import { listRoute, type Route } from "../server/route.ts";

/** The fiat value of a column of the statement. */
const inFiat = (column: string, when: string) =>
  described(
    { type: "object", additionalProperties: { type: "string" } },
    `What ${column} was worth ${when}, by currency code. Each payment and payout is rounded towards zero.`,
  );

const month = {
  lookup: "exact",
  regexp: "^[0-9]{4}-(0[1-9]|1[0-2])$",
  expects: "a month, for example 2026-11",
  maxLength: 7,
} as const;

const statementResource = defineResource({
  type: "monthly-statement",
  description:
    "A wallet's month in UTC, from the ledger: opening_balance + payments + transfers_in - refunds - payouts - fees + adjustments = closing_balance. The balance is available and held funds; pending payments count in the month in which they are credited. The id is the month and the wallet's id.",
  attributes: {
    month: described(text, "`2026-01`."),
    wallet_label: text,
    opening_balance: decimal,
    payments: described(decimal, "Credited payments, before commission."),
    transfers_in: described(decimal, "Payouts of the account's other wallets into this one."),
    refunds: described(decimal, "Payments sent back, without fees."),
    payouts: described(decimal, "What receivers were paid, without fees."),
    fees: described(
      decimal,
      "Commission, and network fees charged to the wallet. Their sum is rounded towards zero, once.",
    ),
    adjustments: described(
      decimal,
      "Everything else; negative if it reduced the balance. Such as a payment that is returned without a deposit, and the difference where a refund was credited or charged at another price than its payment's.",
    ),
    closing_balance: described(decimal, "For the current month: so far."),
    payments_fiat: inFiat("payments", "when they were priced"),
    transfers_in_fiat: inFiat("transfers_in", "when they were received"),
    refunds_fiat: inFiat("refunds", "when the account committed to them"),
    payouts_fiat: inFiat("payouts", "when the account committed to them"),
    fees_fiat: described(
      { type: "object", additionalProperties: { type: "string" } },
      "What fees were worth with the payment or payout that they were charged for, by currency code, with eight digits: a fee is often worth less than a cent. Round the sum.",
    ),
    unvalued: described(
      integer,
      "Payments, payouts and fees without a fiat value: no price was known.",
    ),
  },
  relationships: { wallet: { resource: "wallet" }, currency: { resource: "currency" } },
  filters: { month_from: month, month_to: month, wallet: wholeNumber(18) },
  defaultSort: "-id",
});

/** `/monthly-statement/`: what happened to each wallet's funds, per month. */
export function statementRoutes(context: StatementContext): readonly Route[] {
  return [
    listRoute({
      path: "/monthly-statement/",
      summary: "List the monthly statements",
      description:
        "Of the wallets that the caller may view, newest month first; months in which a wallet had neither a movement nor a balance are left out. Default: the last 12 months; at most 120.",
      resource: statementResource,
      list: async ({ principal }, query) =>
        mapPage(
          listInMemory(
            await readStatements(context, principal, query.filters),
            statementList,
            query,
          ),
          render,
        ),
    }),
  ];
}

const applied = (): boolean => true;
/** The statements read already satisfy the filters. */
const statementList: MemoryList<Statement, FilterName<typeof statementResource>> = {
  id: idOf,
  filters: { month_from: applied, month_to: applied, wallet: applied },
  sort: { id: ({ month: of, wallet }) => `${of} ${wallet.id.padStart(20, "0")}` },
};

function idOf({ month: of, wallet }: Statement): string {
  return `${of}-${wallet.id}`;
}

const feeDigits = 8;

/** What fees were worth, truncated to eight digits. */
function formatFee({ currency, feeParts }: FiatSums): string {
  const perDigit = (unitParts * 10n ** BigInt(currency.exp)) / 10n ** BigInt(feeDigits);
  return formatDecimal(feeParts / perDigit, feeDigits);
}

function render(statement: Statement): ResourceOf<typeof statementResource> {
  const { wallet, currency } = statement;
  const amount = (units: bigint): string => formatDecimal(units, currency.exp);
  const fiatText = (unitsOf: (sums: FiatSums) => bigint): Readonly<Record<string, string>> =>
    Object.fromEntries(
      statement.fiat.map((sums) => [
        sums.currency.alpha,
        formatDecimal(unitsOf(sums), sums.currency.exp),
      ]),
    );
  return {
    type: "monthly-statement",
    id: idOf(statement),
    attributes: {
      month: statement.month,
      wallet_label: wallet.label,
      opening_balance: amount(statement.opening),
      payments: amount(statement.payments),
      transfers_in: amount(statement.incoming),
      refunds: amount(statement.refunds),
      payouts: amount(statement.payouts),
      fees: amount(statement.fees),
      adjustments: amount(statement.adjustments),
      closing_balance: amount(statement.closing),
      payments_fiat: fiatText(({ payments }) => payments),
      transfers_in_fiat: fiatText(({ incoming }) => incoming),
      refunds_fiat: fiatText(({ refunds }) => refunds),
      payouts_fiat: fiatText(({ payouts }) => payouts),
      fees_fiat: Object.fromEntries(
        statement.fiat.map((sums) => [sums.currency.alpha, formatFee(sums)]),
      ),
      unvalued: statement.unvalued,
    },
    relationships: {
      wallet: toOne("wallet", wallet.id),
      currency: toOne("currency", currency.id),
    },
  };
}
