/*
 * The WooCommerce plugin against a real sandbox: PHP runs the plugin on a small WordPress of documented functions (tests/site.php; not
 * WooCommerce itself), orders become deposits, real payments on a private chain cause real callbacks, and these change the orders.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { Deployment } from "../scenarios/support/deployment.ts";
import { startSandboxDeployment } from "../scenarios/support/sandbox-deployment.ts";
import { openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { describeWithPhp } from "../support/describe-with-php.ts";
import { eventually } from "../support/eventually.ts";

const plugin = join(import.meta.dirname, "../../plugins/woocommerce");
const patienceSeconds = 90;
describeWithPhp("the WooCommerce plugin", testPlugin);

type Order = {
  readonly id: number;
  readonly status: string;
  readonly key: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
};

function testPlugin(program: string): void {
  let deployment: Deployment;
  let site: TestSite;
  let folder: string;
  let shop: ChildProcess;
  let shopUrl: string;
  let wallet: string;

  beforeAll(async () => {
    deployment = await startSandboxDeployment();
    site = await openTestSite(deployment);
    folder = await mkdtemp(join(tmpdir(), "sluice-woocommerce-"));
    const wallets = await site.owner.list("/wallet/?page[size]=100&include=currency");
    wallet = present(
      wallets.find(
        ({ attributes, relationships }) =>
          attributes["type"] === 1 && relationships["currency"]?.data?.id === "840",
      ),
      "a Merchant wallet in dollars",
    ).id;
    ({ shop, shopUrl } = await startShop());
  }, 900_000);

  afterAll(async () => {
    shop.kill();
    await rm(folder, { recursive: true, force: true });
    await site.close();
    await deployment.stop();
  });

  /** PHP's own server; requests run one after another, as callbacks do that find the shop busy. */
  async function startShop() {
    const port = await freePort();
    const { login, password, webhookSecret } = deployment.owner;
    const settings = {
      enabled: "yes",
      title: "Cryptocurrency",
      base_url: deployment.apis[0] ?? "",
      login,
      password,
      webhook_secret: webhookSecret,
      wallet_id: wallet,
      time_limit: "60",
    };
    const started = spawn(program, ["-S", `127.0.0.1:${port}`, join(plugin, "tests/site.php")], {
      stdio: "ignore",
      env: {
        ...process.env,
        SLUICE_TEST_SETTINGS: JSON.stringify(settings),
        SLUICE_TEST_ORDERS: join(folder, "orders.json"),
      },
    });
    const url = `http://127.0.0.1:${port}`;
    await eventually(
      () => fetch(`${url}/?wc-api=none`).catch(() => null),
      (answer) => answer !== null,
      30,
    );
    return { shop: started, shopUrl: url };
  }

  async function send<Answer>(path: string, body: JsonObject): Promise<Answer> {
    const answer = await fetch(shopUrl + path, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as Answer;
  }
  const newOrder = (total: string, currency = "USD") => send<Order>("/order", { total, currency });
  const pay = (id: number) =>
    send<{ readonly result: string; readonly redirect?: string }>("/pay", { id });
  const read = async (id: number): Promise<Order> =>
    (await (await fetch(`${shopUrl}/order?id=${id}`)).json()) as Order;
  const untilStatus = (id: number, status: string) =>
    eventually(
      () => read(id),
      (order) => order.status === status,
      patienceSeconds,
    );
  const depositOf = async (id: number) => {
    const order = await read(id);
    return site.owner.get(`/deposit/${order.meta["_sluice_deposit_id"] ?? ""}/`);
  };

  /** The payer chooses ether on the payment page and sends it. */
  async function payIn(id: number, ether: string): Promise<void> {
    const deposit = await depositOf(id);
    const page = deposit.attributes["payment_page"] as string;
    const chosen = await fetch(`${page.replace(/\/?$/, "/")}choose/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ currency: "1002" }),
    });
    expect(chosen.status).toBe(200);
    const { attributes } = await depositOf(id);
    await site.onChain("ETH", async (chain) => {
      await chain.pay("ETH", attributes["address"] as string, ether);
      await chain.mine(13);
    });
  }

  it("computes exactly and verifies signatures by the standard's own example", () => {
    const { status, stdout } = spawnSync(program, [join(plugin, "tests/unit.php")], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  });

  it("turns an order into one deposit, however often the customer returns to the checkout", async () => {
    const { id } = await newOrder("100.00");
    const first = await pay(id);
    const again = await pay(id);
    expect(first).toEqual({ ...again, result: "success" });
    const deposit = await depositOf(id);
    expect(first.redirect).toBe(deposit.attributes["payment_page"]);
    expect(deposit.attributes).toMatchObject({
      target_amount_requested: "100.00",
      tracking_id: String(id),
      time_limit: 3600,
      description: `Order ${id}`,
      state: "new",
      payment_page_redirect_url: `${shopUrl}/order-received/${id}/`,
    });
  });

  it("completes the order when the payment is confirmed, and refunds it once", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    const { notes } = await untilStatus(id, "processing");
    expect(notes).toEqual(["Payment complete."]);

    const refused = await send<JsonObject>("/refund", { id, amount: "50", repeat: true });
    expect(refused["error"]).toMatch(/Refund address/);
    const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    await send("/change", { id, meta: { _sluice_refund_address: address } });
    const before = (await site.owner.list("/payout/")).length;
    expect(await send("/refund", { id, amount: "50" })).toEqual({ done: true });
    // The answer was lost, and the same refund is asked for again.
    expect(await send("/refund", { id, amount: "50", repeat: true })).toEqual({ done: true });
    const payouts = await site.owner.list("/payout/");
    expect(payouts.length).toBe(before + 1);
    expect(payouts[0]?.attributes).toMatchObject({ address, label: `Refund ${id}` });
    expect(Number(payouts[0]?.attributes["amount"])).toBeCloseTo(0.02, 4);
    await site.onChain("ETH", (chain) => chain.mine(1));
    await eventually(
      async () => {
        await site.onChain("ETH", (chain) => chain.mine(2));
        return read(id);
      },
      (order) => order.notes.some((note) => /^Refund, payout \d+: confirmed\.$/.test(note)),
      patienceSeconds,
    );
    expect((await read(id)).status).toBe("processing");
  });

  it("puts an overpaid order on hold for a decision", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.06");
    const order = await untilStatus(id, "on-hold");
    expect(order.notes.at(-1)).toMatch(/waits for your decision/);
  });

  it("lets an order fail whose deposit is canceled, and takes another deposit then", async () => {
    const { id } = await newOrder("20.00");
    await pay(id);
    const first = await depositOf(id);
    await site.owner.post(`/deposit/${first.id}/cancel/`);
    await untilStatus(id, "failed");
    await pay(id);
    expect((await depositOf(id)).id).not.toBe(first.id);
  });

  it("starts no payment in another currency than the wallet's", async () => {
    const { id } = await newOrder("100.00", "EUR");
    expect((await pay(id)).result).toBe("failure");
    expect((await read(id)).meta).toEqual([]);
  });

  it("refuses callbacks without a genuine signature, and changes nothing", async () => {
    const { id, key } = await newOrder("30.00");
    await pay(id);
    const deposit = await depositOf(id);
    const body = JSON.stringify({
      data: { type: "deposit", id: deposit.id, attributes: { status: 3 } },
    });
    const forged = await fetch(`${shopUrl}/?wc-api=sluice&order=${id}&key=${key}`, {
      method: "POST",
      body,
      headers: {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
        "webhook-signature": "v1,AAAA",
      },
    });
    expect(forged.status).toBe(401);
    expect((await read(id)).status).toBe("pending");
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  });
}
