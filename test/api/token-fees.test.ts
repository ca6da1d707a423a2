import { describe, expect, it } from "vitest";
import { useDatabase } from "../support/database.ts";
import { arrangeWallet, eth, usdt } from "../support/deposit-world.ts";
import { currencyIs, fund } from "../support/payout-world.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { newPayout, postPayout } from "../support/whole-payouts.ts";
import { arrangeTenant } from "../support/whole-tenant.ts";

/* Who pays for the transactions of token payouts, in a deployment that says nothing about it. */

const database = useDatabase();
const api = useWholeApi(database);

describe("the fee of a token payout", () => {
  it("is charged to the account's wallet of the chain's coin, and the payout is refused without funds there", async () => {
    const { accountId, token, wallets } = await arrangeTenant(api);
    const tether = await arrangeWallet(api.world(), { accountId, currency: usdt });
    await fund(api.world(), tether, "100");
    const body = newPayout(tether.walletId, { amount: "5" }, currencyIs(usdt));
    const refused = await postPayout(api, token, body);
    expect(refused.status).toBe(400);
    expect(refused.errors[0]).toMatchObject({
      code: "4008",
      source: { pointer: "/data/attributes/fee_amount" },
    });
    const ether = { accountId, walletId: wallets.ether, currency: eth };
    await fund(api.world(), ether, "1");
    const created = await postPayout(api, token, body);
    expect(created.status).toBe(201);
    const [balance] = await database.sql<{ held: string }>(
      "select held from wallet_balance where wallet_id = $1",
      [wallets.ether],
    );
    // 0.00005 ETH
    expect(BigInt(balance?.held ?? "0")).toBe(50_000_000_000_000n);
  });
});
