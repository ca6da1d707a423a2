import { Block, Transaction } from "bitcoinjs-lib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { fundedWallet, newEvmAddress, openCashier } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { daemonOf } from "../scenarios/support/define-scenario.ts";
import { unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { addressOf, type Shop, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, inFull, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { type RpcGateway, startGateway } from "../support/rpc-gateway.ts";

/*
 * A deployment of api, worker and signer processes whose chains have two nodes each: the preferred one lies, the other is honest.
 * Lies: a reverted payout, a repeated log, an inflated payment, and a branch of Bitcoin blocks with an inflated payment.
 */

type Fields = Readonly<Record<string, unknown>>;
type Nodes = { readonly lying: RpcGateway; readonly honest: RpcGateway };

const opened: { deployment: RestorableDeployment | null; site: TestSite | null } = {
  deployment: null,
  site: null,
};
const gateways = new Map<string, Nodes>();

beforeAll(async () => {
  const found = daemonOf("BTC");
  if (found.kind !== "found") throw new Error("this test needs bitcoind");
  opened.deployment = await startRestorableDeployment({ BTC: found.path }, async (chain, url) => {
    const [lying, honest] = await Promise.all([startGateway(url), startGateway(url)]);
    gateways.set(chain, { lying, honest });
    return [lying.url, honest.url];
  });
  opened.site = await openTestSite(opened.deployment);
  // Two nodes, a database, keys and three processes.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await opened.deployment?.stop();
  for (const { lying, honest } of gateways.values())
    await Promise.all([lying.close(), honest.close()]);
});

const nodesOf = (chain: string): Nodes => present(gateways.get(chain), `the nodes of ${chain}`);

function stopLying(): void {
  for (const { lying } of gateways.values()) {
    lying.alter = (_method, _params, result) => result;
    lying.rewrite = (_method, params) => params;
  }
}
beforeEach(stopLying);

async function run(
  chain: string,
  work: (site: TestSite, shop: Shop, control: ChainControl) => Promise<void>,
): Promise<void> {
  const site = present(opened.site, "the deployment");
  await withShop(site, (shop) => site.onChain(chain, (control) => work(site, shop, control)));
}

/** Waits until the worker has recorded that this node contradicts the other one or returned a rejected response. */
async function expectDoubt(
  { sql }: TestSite,
  chain: string,
  kind: "disagrees" | "refused" | "silent",
) {
  const found = await eventually(
    () => sql<{ kind: string }>("select kind from node_doubt where chain = $1", [chain]),
    (doubts) => doubts.some((doubt) => doubt.kind === kind),
  );
  expect(found).toContainEqual({ kind });
}

async function payoutsSent({ sql }: TestSite, payout: Resource): Promise<number> {
  const rows = await sql("select from spend s join payout p on p.spend_id = s.id where p.id = $1", [
    payout.id,
  ]);
  return rows.length;
}

describe("a deployment with a lying node", () => {
  it("releases no payout that the node reports as reverted, and pays the receiver once", async () => {
    await run("ETH", async (site, shop, chain) => {
      const { lying } = nodesOf("ETH");
      const wallet = await fundedWallet(shop, chain, "ETH", "2");
      const receiver = newEvmAddress();
      lying.alter = (method, _params, result) => {
        const revert = (receipt: Fields): Fields => ({ ...receipt, status: "0x0", logs: [] });
        const isOurs = ({ to }: Fields): boolean => to === receiver.toLowerCase();
        if (result === null) return result;
        if (method === "eth_getTransactionReceipt")
          return isOurs(result as Fields) ? revert(result as Fields) : result;
        if (method === "eth_getBlockReceipts")
          return (result as readonly Fields[]).map((one) => (isOurs(one) ? revert(one) : one));
        return result;
      };
      const cashier = openCashier(site, shop, site.cashier);
      const payout = await cashier.pay({ wallet, alpha: "ETH", amount: "0.5", address: receiver });
      await cashier.expectSent(payout);
      await chain.mine(currencyOf("ETH").confirmationBlocks + 1);
      await expectDoubt(site, "ETH", "disagrees");
      const { confirmed } = await shop.balance(wallet);
      expect(Number(confirmed)).toBeLessThanOrEqual(1.5);
      expect(await unitsAt(chain, "ETH", [receiver])).toBe(unitsOf("0.5", "ETH"));

      stopLying();
      await cashier.expectTransfer(payout, { status: 2 });
      expect(await unitsAt(chain, "ETH", [receiver])).toBe(unitsOf("0.5", "ETH"));
      expect(await payoutsSent(site, payout)).toBe(1);
    });
  }, 900_000);

  it("credits a token payment once although the node repeats its log", async () => {
    await run("ETH", async (site, shop, chain) => {
      const { lying } = nodesOf("ETH");
      const wallet = await shop.wallet("enterprise", "USDT-ETH");
      const deposit = await shop.deposit(wallet);
      const repeat = (receipt: Fields): Fields => {
        const logs = receipt["logs"] as readonly Fields[];
        return { ...receipt, logs: [...logs, ...logs] };
      };
      lying.alter = (method, _params, result) => {
        if (method === "eth_getTransactionReceipt" && result !== null)
          return repeat(result as Fields);
        if (method === "eth_getBlockReceipts" && result !== null)
          return (result as readonly Fields[]).map(repeat);
        return result;
      };
      await chain.pay("USDT-ETH", addressOf(deposit), "5");
      await chain.mine(currencyOf("USDT-ETH").confirmationBlocks + 1);
      await expectDoubt(site, "ETH", "silent");
      expect(await shop.balance(wallet)).toEqual({
        confirmed: inFull("0", "USDT-ETH"),
        pending: inFull("5", "USDT-ETH"),
      });

      stopLying();
      await shop.expectBalance(wallet, inFull("5", "USDT-ETH"), inFull("0", "USDT-ETH"));
      expect(await shop.transfers(deposit)).toHaveLength(1);
    });
  }, 900_000);

  it("makes nothing payable of a Bitcoin payment that the node inflates on its own branch", async () => {
    await run("BTC", async (site, shop, chain) => {
      const { lying, honest } = nodesOf("BTC");
      const wallet = await shop.wallet("enterprise", "BTC");
      const deposit = await shop.deposit(wallet);
      const paidAt = (await chain.tip()).height + 1;
      lying.isCutOff = true;
      honest.isCutOff = true;
      const txid = await chain.pay("BTC", addressOf(deposit), "0.001");
      const { command } = chain.node;
      const depth = currencyOf("BTC").confirmationBlocks + 1;
      const address = await chain.node.faucet<string>("getnewaddress");
      await command("generatetoaddress", [depth, address]);
      lieAboutBranch(lying, await inflatedBranch(command, paidAt, depth, { txid, times: 1_000n }));
      lying.isCutOff = false;
      await shop.expectBalance(wallet, inFull("0", "BTC"), inFull("1", "BTC"));
      honest.isCutOff = false;
      await expectDoubt(site, "BTC", "disagrees");
      expect(await shop.balance(wallet)).toEqual({
        confirmed: inFull("0", "BTC"),
        pending: inFull("1", "BTC"),
      });

      stopLying();
      await chain.mine(1);
      await shop.expectBalance(wallet, inFull("0.001", "BTC"), inFull("0", "BTC"));
    });
  }, 900_000);

  it("makes nothing payable of a payment that the node inflates", async () => {
    await run("ETH", async (site, shop, chain) => {
      const { lying, honest } = nodesOf("ETH");
      const wallet = await shop.wallet("enterprise", "ETH");
      const deposit = await shop.deposit(wallet);
      const inflate = (transaction: Fields): Fields =>
        transaction["to"] === addressOf(deposit).toLowerCase()
          ? { ...transaction, value: `0x${unitsOf("2.4", "ETH").toString(16)}` }
          : transaction;
      lying.alter = (method, params, result) => {
        const isBlock = method === "eth_getBlockByHash" || method === "eth_getBlockByNumber";
        if (!isBlock || params[1] !== true || result === null) return result;
        const { transactions, ...block } = result as { transactions: readonly Fields[] };
        return { ...block, transactions: transactions.map(inflate) };
      };
      // So that the worker follows the lying node, whichever it used before.
      honest.isCutOff = true;
      await eventually(
        () =>
          site.sql<{ from: string }>(
            "select read_from as from from chain_block where chain = 'ETH' order by height desc limit 1",
          ),
        ([block]) => block?.from === new URL(lying.url).host,
      );
      await chain.pay("ETH", addressOf(deposit), "0.00001");
      await chain.mine(currencyOf("ETH").confirmationBlocks + 1);
      honest.isCutOff = false;
      await expectDoubt(site, "ETH", "disagrees");
      expect(await shop.balance(wallet)).toEqual({
        confirmed: inFull("0", "ETH"),
        pending: inFull("2.4", "ETH"),
      });
      const order = { wallet, alpha: "ETH", amount: "2.3", address: newEvmAddress() };
      await expect(openCashier(site, shop, site.cashier).ask(order)).rejects.toThrow(
        "Insufficient funds",
      );
    });
  }, 900_000);
});

type Command = ChainControl["node"]["command"];

/** Blocks from a height on as the lying node shows them, with replaced hashes and ids. */
type Branch = {
  readonly raw: ReadonlyMap<string, string>;
  /** Maps each real hash or id to the false one. */
  readonly names: ReadonlyMap<string, string>;
};

/** The real blocks with one payment multiplied, mined again: the branch is valid except for the spent amounts. */
async function inflatedBranch(
  command: Command,
  from: number,
  count: number,
  { txid, times }: { readonly txid: string; readonly times: bigint },
): Promise<Branch> {
  const raw = new Map<string, string>();
  const names = new Map<string, string>();
  let parent: Block | null = null;
  for (let height = from; height < from + count; height += 1) {
    const hash = await command<string>("getblockhash", [height]);
    const block = Block.fromHex(await command<string>("getblock", [hash, 0]));
    for (const transaction of block.transactions ?? [])
      if (transaction.getId() === txid) names.set(txid, inflate(transaction, times));
    if (parent !== null) block.prevHash = parent.getHash();
    block.merkleRoot = Block.calculateMerkleRoot(block.transactions ?? []);
    while (!block.checkProofOfWork()) block.nonce += 1;
    names.set(hash, block.getId());
    raw.set(block.getId(), block.toHex());
    parent = block;
  }
  return { raw, names };
}

/** Multiplies the outputs that pay a deposit's amount; resolves with the new id. */
function inflate(transaction: Transaction, times: bigint): string {
  for (const output of transaction.outs)
    if (output.value === unitsOf("0.001", "BTC")) output.value *= times;
  return transaction.getId();
}

function lieAboutBranch(lying: RpcGateway, { raw, names }: Branch): void {
  const real = new Map([...names].map(([name, falseName]) => [falseName, name]));
  const replace = <Value>(value: Value, by: ReadonlyMap<string, string>): Value => {
    let text = JSON.stringify(value);
    for (const [from, to] of by) text = text.replaceAll(from, to);
    return JSON.parse(text) as Value;
  };
  lying.rewrite = (_method, params) => replace(params, real);
  lying.alter = (method, params, result) =>
    method === "getblock" && params[1] === 0
      ? (raw.get(String(params[0])) ?? result)
      : replace(result, names);
}
