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
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { redAddresses } from "../../src/sandbox/screening-server.ts";
import type { Deployment } from "../scenarios/support/deployment.ts";
import { startSandboxDeployment } from "../scenarios/support/sandbox-deployment.ts";
import { openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { describeWithPhp } from "../support/describe-with-php.ts";
import { eventually } from "../support/eventually.ts";
import { startUnreliableProxy, type UnreliableProxy } from "../support/unreliable-proxy.ts";

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
  let proxy: UnreliableProxy;
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
    proxy = await startUnreliableProxy(deployment.apis[0] ?? "");
    ({ shop, shopUrl } = await startShop());
  }, 900_000);

  afterAll(async () => {
    shop.kill();
    await proxy.close();
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
      base_url: proxy.url,
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
  const change = (id: number, changes: JsonObject) => send<Order>("/change", { id, ...changes });
  const accept = async (id: number) => {
    const attributes = { action: "accept" };
    await site.owner.post(`/deposit/${(await depositOf(id)).id}/resolve/`, {
      data: { type: "deposit", attributes },
    });
  };
  /** Changes each stored request for a refund, of which the order has one. */
  async function changeRequests(id: number, by: (stored: JsonObject) => JsonObject): Promise<void> {
    const { meta } = await read(id);
    const stored = JSON.parse(meta["_sluice_refund_requests"] ?? "") as Record<string, JsonObject>;
    const changed = Object.entries(stored).map(([key, request]) => [key, by(request)]);
    const text = JSON.stringify(Object.fromEntries(changed));
    await change(id, { meta: { _sluice_refund_requests: text } });
  }
  const untilNoted = (id: number, text: RegExp) =>
    eventually(
      () => read(id),
      ({ notes }) => notes.some((note) => text.test(note)),
      patienceSeconds,
    );
  /** Sends all callbacks of the order's deposit once more. */
  async function repeatCallbacks(id: number): Promise<void> {
    const path = `/callback/?filter[object_type]=deposit&filter[object_id]=${(await depositOf(id)).id}`;
    const before = await eventually(
      () => site.owner.list(path),
      (all) => all.every(({ attributes }) => attributes["status"] === "delivered"),
      patienceSeconds,
    );
    for (const callback of before) await site.owner.post(`/callback/${callback.id}/resend/`);
    const attempts = new Map(before.map((one) => [one.id, Number(one.attributes["attempts"])]));
    await eventually(
      () => site.owner.list(path),
      (all) =>
        all.every(
          ({ id: callback, attributes }) =>
            attributes["status"] === "delivered" &&
            Number(attributes["attempts"]) > (attempts.get(callback) ?? 0),
        ),
      patienceSeconds,
    );
  }
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
    await chooseEther(id);
    await payAgain(id, ether);
  }

  async function chooseEther(id: number): Promise<void> {
    const deposit = await depositOf(id);
    const page = deposit.attributes["payment_page"] as string;
    const chosen = await fetch(`${page.replace(/\/?$/, "/")}choose/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ currency: "1002" }),
    });
    expect(chosen.status).toBe(200);
  }

  async function payAgain(id: number, ether: string): Promise<void> {
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

  it("pays a refund to the address that was corrected, and never twice", async () => {
    const [wrong, right] = [
      "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    ];
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    await untilStatus(id, "processing");
    const refund = (address: string, amount: string, repeat = true) =>
      change(id, { meta: { _sluice_refund_address: address } }).then(() =>
        send<JsonObject>("/refund", { id, amount, repeat }),
      );
    const paid = async () =>
      (await site.owner.list("/payout/"))
        .filter(({ attributes }) => attributes["label"] === `Refund ${id}`)
        .map(({ attributes }) => attributes["address"]);

    proxy.disturb("POST /payout/", { kind: "refuse", status: 503 });
    expect((await refund(wrong, "20", false))["error"]).toMatch(/503/);
    expect(await refund(right, "20")).toEqual({ done: true });
    expect(await paid()).toEqual([right]);

    proxy.disturb("POST /payout/", { kind: "lose", status: 504 });
    expect((await refund(wrong, "10", false))["error"]).toMatch(/504/);
    expect((await refund(right, "10"))["error"]).toMatch(/was paid to 0x3C44\w+ by payout \d+/);
    expect(await refund(wrong, "10")).toEqual({ done: true });
    // As if the answer had been lost days ago: the same address, another price.
    await changeRequests(id, (stored) => ({ ...stored, sent_at: 0 }));
    expect(await refund(wrong, "10")).toEqual({ done: true });
    expect(await paid()).toEqual([wrong, right]);
  });

  it("asks for a new amount of coins when a refund that was never sent is repeated later", async () => {
    const address = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    await untilStatus(id, "processing");
    proxy.disturb("POST /payout/", { kind: "refuse", status: 503 });
    await change(id, { meta: { _sluice_refund_address: address } });
    expect((await send<JsonObject>("/refund", { id, amount: "20" }))["error"]).toMatch(/503/);
    await changeRequests(id, (stored) => {
      const attributes = { ...(stored["attributes"] as JsonObject), amount: "0.001" };
      return { ...stored, attributes, sent_at: 1_700_000_000 };
    });
    expect(await send("/refund", { id, amount: "20", repeat: true })).toEqual({ done: true });
    const [payout] = await site.owner.list("/payout/");
    expect(payout?.attributes["label"]).toBe(`Refund ${id}`);
    expect(Number(payout?.attributes["amount"])).toBeCloseTo(0.008, 4);
  });

  it("pays a refund again whose payout was canceled, and each only once", async () => {
    const right = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    await untilStatus(id, "processing");
    const payouts = async () =>
      (await site.owner.list("/payout/?sort=created_at&page[size]=100")).filter(
        ({ attributes }) => attributes["label"] === `Refund ${id}`,
      );
    const refund = async (address: string, amount: string, repeat = false) => {
      await change(id, { meta: { _sluice_refund_address: address } });
      const answer = await send<JsonObject>("/refund", { id, amount, repeat });
      return [answer, (await payouts()).length] as const;
    };
    // Screening holds what goes to this address, so that it can be canceled.
    const cancelNewest = async () => {
      const held = await eventually(
        async () => (await payouts()).at(-1),
        (newest) => newest?.attributes["state"] === "on_hold",
        patienceSeconds,
      );
      await site.owner.post(`/payout/${held?.id ?? ""}/cancel/`);
    };
    const [red = ""] = redAddresses;
    expect(await refund(red, "20")).toEqual([{ done: true }, 1]);
    await cancelNewest();
    expect(await refund(red, "10")).toEqual([{ done: true }, 2]);
    await cancelNewest();

    // The merchant deletes both refunds, which paid nothing, and starts again with the first.
    await change(id, { row: { refunds: 0 } });
    expect(await refund(red, "20")).toEqual([{ done: true }, 3]);
    expect(await refund(red, "20", true)).toEqual([{ done: true }, 3]);
    await cancelNewest();
    expect(await refund(right, "20", true)).toEqual([{ done: true }, 4]);
    expect(await refund(right, "20", true)).toEqual([{ done: true }, 4]);
    const [, , , paid] = await payouts();
    expect(paid?.attributes["address"]).toBe(right);
  });

  it("puts an overpaid order on hold for a decision", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.06");
    const order = await untilStatus(id, "on-hold");
    expect(order.notes.at(-1)).toMatch(/waits for your decision/);
  });

  it("takes an order off hold without completing it again, and leaves a refunded one alone", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    await untilStatus(id, "processing");
    await payAgain(id, "0.04");
    await untilStatus(id, "on-hold");
    await accept(id);
    await untilStatus(id, "processing");

    await change(id, { row: { status: "refunded" } });
    // Acceptance includes payments in blocks of its own second.
    await systemClock.sleep(2_000);
    await payAgain(id, "0.04");
    await eventually(
      () => read(id),
      ({ notes }) => notes.filter((note) => note.includes("waits for your decision")).length === 2,
      patienceSeconds,
    );
    expect((await read(id)).status).toBe("refunded");
    await accept(id);
    // The plugin forgets what it noted once the deposit counts as paid.
    const { status, notes } = await eventually(
      () => read(id),
      ({ meta }) => !("_sluice_noted_hold" in meta),
      patienceSeconds,
    );
    expect(status).toBe("refunded");
    expect(notes.filter((note) => note === "Payment complete.")).toHaveLength(1);
  });

  it.each([
    ["paid", "0.04", "processing"],
    ["waits for a decision", "0.06", "on-hold"],
  ])(
    "leads a returning customer to the order when its payment %s, though no callback has arrived",
    async (_, ether, status) => {
      const { id } = await newOrder("100.00");
      await pay(id);
      await payIn(id, ether);
      await untilStatus(id, status);
      const before = (await depositOf(id)).id;
      // As if the callbacks were still to come.
      const meta = { _sluice_completed_deposit_id: "", _sluice_hold: "" };
      await change(id, { row: { status: "pending", transaction: "" }, meta });
      expect(await pay(id)).toMatchObject({
        result: "success",
        redirect: `${shopUrl}/order-received/${id}/`,
      });
      const order = await read(id);
      expect([order.status, order.meta["_sluice_deposit_ids"]]).toEqual([status, before]);
    },
  );

  it("notes once that an order paid otherwise is paid by its deposit, too", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await change(id, { row: { status: "processing", transaction: "bank 7" } });
    await payIn(id, "0.04");
    await untilNoted(id, /also paid, although the order had already been paid/);
    await repeatCallbacks(id);
    const { status, notes } = await read(id);
    expect([status, notes.length]).toEqual(["processing", 1]);

    // A second payment, and the merchant's acceptance: the order was paid, so it is not completed.
    await payAgain(id, "0.04");
    await untilStatus(id, "on-hold");
    await accept(id);
    const resumed = await untilStatus(id, "processing");
    expect(resumed.notes).not.toContain("Payment complete.");
  });

  it("completes an order again by a new deposit when the merchant asks for another payment", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    await untilStatus(id, "processing");
    // As after a reversed payment that never confirms again: the order was on hold, and is unpaid.
    const first = (await depositOf(id)).id;
    await change(id, { row: { status: "pending" }, meta: { _sluice_hold: `${first} processing` } });
    await repeatCallbacks(id);
    expect((await read(id)).status).toBe("pending");

    await pay(id);
    const second = (await depositOf(id)).id;
    expect(second).not.toBe(first);
    await payIn(id, "0.04");
    const { meta, notes } = await untilStatus(id, "processing");
    expect(meta["_sluice_completed_deposit_id"]).toBe(second);
    expect(notes).toEqual(["Payment complete.", "Payment complete."]);

    // The next new deposit waits for a decision first.
    await change(id, { row: { status: "pending" } });
    await pay(id);
    await payIn(id, "0.06");
    await untilStatus(id, "on-hold");
    await accept(id);
    const third = await untilStatus(id, "processing");
    expect(third.meta["_sluice_completed_deposit_id"]).toBe(third.meta["_sluice_deposit_id"]);
    expect(third.notes.at(-1)).toBe("Payment complete.");
    expect(third.notes.join()).not.toContain("Refund one of the payments");
  });

  it("takes an order off hold that an earlier version held, but leaves the merchant's own hold", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.04");
    await untilStatus(id, "processing");
    // That version stored the transaction, and neither who completed the order nor who held it.
    await change(id, { row: { status: "on-hold" }, meta: { _sluice_completed_deposit_id: "" } });
    await repeatCallbacks(id);
    const { status, notes } = await read(id);
    expect([status, notes[0], notes.length]).toEqual(["processing", "Payment complete.", 2]);
    expect(notes.at(-1)).toMatch(/no decision is pending any more/);

    await change(id, { row: { status: "on-hold" } });
    await repeatCallbacks(id);
    expect((await read(id)).status).toBe("on-hold");
  });

  it("completes an order whose underpayment is accepted, and notes how much was paid", async () => {
    const { id } = await newOrder("100.00");
    await pay(id);
    await payIn(id, "0.03");
    await eventually(
      () => depositOf(id),
      ({ attributes }) => attributes["state"] === "partially_paid",
      patienceSeconds,
    );
    await site.owner.post(`/deposit/${(await depositOf(id)).id}/cancel/`);
    await untilStatus(id, "on-hold");
    await accept(id);
    await untilNoted(id, /accepted as paid: 75\.00 of 100\.00 USD received/);
    expect((await read(id)).status).toBe("processing");
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
