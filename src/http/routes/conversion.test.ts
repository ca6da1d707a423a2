/*
 * Conversions over the whole API, at prices that the tests move: no sequence of payments gains value from the operator,
 * except by holding a currency while its price moves.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { dollar, ether, usdc, useConversions } from "../../../test/support/conversion-stage.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { useWholeApi } from "../../../test/support/whole-api.ts";
import { walletType } from "../../wallets/wallet.ts";

const api = useWholeApi(useDatabase());
const stage = useConversions(api);
const { merchant, enterprise } = walletType;

beforeEach(() =>
  stage.quote({ ETH: ["2500", "2502"], USDC: ["0.9995", "1.0005"], EUR: ["1.1", "1.1"] }),
);

describe("a conversion between wallets", () => {
  it("charges the ask, rounded up, and credits the bid, rounded down", async () => {
    const dollars = await stage.wallet(merchant, dollar, "1000");
    const ethers = await stage.wallet(enterprise, ether);
    const paid = await stage.payWallet(dollars, ether, "0.100001", ethers);
    expect(paid.one.attributes["rate_requested"]).toBe("2502.00000000");
    // 0.100001 x 2502 = 250.202502
    expect(await stage.available(dollars)).toBe(100_000n - 25_021n);
    await stage.payWallet(ethers, ether, "0.100001", dollars);
    // 0.100001 x 2500 = 250.0025
    expect(await stage.available(dollars)).toBe(100_000n - 25_021n + 25_000n);
  });

  it("combines both sides of both currencies in a cross rate", async () => {
    const coins = await stage.wallet(merchant, usdc, "3000");
    const ethers = await stage.wallet(enterprise, ether);
    await stage.payWallet(coins, ether, "1", ethers);
    // 2502 / 0.9995
    expect(await stage.available(coins)).toBe(3_000_000_000n - 2_503_251_626n);
    const other = await stage.wallet(merchant, usdc);
    await stage.payWallet(ethers, ether, "1", other);
    // 2500 / 1.0005
    expect(await stage.available(other)).toBe(2_498_750_624n);
  });

  it("loses value in a closed loop of dollars, USD Coin, ether and dollars", async () => {
    const dollars = await stage.wallet(merchant, dollar, "2500");
    const coins = await stage.wallet(merchant, usdc);
    let before = await stage.available(dollars);
    for (let loop = 0; loop < 20; loop += 1) {
      const forth = await stage.payWallet(dollars, usdc, "2400", coins);
      expect(forth.status).toBe(201);
      // All that the coins buy at the ask, less a rest that does not matter.
      const back = await stage.payWallet(coins, ether, "0.958", dollars);
      expect(back.status).toBe(201);
      const after = await stage.available(dollars);
      expect(after, `cents after loop ${loop}`).toBeLessThan(before);
      before = after;
      const rest = await stage.available(coins);
      await stage.payWallet(coins, usdc, decimal(rest, 6), dollars);
      before = await stage.available(dollars);
      expect(before, `cents with what was left of loop ${loop}`).toBeLessThan(250_000n);
    }
  });

  it("is calculated at the ask", async () => {
    const dollars = await stage.wallet(merchant, dollar, "250.1");
    const body = {
      data: {
        type: "payout-calculation",
        attributes: { amount: "0.1", to_address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" },
        relationships: {
          wallet: { data: { type: "wallet", id: dollars } },
          currency: { data: { type: "currency", id: ether } },
        },
      },
    };
    const answer = await stage.post("/payout/calculate/", body);
    expect([answer.status, answer.errors[0]?.code]).toEqual([400, "4008"]);
  });
});

describe("a payment to a deposit inside the service", () => {
  it("is worth the current bid, whatever rate the deposit has locked", async () => {
    const dollars = await stage.wallet(merchant, dollar, "2500");
    const invoices: string[] = [];
    for (let number = 0; number < 5; number += 1)
      invoices.push(await stage.invoice(dollars, { target_amount_requested: "100" }));
    await stage.quote({ ETH: ["2450", "2450"] });
    for (const id of invoices) await stage.payDeposit(dollars, id, "0.04");
    // Charged 98.00 and credited 98.00, five times: nobody is richer.
    expect((await stage.available(dollars)) + (await unresolvedOf(dollars))).toBeLessThanOrEqual(
      250_000n,
    );
    const { one } = await stage.get(`/deposit/${invoices[0] ?? ""}/`);
    expect(one.attributes).toMatchObject({ target_paid: "98.00", status: 2 });
  });

  it("of another account's ether is worth the current bid", async () => {
    const dollars = await stage.wallet(merchant, dollar);
    const ethers = await stage.wallet(enterprise, ether, "1");
    const id = await stage.invoice(dollars, { target_amount_requested: "100" });
    await stage.quote({ ETH: ["2000", "2000"] });
    await stage.payDeposit(ethers, id, "0.04");
    const { one } = await stage.get(`/deposit/${id}/`);
    expect(one.attributes).toMatchObject({ target_paid: "80.00", status: 2 });
  });

  it("is refused with 4018 while no fresh price values it", async () => {
    const dollars = await stage.wallet(merchant, dollar);
    const ethers = await stage.wallet(enterprise, ether, "1");
    const id = await stage.invoice(dollars, { target_amount_requested: "100" });
    api.clock.advance(2);
    await api.database.sql("delete from rate_quote where symbol = 'ETH'");
    const answer = await stage.payDeposit(ethers, id, "0.04");
    expect([answer.status, answer.errors[0]?.code]).toEqual([503, "4018"]);
    expect(await stage.available(ethers)).toBe(10n ** 18n);
  });
});

/** What waits on deposits of a wallet that are not paid in full, cents. */
async function unresolvedOf(walletId: string): Promise<bigint> {
  const [row] = await api.database.sql<{ units: bigint }>(
    `select coalesce(sum(target_units), 0) as units from transfer
     where wallet_id = $1 and disposition in ('pending', 'unresolved')`,
    [walletId],
  );
  return row?.units ?? 0n;
}

function decimal(units: bigint, exp: number): string {
  const digits = units.toString().padStart(exp + 1, "0");
  return `${digits.slice(0, -exp)}.${digits.slice(-exp)}`;
}
