/*
 * The limit of an account's open rate locks through the whole API: 1000 dollars. Ether costs 2500 dollars until a test changes
 * it.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { dollar, ether, useConversions } from "../../../test/support/conversion-site.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { useWholeApi } from "../../../test/support/whole-api.ts";
import { payAll } from "../../../test/support/whole-payments.ts";
import { arrangeTenant, newDeposit } from "../../../test/support/whole-tenant.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

const database = useDatabase();
const api = useWholeApi(database, {
  deposits: { open_locks_max: { currency: "USD", amount: "1000" } },
});
const site = useConversions(api);
const { merchant } = walletType;
const euro = "978" as CurrencyId;

let shop: string;
beforeEach(async () => {
  // After the expiry of every lock of earlier tests.
  await site.pass(901);
  await site.quote({ ETH: ["2500", "2500"], EUR: ["1.1", "1.1"] });
  shop = await site.wallet(merchant, dollar);
});

const invoice = (amount: string, wallet = shop, more: Readonly<Record<string, string>> = {}) =>
  site.invoice(wallet, { target_amount_requested: amount, ...more });
const read = async (id: string, as = site.token()) =>
  (await site.get(`/deposit/${id}/`, as)).one.attributes;
const isLocked = async (id: string) => (await read(id))["rate_expired_at"] !== null;
const pay = (id: string, amount: string) =>
  payAll(api, "ETH", [{ accountId: site.tenant().accountId, id, amount }]);

/** The path of a deposit's payment page. */
async function pageOf(id: string): Promise<string> {
  const [row] = await database.sql<{ page: string }>(
    "select payment_page_id as page from deposit where id = $1",
    [id],
  );
  return `/pay/${present(row, "a deposit").page}`;
}

type PageState = {
  readonly payment: {
    readonly requested: string;
    readonly missing: string;
    readonly rate: { readonly value: string; readonly isHeld: boolean };
  };
};

async function stateOf(id: string): Promise<PageState> {
  const answer = await api.exchange({ method: "GET", path: `${await pageOf(id)}/state/` });
  return JSON.parse(answer.body) as PageState;
}

/** Sends a payer's action to the page and returns the response status. */
async function act(id: string, action: "choose" | "quote", body: JsonObject): Promise<number> {
  const path = `${await pageOf(id)}/${action}/`;
  const headers = { "content-type": "application/json" };
  return (await api.exchange({ method: "POST", path, body, headers })).status;
}

describe("the limit of an account's open rate locks", () => {
  it("allows rate locks up to the limit", async () => {
    const ids = [await invoice("600"), await invoice("400")];
    expect(await Promise.all(ids.map(isLocked))).toEqual([true, true]);
  });

  it("creates a deposit beyond the limit with the current rate but no lock", async () => {
    await invoice("600");
    expect(await read(await invoice("400.01"))).toMatchObject({
      rate_requested: "2500.00000000",
      rate_expired_at: null,
      source_amount_requested: "0.160004000000000000",
    });
    expect(await isLocked(await invoice("400"))).toBe(true);
  });

  it("values a payment to a deposit without a lock at the bid when it is first seen", async () => {
    const locked = await invoice("1000");
    const open = await invoice("500");
    await site.quote({ ETH: ["2000", "2002"] });
    await pay(locked, "0.4");
    await pay(open, "0.2");
    expect(await read(locked)).toMatchObject({ status: 3, target_paid: "1000.00" });
    expect(await read(open)).toMatchObject({ status: 2, target_paid: "400.00" });
    await pay(open, "0.05");
    expect(await read(open)).toMatchObject({ status: 3, target_paid: "500.00" });
  });

  it("does not affect the locks of other accounts", async () => {
    await invoice("1000");
    const other = await arrangeTenant(api);
    const body = newDeposit(other.wallets.merchant, { target_amount_requested: "1000" }, ether);
    const { one } = await site.post("/deposit/", body, other.token);
    expect(one.attributes["rate_expired_at"]).not.toBeNull();
    expect(await isLocked(await invoice("1"))).toBe(false);
  });

  it("excludes expired locks", async () => {
    await invoice("1000");
    await site.pass(901);
    expect(await isLocked(await invoice("1000"))).toBe(true);
  });

  it("excludes deposits that are paid or canceled", async () => {
    const paid = await invoice("600");
    await pay(paid, "0.24");
    const canceled = await invoice("1000");
    expect(await isLocked(canceled)).toBe(true);
    expect((await site.post(`/deposit/${canceled}/cancel/`)).status).toBe(200);
    expect(await isLocked(await invoice("1000"))).toBe(true);
  });

  it("includes wallets of all currencies, each at its current ask", async () => {
    await invoice("600");
    const euros = await site.wallet(merchant, euro);
    expect(await isLocked(await invoice("363.64", euros))).toBe(false);
    expect(await isLocked(await invoice("363.63", euros))).toBe(true);
    expect(await isLocked(await invoice("0.01"))).toBe(false);
  });

  it("excludes deposits without a requested amount or in the wallet's own currency", async () => {
    await site.invoice(shop, {});
    const ethers = await site.wallet(merchant, ether);
    const own = await invoice("100", ethers);
    expect(await read(own)).toMatchObject({ rate_requested: "1", rate_expired_at: null });
    expect(await isLocked(await invoice("1000"))).toBe(true);
  });

  it("holds for deposits that are created concurrently, with and without a key", async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const answer = await api.ask({
          method: "POST",
          path: "/deposit/",
          as: site.token(),
          body: newDeposit(shop, { target_amount_requested: "300" }, ether),
          ...(index % 2 === 0
            ? {}
            : {
                headers: { "idempotency-key": `00000000-0000-4000-8000-0000000000${index + 10}` },
              }),
        });
        expect(answer.status).toBe(201);
        return answer.one.id;
      }),
    );
    const locked = await Promise.all(ids.map(isLocked));
    expect(locked.filter(Boolean)).toHaveLength(3);
  });
});

describe("the payment page beyond the limit of open rate locks", () => {
  it("shows the missing amount at the current rate", async () => {
    await invoice("1000");
    const id = await invoice("500");
    await site.quote({ ETH: ["2000", "2000"] });
    expect((await stateOf(id)).payment).toMatchObject({
      requested: "0.250000000000000000",
      missing: "0.250000000000000000",
      rate: { value: "2000.00000000", isHeld: false },
    });
    await pay(id, "0.2");
    await site.quote({ ETH: ["1000", "1000"] });
    expect((await stateOf(id)).payment).toMatchObject({
      requested: "0.300000000000000000",
      missing: "0.100000000000000000",
    });
  });

  it("locks no rate for the payer's choice of currency", async () => {
    const create = async () => {
      const body = newDeposit(shop, { target_amount_requested: "600" });
      return (await site.post("/deposit/", body)).one.id;
    };
    const [first, second] = [await create(), await create()];
    expect(await act(first, "choose", { currency: ether })).toBe(200);
    expect(await act(second, "choose", { currency: ether })).toBe(200);
    expect([await isLocked(first), await isLocked(second)]).toEqual([true, false]);
    expect((await stateOf(second)).payment.rate.isHeld).toBe(false);
  });

  it("renews a quote without a lock, and with one once the limit allows it", async () => {
    const id = await invoice("600");
    await site.pass(901);
    const other = await invoice("600");
    await site.quote({ ETH: ["2000", "2000"] });
    expect(await act(id, "quote", {})).toBe(200);
    expect(await read(id)).toMatchObject({
      rate_requested: "2000.00000000",
      rate_expired_at: null,
      source_amount_requested: "0.300000000000000000",
    });
    await site.quote({ ETH: ["1500", "1500"] });
    await pay(id, "0.2");
    expect(await read(id)).toMatchObject({ target_paid: "300.00" });
    expect((await site.post(`/deposit/${other}/cancel/`)).status).toBe(200);
    expect(await act(id, "quote", {})).toBe(200);
    expect(await isLocked(id)).toBe(true);
    expect((await stateOf(id)).payment.rate.isHeld).toBe(true);
    expect(await act(id, "quote", {})).toBe(409);
  });
});
