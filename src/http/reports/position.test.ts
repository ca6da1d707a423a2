/* The operator's position from conversions and its limit, over HTTP: one ether in either direction. */
import { beforeEach, describe, expect, it } from "vitest";
import { dollar, ether, useConversions } from "../../../test/support/conversion-site.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { databaseDigest, useWholeApi } from "../../../test/support/whole-api.ts";
import { payAll } from "../../../test/support/whole-payments.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { foldPositions, readPositions } from "../../ledger/position.store.ts";

const database = useDatabase();
const api = useWholeApi(database, { conversions: { position_max: { ETH: "1" } } });
const site = useConversions(api);
const { merchant, enterprise } = walletType;

let dollars: string;
let ethers: string;
beforeEach(async () => {
  await database.sql("truncate conversion_position, conversion_delta");
  await site.quote({ ETH: ["2500", "2502"] });
  dollars = await site.wallet(merchant, dollar, "100000");
  ethers = await site.wallet(enterprise, ether, "10");
});

/** In thousandths of an ether. */
const position = async () => ((await readPositions(database.db)).get(ether) ?? 0n) / 10n ** 15n;
const buy = (amount: string, wallet = dollars) => site.payWallet(wallet, ether, amount, ethers);
const sell = (amount: string) => site.payWallet(ethers, ether, amount, dollars);

describe("position limits", () => {
  it("refuse a conversion beyond the limit with 503/4018 in both directions and change nothing", async () => {
    expect((await buy("0.6")).status).toBe(201);
    const before = await databaseDigest(database);
    const refused = await buy("0.6");
    expect([refused.status, refused.errors[0]?.code]).toEqual([503, "4018"]);
    expect({ ...(await databaseDigest(database)) }).toEqual(before);
    expect((await sell("1.6")).status).toBe(201);
    expect(await position()).toBe(1_000n);
    expect((await sell("0.001")).errors[0]?.code).toBe("4018");
    expect((await buy("1.9")).status).toBe(201);
    expect(await position()).toBe(-900n);
  });

  it("count a payout from its creation until it is canceled", async () => {
    const first = await site.payOut(dollars, "0.9");
    expect(first.status).toBe(201);
    expect((await site.payOut(dollars, "0.9")).errors[0]?.code).toBe("4018");
    expect((await site.post(`/payout/${first.one.id}/cancel/`)).status).toBe(200);
    expect(await position()).toBe(0n);
    expect((await site.payOut(dollars, "0.9")).status).toBe(201);
  });

  it("hold against simultaneous conversions", async () => {
    const wallets = await Promise.all(
      Array.from({ length: 8 }, () => site.wallet(merchant, dollar, "1000")),
    );
    const answers = await Promise.all(wallets.map((wallet) => buy("0.3", wallet)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(5);
    expect(await position()).toBe(-900n);
  });

  it("accept conversions that reduce the position, also from beyond the limit", async () => {
    await database.sql("insert into conversion_delta (currency, units) values ('1002', -5e18)");
    expect((await buy("0.001")).errors[0]?.code).toBe("4018");
    expect((await sell("0.5")).status).toBe(201);
  });

  it("refuse to accept a payment beyond the limit, and count what the chain brings", async () => {
    const id = await site.invoice(dollars, { target_amount_requested: "100" });
    const { accountId } = site.tenant();
    await payAll(api, "ETH", [{ accountId, id, amount: "2" }]);
    expect(await position()).toBe(0n);
    const body = { data: { type: "deposit", attributes: { action: "accept" } } };
    const refused = await site.post(`/deposit/${id}/resolve/`, body);
    expect([refused.status, refused.errors[0]?.code]).toEqual([503, "4018"]);
    const open = await site.invoice(dollars, {});
    await payAll(api, "ETH", [{ accountId, id: open, amount: "2" }]);
    expect(await position()).toBe(2_000n);
  });

  it("are reported by a calculation", async () => {
    const body = {
      data: {
        type: "payout-calculation",
        attributes: { amount: "1.1", to_address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" },
        relationships: {
          wallet: { data: { type: "wallet", id: dollars } },
          currency: { data: { type: "currency", id: ether } },
        },
      },
    };
    const answer = await site.post("/payout/calculate/", body);
    expect([answer.status, answer.errors[0]?.code]).toEqual([503, "4018"]);
  });

  it("are shown with the position to operators", async () => {
    await buy("0.95");
    await foldPositions(database.db);
    await buy("0.01");
    const { resources } = await site.get("/position/");
    expect(resources.map(({ id, attributes }) => ({ id, ...attributes }))).toEqual([
      { id: "840", amount: "2401.92", max: null, is_reached: false },
      {
        id: "1002",
        amount: "-0.960000000000000000",
        max: "1.000000000000000000",
        is_reached: true,
      },
    ]);
  });
});
