import csl from "@emurgo/cardano-serialization-lib-nodejs";
import algosdk from "algosdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { AlgorandSite } from "../../src/sandbox/sandbox-file.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { settled } from "../scenarios/support/callbacks.ts";
import { type Cashier, feeOf, openCashier } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { amountOf, unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, inFull, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { type NodeGateway, startNodeGateway } from "../support/node-gateway.ts";
import { addressOfKey } from "../support/private-cardano.ts";
import { postTo } from "../support/query-tron.ts";

/*
 * A deployment whose Cardano and Algorand have two nodes each, Ogmios with its Kupo and algod: one or both are cut off, one lags, one lies,
 * while deposits and payouts are under way. Both nodes are in front of one simulated ledger.
 */

type Alpha = "ADA" | "ALGO";
type Nodes = { readonly first: NodeGateway; readonly second: NodeGateway };

let deployment: RestorableDeployment;
let site: TestSite;
const gateways = new Map<string, Nodes>();

beforeAll(async () => {
  deployment = await startRestorableDeployment({ ADA: true, ALGO: true }, async (chain, url) => {
    if (chain !== "ADA" && chain !== "ALGO") return [url];
    const [first, second] = await Promise.all([startNodeGateway(url), startNodeGateway(url)]);
    gateways.set(chain, { first, second });
    return [first.url, second.url];
  });
  site = await openTestSite(deployment);
  // Three nodes, a database, keys and three processes.
}, 900_000);
afterAll(async () => {
  await site.close();
  await deployment.stop();
  for (const { first, second } of gateways.values())
    await Promise.all([first.close(), second.close()]);
});

const nodesOf = (chain: Alpha): Nodes => present(gateways.get(chain), `the nodes of ${chain}`);

function behave(gateway: NodeGateway): void {
  gateway.isCutOff = false;
  gateway.alter = (_path, answer) => answer;
  gateway.alterMessage = (text) => text;
}
beforeEach(() => {
  for (const { first, second } of gateways.values()) for (const one of [first, second]) behave(one);
});

type World = {
  readonly alpha: Alpha;
  readonly nodes: Nodes;
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly cashier: Cashier;
};

const run = (alpha: Alpha, work: (world: World) => Promise<void>): Promise<void> =>
  withShop(site, (shop) =>
    site.onChain(alpha, (chain) =>
      work({
        alpha,
        shop,
        chain,
        nodes: nodesOf(alpha),
        cashier: openCashier(site, shop, site.cashier),
      }),
    ),
  );

function newAddress(alpha: Alpha): string {
  return alpha === "ADA"
    ? addressOfKey(csl.PrivateKey.generate_ed25519())
    : algosdk.generateAccount().addr.toString();
}

/** A deposit that may be paid: on ALGO, once it is activated. */
async function payableDeposit(shop: Shop, wallet: string): Promise<Resource> {
  const deposit = await shop.deposit(wallet);
  const attributes = await settled(
    () => shop.read(deposit),
    ({ is_active }) => is_active === true,
  );
  return { ...deposit, attributes };
}

/** A wallet with 50 of the coin. */
async function fundedWallet({ alpha, chain, shop }: World): Promise<string> {
  const wallet = await shop.wallet("enterprise", alpha);
  await chain.pay(alpha, addressOf(await payableDeposit(shop, wallet)), "50");
  await chain.mine(currencyOf(alpha).confirmationBlocks);
  await shop.expectBalance(wallet, inFull("50", alpha), inFull("0", alpha));
  return wallet;
}

/** The node, by its host, from which the chain's newest block was read. */
async function readFrom(alpha: Alpha): Promise<string> {
  const [row] = await site.sql<{ readonly node: string }>(
    "select read_from as node from chain_block where chain = $1 order by height desc limit 1",
    [alpha],
  );
  return row?.node ?? "";
}

/** Makes blocks until the newest one was read from that node. */
async function untilReadFrom(chain: ChainControl, alpha: Alpha, { url }: NodeGateway) {
  await eventually(
    async () => {
      await chain.mine(1);
      return await readFrom(alpha);
    },
    (node) => node === new URL(url).host,
  );
}

async function expectDoubt(alpha: Alpha, kind: "disagrees" | "behind"): Promise<void> {
  const doubts = await eventually(
    () => site.sql<{ kind: string }>("select kind from node_doubt where chain = $1", [alpha]),
    (found) => found.some((doubt) => doubt.kind === kind),
  );
  expect(doubts).toContainEqual({ kind });
}

describe.each(["ADA", "ALGO"] as const)("%s with two nodes", (alpha) => {
  const none = inFull("0", alpha);
  const confirmations = currencyOf(alpha).confirmationBlocks;

  it("is read and paid through one while the other is cut off, and settled when both agree", async () => {
    await run(alpha, async (world) => {
      const { cashier, chain, nodes, shop } = world;
      const wallet = await fundedWallet(world);
      for (const away of [nodes.first, nodes.second]) {
        const left = away === nodes.first ? nodes.second : nodes.first;
        const before = String((await shop.balance(wallet)).confirmed);
        const deposit = await payableDeposit(shop, wallet);
        away.isCutOff = true;
        await chain.pay(alpha, addressOf(deposit), "3");
        const address = newAddress(alpha);
        const payout = await cashier.pay({ wallet, alpha, amount: "2", address });
        await cashier.expectSent(payout);
        await untilReadFrom(chain, alpha, left);
        await chain.mine(confirmations);
        // Seen, but the second opinion is away.
        await shop.expectTransfer(deposit, { amount: inFull("3", alpha), status: 1 });
        expect((await shop.balance(wallet)).pending).toBe(inFull("3", alpha));
        await eventually(
          () => unitsAt(chain, alpha, [address]).then(String),
          (units) => units === String(unitsOf("2", alpha)),
        );

        away.isCutOff = false;
        await chain.mine(1);
        await cashier.expectTransfer(payout, { status: 2 });
        await shop.expectTransfer(deposit, { status: 2 });
        const paid = unitsOf("2", alpha) + unitsOf(feeOf(payout), alpha);
        const now = unitsOf(before, alpha) + unitsOf("3", alpha) - paid;
        await shop.expectBalance(wallet, amountOf(now, alpha), none);
        expect(await deployment.signedFor(payout.id)).toHaveLength(1);
        expect(String(await unitsAt(chain, alpha, [address]))).toBe(String(unitsOf("2", alpha)));
      }
    });
  }, 900_000);

  it("continues where it was after both were away, and credits what was paid in the meantime", async () => {
    await run(alpha, async ({ chain, nodes, shop }) => {
      const wallet = await shop.wallet("enterprise", alpha);
      const deposits = [
        await payableDeposit(shop, wallet),
        await payableDeposit(shop, wallet),
      ] as const;
      await chain.caughtUp();
      const [cursor] = await site.sql<{ height: string }>(
        "select height from chain_cursor where chain = $1",
        [alpha],
      );
      nodes.first.isCutOff = true;
      nodes.second.isCutOff = true;
      // The control has the ledger itself; nothing is read in the meantime.
      for (const deposit of deposits) {
        await chain.pay(alpha, addressOf(deposit), "4");
        await command(alpha, "/mine", { blocks: 40 });
      }
      expect(await shop.transfers(deposits[0])).toEqual([]);
      nodes.second.isCutOff = false;
      for (const deposit of deposits)
        await shop.expectTransfer(deposit, { amount: inFull("4", alpha), status: 1 });
      nodes.first.isCutOff = false;
      await chain.mine(1);
      await shop.expectBalance(wallet, inFull("8", alpha), none);
      const [{ count } = { count: "" }] = await site.sql<{ count: string }>(
        `select count(*) as count
         from chain_cursor c, generate_series($2::bigint, c.height) as h (height)
         where c.chain = $1 and not exists (select from scanned_range s
           where s.chain = $1 and s.from_height <= h.height and s.to_height >= h.height)`,
        [alpha, Number(cursor?.height)],
      );
      expect(count).toBe("0");
    });
  }, 900_000);

  it("credits nothing before a node that lags has the block as deep", async () => {
    await run(alpha, async ({ chain, nodes, shop }) => {
      const wallet = await shop.wallet("enterprise", alpha);
      const deposit = await payableDeposit(shop, wallet);
      nodes.second.isCutOff = true;
      await untilReadFrom(chain, alpha, nodes.first);
      await freeze(alpha, nodes.second);
      nodes.second.isCutOff = false;
      await chain.pay(alpha, addressOf(deposit), "6");
      await chain.mine(confirmations + 1);
      await expectDoubt(alpha, "behind");
      await shop.expectTransfer(deposit, { amount: inFull("6", alpha), status: 1 });
      expect(await shop.balance(wallet)).toEqual({ confirmed: none, pending: inFull("6", alpha) });
      behave(nodes.second);
      await shop.expectBalance(wallet, inFull("6", alpha), none);
    });
  }, 900_000);

  it("makes nothing payable of a payment that one of them inflates", async () => {
    await run(alpha, async ({ cashier, chain, nodes, shop }) => {
      const wallet = await shop.wallet("enterprise", alpha);
      const deposit = await payableDeposit(shop, wallet);
      nodes.second.isCutOff = true;
      await untilReadFrom(chain, alpha, nodes.first);
      if (alpha === "ADA") {
        nodes.first.alterMessage = (text) =>
          text.replaceAll('"lovelace":3000001', '"lovelace":900000000');
        await chain.pay(alpha, addressOf(deposit), "3.000001");
      } else {
        nodes.first.alter = (path, answer) =>
          path.includes("/blocks/") ? { ...answer, body: inflateClosing(answer.body) } : answer;
        await closeInto(chain, addressOf(deposit));
      }
      await chain.mine(confirmations + 1);
      nodes.second.isCutOff = false;
      await expectDoubt(alpha, "disagrees");
      const inflated = inFull(alpha === "ADA" ? "900" : "901.999", alpha);
      expect(await shop.balance(wallet)).toEqual({ confirmed: none, pending: inflated });
      const order = { wallet, alpha, amount: "2", address: newAddress(alpha) };
      await expect(cashier.ask(order)).rejects.toThrow("Insufficient funds");
    });
  }, 900_000);
});

/** Commands the chain's ledger, past the gateways. */
function command(chain: Alpha, path: string, body: JsonObject): Promise<JsonObject> {
  const reached = deployment.chains[chain];
  if (reached?.family !== "cardano" && reached?.family !== "algorand")
    throw new Error(`no ledger of ${chain} runs`);
  return postTo(reached.sandbox_url, path, body);
}

type Tip = { readonly slot: number; readonly id: string; readonly height: number };

/** From now on the node has no newer block. */
async function freeze(alpha: Alpha, gateway: NodeGateway): Promise<void> {
  if (alpha === "ADA") {
    const newest = await command("ADA", "/swallow-broadcasts", { count: 0 });
    const { hash, height, slot } = newest as { hash: string; height: number; slot: number };
    const tip = { slot, id: hash, height };
    gateway.alterMessage = (text) => withTip(text, tip);
    return;
  }
  const newest = await command("ALGO", "/swallow-broadcasts", { count: 0 });
  const { round } = newest as { round: number };
  gateway.alter = (path, answer) => {
    const [, asked] = /^\/v2\/blocks\/(\d+)/.exec(path) ?? [];
    if (asked !== undefined && Number(asked) > round)
      return { status: 404, body: Buffer.from('{"message":"failed to retrieve information"}') };
    if (path !== "/v2/status" && path !== "/v2/transactions/params") return answer;
    const text = answer.body.toString().replace(/"last-round":\d+/, `"last-round":${round}`);
    return { ...answer, body: Buffer.from(text) };
  };
}

/** What Ogmios would send if its node had nothing above that block. */
function withTip(text: string, tip: Tip): string {
  type Result = {
    readonly tip?: { readonly slot: number };
    readonly intersection?: { readonly slot?: number };
  };
  const { result, ...answer } = JSON.parse(text) as { readonly result?: Result };
  if (result?.tip === undefined || result.tip.slot <= tip.slot) return text;
  if ((result.intersection?.slot ?? 0) <= tip.slot)
    return JSON.stringify({ ...answer, result: { ...result, tip } });
  const error = { code: 1_000, message: "No intersection found.", data: { tip } };
  return JSON.stringify({ ...answer, error });
}

/** An outside account closes itself, with 4.999 ALGO, into an address. */
async function closeInto(chain: ChainControl, address: string): Promise<void> {
  const payer = algosdk.generateAccount();
  await chain.pay("ALGO", payer.addr.toString(), "5");
  await chain.mine(1);
  const { rpc_token, rpc_url } = deployment.chains["ALGO"] as AlgorandSite;
  const { origin, port } = new URL(rpc_url);
  const client = new algosdk.Algodv2(rpc_token, origin.replace(/:\d+$/, ""), port);
  const transaction = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: payer.addr,
    receiver: address,
    amount: 0n,
    closeRemainderTo: address,
    suggestedParams: await client.getTransactionParams().do(),
  });
  const signer = algosdk.makeBasicAccountTransactionSigner(payer);
  const [signed] = await signer([transaction], [0]);
  await client.sendRawTransaction(present(signed, "a signature")).do();
}

/** Changes the amount that an account closed into another one, which a block's hash does not cover. */
function inflateClosing(block: Buffer): Buffer {
  // The key "ca" and a number of four bytes.
  const at = block.indexOf(Buffer.from([0xa2, 0x63, 0x61, 0xce]));
  if (at < 0) return block;
  const altered = Buffer.from(block);
  altered.writeUInt32BE(901_999_000, at + 4);
  return altered;
}
