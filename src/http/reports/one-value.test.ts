import { describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { eth, ownerOf, rateOf, units } from "../../../test/support/deposit-world.ts";
import { sent, useUndoneRefunds } from "../../../test/support/undone-refunds.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { transferRoutes } from "../deposits/transfer.ts";
import { statementRoutes } from "./statement.ts";
import { statisticsRoutes } from "./statistics.ts";

/*
 * Three payments of 80 USD for 60, of which 20 are refunded each, with network fees of less than a cent's multiple (0.0427 USD). The
 * price rises between the payments and the refunds, so each refund is charged 20.01 USD. The statement, the statistics of the overview
 * and the transfers of the CSV files and the deposit's page must show the same figures.
 */

const { site, refunded, applyOutcome } = useUndoneRefunds();
const { world } = site;
const api = apiServer(
  [
    ...transferRoutes(world.context),
    ...statementRoutes(world.context),
    ...statisticsRoutes(world.context),
  ],
  { clock: world.clock },
);
const fee = "0.0000171";
const block = { height: 7, hash: "0xblock" };

async function partlyRefunded(): Promise<Deposit> {
  world.rates.set("1002 840", rateOf("2500"));
  const deposit = await site.invoice({ requested: "60", rate: rateOf("2500") });
  await site.pay(deposit, "0.032");
  world.rates.set("1002 840", rateOf("2500.03"));
  const attributes = { action: "partial", fee_amount: fee };
  const payout = await refunded(deposit, { attributes });
  expect(payout.chargedUnits).toBe(2_001n);
  await applyOutcome(payout, sent);
  await applyOutcome(payout, { stage: "included", block, isConfirmed: true });
  return deposit;
}

async function rows(path: string): Promise<readonly JsonObject[]> {
  const answer = await api.ask("GET", path, { as: ownerOf(site.shop.accountId) });
  expect(answer.status, answer.text).toBe(200);
  return answer.resources.map(({ attributes }) => attributes);
}

/** The sum of decimals, in units of 10^-8. */
function sumOf(values: readonly (JsonValue | undefined)[]): bigint {
  return values.reduce((sum: bigint, value) => {
    const [whole = "", fraction = ""] = (value as string).split(".");
    return sum + BigInt(whole + fraction.padEnd(8, "0"));
  }, 0n);
}

describe("small fees and partial refunds", () => {
  it("have the same figures in statements, statistics and transfers", async () => {
    const amount = units(fee, eth);
    site.payouts.fees.answer = {
      low: amount,
      medium: amount,
      high: amount,
      dust: 0n,
      warning: null,
    };
    for (let count = 0; count < 3; count += 1) await partlyRefunded();

    const [statement] = await rows(`/monthly-statement/?filter[wallet]=${site.shop.walletId}`);
    const fees = "0.12825153";
    expect(statement).toMatchObject({
      payments: "240.00",
      refunds: "59.88",
      fees: "0.12",
      adjustments: "0.00",
      closing_balance: "180.00",
      payments_fiat: { USD: "240.00" },
      refunds_fiat: { USD: "59.88" },
      fees_fiat: { USD: fees },
      unvalued: 0,
    });
    const [network] = await rows("/statistics/fee/?filter[fee]=network");
    expect(network).toMatchObject({ amount: "0.000051300000000000", fiat_amount: fees });
    const paidOut = await rows("/transfer/?filter[op_type]=2");
    expect(
      paidOut.map((one) => [one["fee"], one["fee_currency"], one["fee_fiat_currency"]]),
    ).toEqual(Array(3).fill(["0.000017100000000000", "1002", "840"]));
    expect(sumOf(paidOut.map((one) => one["fee_fiat_amount"]))).toBe(sumOf([fees]));
    const payments = await rows("/transfer/?filter[op_type]=1");
    expect(sumOf(payments.map((one) => one["fiat_amount"]))).toBe(
      sumOf([present(statement, "the month")["payments"]]),
    );
  });
});
