import csl from "@emurgo/cardano-serialization-lib-nodejs";
import algosdk from "algosdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { AlgorandSite } from "../../src/sandbox/sandbox-file.ts";
import type { SignedSpend } from "../../src/signer/intent.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { settled } from "../scenarios/support/callbacks.ts";
import { type Cashier, feeOf, heldIn, openCashier, textOf } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { less, unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { runSluice } from "../scenarios/support/run-sluice.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, inFull, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { addressOfKey, readMempool } from "../support/private-cardano.ts";
import { postTo } from "../support/query-tron.ts";
import { withTestSite } from "../support/with-test-site.ts";

/*
 * Payouts of ADA and ALGO by api, worker and signer processes, whose transactions the network loses, or the database: the node swallows
 * the broadcast, a fork drops the block, or a backup is restored while transactions that it does not know are signed and still valid.
 */

type Alpha = "ADA" | "ALGO";

/** Transactions of ours are valid for two hours of slots, or for 200 rounds. */
const pastSlots = 7_300;
const pastRounds = 202;
/** After a restore, ALGO waits for an hour of blocks' time, which moves by 25 s for each block at most. */
const hourOfBlocks = { blocks: 150, seconds: 25 };
const status = { unconfirmed: 1, confirmed: 2, failed: -1 } as const;
const expiredMessage = "The network did not include the transaction before it expired";

let deployment: RestorableDeployment;
const opened: { site: TestSite | null } = { site: null };

beforeAll(async () => {
  deployment = await startRestorableDeployment({ ADA: true, ALGO: true });
  opened.site = await openTestSite(deployment);
  // Three nodes, a database, keys and three processes.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await deployment.stop();
});

/** Commands the chain's ledger; resolves with what it answers. */
function command(chain: Alpha, path: string, body: JsonObject): Promise<JsonObject> {
  const site = deployment.chains[chain];
  if (site?.family !== "cardano" && site?.family !== "algorand")
    throw new Error(`no ledger of ${chain} runs`);
  return postTo(site.sandbox_url, path, body);
}
const swallow = (chain: Alpha, count: number) => command(chain, "/swallow-broadcasts", { count });
beforeEach(async () => {
  await Promise.all([swallow("ADA", 0), swallow("ALGO", 0)]);
});

function newAddress(alpha: Alpha): string {
  return alpha === "ADA"
    ? addressOfKey(csl.PrivateKey.generate_ed25519())
    : algosdk.generateAccount().addr.toString();
}

/** A deposit whose address may be paid: on ALGO, once it is activated. */
async function payableDeposit(shop: Shop, wallet: string): Promise<string> {
  const deposit = await shop.deposit(wallet);
  const attributes = await settled(
    () => shop.read(deposit),
    ({ is_active }) => is_active === true,
  );
  return addressOf({ ...deposit, attributes });
}

type Order = {
  readonly wallet: string;
  readonly alpha: Alpha;
  readonly amount: string;
  readonly address: string;
};

type World = {
  readonly site: TestSite;
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly cashier: Cashier;
};

function on<Result>(
  site: TestSite,
  alpha: Alpha,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  return withShop(site, (shop) =>
    site.onChain(alpha, (chain) =>
      work({ site, shop, chain, cashier: openCashier(site, shop, site.cashier) }),
    ),
  );
}

/** A wallet with 50 of the coin. */
async function fundedWallet({ chain, shop }: World, alpha: Alpha): Promise<string> {
  const wallet = await shop.wallet("enterprise", alpha);
  await chain.pay(alpha, await payableDeposit(shop, wallet), "50");
  await chain.mine(currencyOf(alpha).confirmationBlocks);
  await shop.expectBalance(wallet, inFull("50", alpha), inFull("0", alpha));
  return wallet;
}

const received = (chain: ChainControl, alpha: Alpha, address: string): Promise<string> =>
  unitsAt(chain, alpha, [address]).then(String);
const sum = (amount: string, alpha: Alpha): string => String(unitsOf(amount, alpha));

async function onlySigned({ id }: Resource): Promise<SignedSpend> {
  const signed = await deployment.signedFor(id);
  expect(signed).toHaveLength(1);
  return signed[0] as SignedSpend;
}

/** What is left of 50 after these payouts, which arrived. */
const leftAfter = (alpha: Alpha, ...payouts: readonly Resource[]): string =>
  less(
    "50",
    payouts.flatMap((payout) => [textOf(payout.attributes, "amount"), feeOf(payout)]),
    alpha,
  );

describe("a payout of ADA that the network loses", () => {
  it("is drafted again with the same coins once it has expired, and paid once", async () => {
    const site = present(opened.site, "a deployment");
    await on(site, "ADA", async (world) => {
      const { cashier, chain, shop } = world;
      const wallet = await fundedWallet(world, "ADA");
      const address = newAddress("ADA");
      await swallow("ADA", 1_000_000);
      const payout = await cashier.pay({ wallet, alpha: "ADA", amount: "20", address });
      await cashier.expectSent(payout);
      const first = await onlySigned(payout);
      await command("ADA", "/mine", { blocks: 1, slots: pastSlots });
      await chain.mine(currencyOf("ADA").confirmationBlocks);
      const [, second] = await eventually(
        () => deployment.signedFor(payout.id),
        ({ length }) => length > 1,
      );
      expect(second?.claims).toEqual(expect.arrayContaining([...first.claims]));
      expect(await received(chain, "ADA", address)).toBe("0");
      await swallow("ADA", 0);
      // The first one is over. The network takes the second one only, which may have arrived already and spends the same coins.
      expect(await submitCardano(first.raw)).toMatch(
        /not valid in the current slot|All inputs are spent/,
      );
      await untilInPool(present(second, "another transaction").txid);
      await chain.mine(currencyOf("ADA").confirmationBlocks);
      await cashier.expectTransfer(payout, { status: status.confirmed, txid: second?.txid ?? "" });
      expect(await received(chain, "ADA", address)).toBe(sum("20", "ADA"));
      await shop.expectBalance(wallet, leftAfter("ADA", payout), inFull("0", "ADA"));
      expect(await deployment.signedFor(payout.id)).toHaveLength(2);
    });
  }, 900_000);

  it("is paid once by the same transaction after a fork drops its block", async () => {
    const site = present(opened.site, "a deployment");
    await on(site, "ADA", async (world) => {
      const { cashier, chain, shop } = world;
      const wallet = await fundedWallet(world, "ADA");
      const address = newAddress("ADA");
      const payout = await cashier.pay({ wallet, alpha: "ADA", amount: "20", address });
      await cashier.expectSent(payout);
      const { txid } = await onlySigned(payout);
      await untilInPool(txid);
      await chain.mine(2);
      expect(await received(chain, "ADA", address)).toBe(sum("20", "ADA"));
      await command("ADA", "/reorg", { depth: 3, transactions: "drop" });
      await chain.caughtUp();
      expect(await received(chain, "ADA", address)).toBe("0");
      await untilInPool(txid);
      await chain.mine(currencyOf("ADA").confirmationBlocks);
      await cashier.expectTransfer(payout, { status: status.confirmed, txid });
      expect(await received(chain, "ADA", address)).toBe(sum("20", "ADA"));
      await onlySigned(payout);
      await shop.expectBalance(wallet, leftAfter("ADA", payout), inFull("0", "ADA"));
    });
  }, 900_000);
});

describe("a payout of ALGO that the network loses", () => {
  it("fails when its last valid round is past, and the merchant pays it again", async () => {
    const site = present(opened.site, "a deployment");
    await on(site, "ALGO", async (world) => {
      const { cashier, chain, shop } = world;
      const wallet = await fundedWallet(world, "ALGO");
      const address = newAddress("ALGO");
      const order = { wallet, alpha: "ALGO", amount: "20", address };
      await swallow("ALGO", 1_000_000);
      const payout = await cashier.pay(order);
      await cashier.expectSent(payout);
      const { raw } = await onlySigned(payout);
      const { lease, lastValid } = algosdk.decodeSignedTransaction(Buffer.from(raw, "hex")).txn;
      expect(lease).toHaveLength(32);
      await chain.mine(2);
      expect((await cashier.transfer(payout)).attributes).toMatchObject({
        status: status.unconfirmed,
      });
      expect(await heldIn(site, wallet, "ALGO")).not.toBe(inFull("0", "ALGO"));

      await chain.mine(pastRounds);
      expect((await chain.tip()).height).toBeGreaterThan(Number(lastValid));
      await cashier.expectTransfer(payout, { status: status.failed, message: expiredMessage });
      await shop.expectBalance(wallet, inFull("50", "ALGO"), inFull("0", "ALGO"));
      expect(await heldIn(site, wallet, "ALGO")).toBe(inFull("0", "ALGO"));
      await swallow("ALGO", 0);
      expect(await submitAlgorand(raw)).toMatch(/txn dead: round \d+ outside of/);
      expect(await received(chain, "ALGO", address)).toBe("0");

      const again = await cashier.pay(order);
      await cashier.expectTransfer(again, { status: status.confirmed });
      const repeated = algosdk.decodeSignedTransaction(
        Buffer.from((await onlySigned(again)).raw, "hex"),
      ).txn;
      expect(repeated.lease).not.toEqual(lease);
      expect(await received(chain, "ALGO", address)).toBe(sum("20", "ALGO"));
      await shop.expectBalance(wallet, leftAfter("ALGO", again), inFull("0", "ALGO"));
    });
  }, 900_000);

  it("is paid once by the same transaction while that is valid", async () => {
    const site = present(opened.site, "a deployment");
    await on(site, "ALGO", async (world) => {
      const { cashier, chain, shop } = world;
      const wallet = await fundedWallet(world, "ALGO");
      const address = newAddress("ALGO");
      await swallow("ALGO", 1);
      const payout = await cashier.pay({ wallet, alpha: "ALGO", amount: "20", address });
      const { txid } = await cashier.expectTransfer(payout, { status: status.confirmed });
      expect((await onlySigned(payout)).txid).toBe(txid);
      expect(await received(chain, "ALGO", address)).toBe(sum("20", "ALGO"));
      await shop.expectBalance(wallet, leftAfter("ALGO", payout), inFull("0", "ALGO"));
    });
  }, 900_000);
});

describe("a database restored while signed transactions of ADA and ALGO are valid", () => {
  it("adopts them, pays each payout once, issues no address again, and waits out what no record is left of", async () => {
    const alphas = ["ADA", "ALGO"] as const;
    const resume = (chain: Alpha): Promise<string> =>
      runSluice("resume", "--chain", chain, "--config", deployment.configFile);
    const signedFor = async ({ id }: Resource): Promise<readonly string[]> =>
      (await deployment.signedFor(id)).map(({ txid }) => txid);
    await opened.site?.close();
    opened.site = null;

    /** Requested before the backup, and signed after it. */
    const orders = await withTestSite(deployment, async (site) => {
      const wallets = {
        ADA: await on(site, "ADA", (world) => fundedWallet(world, "ADA")),
        ALGO: await on(site, "ALGO", (world) => fundedWallet(world, "ALGO")),
      };
      await deployment.killWorker();
      const made: { order: Order; payout: Resource }[] = [];
      for (const alpha of alphas) {
        const order: Order = {
          wallet: wallets[alpha],
          alpha,
          amount: "20",
          address: newAddress(alpha),
        };
        made.push({ order, payout: await on(site, alpha, ({ cashier }) => cashier.pay(order)) });
      }
      return made;
    });
    await deployment.killAll();
    await deployment.backUp();
    for (const alpha of alphas) await swallow(alpha, 1_000_000);
    await Promise.all([deployment.startApi(), deployment.startWorker()]);
    // The backup lacks these payouts and addresses altogether.
    const lost = await withTestSite(deployment, async (site) => {
      const made: { order: Order; payout: Resource; depositId: string }[] = [];
      for (const { order, payout } of orders) {
        await on(site, order.alpha, async ({ cashier, shop }) => {
          const another = { ...order, amount: "10", address: newAddress(order.alpha) };
          const requested = await cashier.pay(another);
          for (const one of [payout, requested]) await cashier.expectSent(one);
          const { id } = await shop.deposit(order.wallet);
          made.push({ order: another, payout: requested, depositId: id });
        });
      }
      const rows = await site.sql<{ readonly address: string }>(
        "select address from address where deposit_id = any($1::bigint[])",
        [made.map(({ depositId }) => depositId)],
      );
      return { made, addresses: rows.map(({ address }) => address) };
    });
    expect(lost.addresses).toHaveLength(2);
    const payouts = [...orders, ...lost.made];
    const signed = await Promise.all(payouts.map(({ payout }) => signedFor(payout)));
    expect(signed.map(({ length }) => length)).toEqual([1, 1, 1, 1]);

    await deployment.killAll();
    await deployment.restore();
    await deployment.startApi();
    await deployment.startWorker();
    await eventually(
      () => deployment.workerLog(),
      // One transaction of ADA may pay both of its payouts.
      (log) => log.split("a signed transaction was adopted").length > new Set(signed.flat()).size,
    );
    for (const alpha of alphas) await swallow(alpha, 0);

    await withTestSite(deployment, async (site) => {
      await on(site, "ADA", async ({ cashier, chain }) => {
        for (const txid of [signed[0], signed[2]].flat()) await untilInPool(txid ?? "");
        await chain.mine(currencyOf("ADA").confirmationBlocks);
        await cashier.expectTransfer(present(orders[0], "a payout").payout, {
          status: status.confirmed,
          txid: signed[0]?.[0] ?? "",
        });
        // The coins say what may still be spent: there is nothing to wait for.
        await eventually(
          () => resume("ADA").catch(String),
          (printed) => !printed.startsWith("Error"),
        );
      });
      await on(site, "ALGO", async ({ cashier, chain }) => {
        await cashier.expectTransfer(present(orders[1], "a payout").payout, {
          status: status.confirmed,
          txid: signed[1]?.[0] ?? "",
        });
        await chain.mine(2);
        await expect(resume("ALGO")).rejects.toThrow("block of that time or later: ALGO at");
        await command("ALGO", "/mine", hourOfBlocks);
        await chain.caughtUp();
        await eventually(
          () => resume("ALGO").catch(String),
          (printed) => !printed.startsWith("Error"),
        );
      });
      for (const [place, { order }] of payouts.entries())
        await on(site, order.alpha, async ({ chain }) => {
          expect([place, await received(chain, order.alpha, order.address)]).toEqual([
            place,
            sum(order.amount, order.alpha),
          ]);
        });
      expect(await Promise.all(payouts.map(({ payout }) => signedFor(payout)))).toEqual(signed);
      // The lost payouts are the operator's loss: the wallets no longer know of them. New ones are paid, at new addresses.
      for (const { order, payout } of orders)
        await on(site, order.alpha, async ({ cashier, chain, shop }) => {
          const { alpha, wallet } = order;
          await shop.expectBalance(wallet, leftAfter(alpha, payout), inFull("0", alpha));
          for (let count = 0; count < 3; count += 1)
            expect(lost.addresses).not.toContain(await payableDeposit(shop, wallet));
          const address = newAddress(alpha);
          const later = await cashier.pay({ wallet, alpha, amount: "5", address });
          await cashier.expectSent(later);
          if (alpha === "ADA") await untilInPool((await onlySigned(later)).txid);
          await chain.mine(currencyOf(alpha).confirmationBlocks);
          await cashier.expectTransfer(later, { status: status.confirmed });
          expect(await received(chain, alpha, address)).toBe(sum("5", alpha));
        });
    });
  }, 900_000);
});

/** The node's refusal of a transaction in hexadecimal; empty if it takes it. */
async function submitAlgorand(raw: string): Promise<string> {
  const { rpc_token, rpc_url } = deployment.chains["ALGO"] as AlgorandSite;
  const response = await fetch(`${rpc_url}/v2/transactions`, {
    method: "POST",
    headers: { "x-algo-api-token": rpc_token },
    body: Buffer.from(raw, "hex"),
  });
  const { message = "" } = (await response.json()) as { readonly message?: string };
  return message;
}

/** The same of Cardano's node, as JSON text. */
async function submitCardano(cbor: string): Promise<string> {
  const { rpc_url } = present(deployment.chains["ADA"], "Cardano's node");
  const request = {
    jsonrpc: "2.0",
    method: "submitTransaction",
    params: { transaction: { cbor } },
  };
  const response = await fetch(rpc_url, { method: "POST", body: JSON.stringify(request) });
  return JSON.stringify(((await response.json()) as JsonObject)["error"]);
}

/** Waits until the transaction is in the node's mempool: it is broadcast again from time to time. */
async function untilInPool(txid: string): Promise<void> {
  const { rpc_url } = present(deployment.chains["ADA"], "Cardano's node");
  await eventually(
    () => readMempool(rpc_url.replace(/^http/, "ws")),
    (waiting) => waiting.some(({ id }) => id === txid),
  );
}
