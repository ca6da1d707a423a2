import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pausePayouts, resumePausedPayouts } from "../../src/main/commands/pause-payouts.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { expectWholeBooks } from "../scenarios/cases/whole-books.ts";
import { bookedFor, spendOf } from "../scenarios/support/books.ts";
import { withoutConfirmations } from "../scenarios/support/callbacks.ts";
import { type Cashier, openCashier, someone, textOf } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { burntBy } from "../scenarios/support/chain-facts.ts";
import { patienceMs } from "../scenarios/support/define-scenario.ts";
import type { Deployment } from "../scenarios/support/deployment.ts";
import { amountOf, less, unitsOf } from "../scenarios/support/money.ts";
import { startSandboxDeployment } from "../scenarios/support/sandbox-deployment.ts";
import { addressOf, depositStatus, type Shop, withShop } from "../scenarios/support/shop.ts";
import { currencyOf, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { libauthPayer } from "../support/libauth-payer.ts";
import { bitcoinjsPayer, type OutsidePayer } from "../support/outside-payer.ts";
import { utxoLibPayer } from "../support/utxo-lib-payer.ts";

/*
 * The whole loop on each coin of the Bitcoin family, in one sandbox, over HTTP: deposit, partial payment, a reorg of three blocks with
 * a double spend, twenty payouts in one transaction, a refund. A library of another project signs every payment to the service.
 */

type TestedCoin = {
  readonly alpha: string;
  /** In whole coins: the size of a payout; all other amounts are multiples of it, and the payer's fee is a hundredth. */
  readonly piece: string;
  readonly payer: OutsidePayer;
};

const coins: readonly TestedCoin[] = [
  {
    alpha: "BTC",
    piece: "0.01",
    payer: bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0xc4, segwit: "bcrt" }),
  },
  {
    alpha: "LTC",
    piece: "0.01",
    payer: bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0x3a, segwit: "rltc" }),
  },
  { alpha: "BCH", piece: "0.01", payer: libauthPayer() },
  { alpha: "ZEC", piece: "0.01", payer: utxoLibPayer() },
  {
    alpha: "DOGE",
    piece: "1",
    payer: bitcoinjsPayer({ publicKeyHash: 0x6f, scriptHash: 0xc4, segwit: null }),
  },
  {
    alpha: "DASH",
    piece: "0.01",
    payer: bitcoinjsPayer({ publicKeyHash: 0x8c, scriptHash: 0x13, segwit: null }),
  },
];

const opened: { deployment: Deployment | null; site: TestSite | null } = {
  deployment: null,
  site: null,
};
beforeAll(async () => {
  const chains = coins.map(({ alpha }) => alpha).join(",");
  opened.deployment = await startSandboxDeployment({ SLUICE_CHAINS: chains });
  opened.site = await openTestSite(opened.deployment);
  // Nodes, a database, keys and three processes start in seconds, or minutes on a busy machine.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await opened.deployment?.stop();
});

type World = {
  readonly coin: TestedCoin;
  readonly site: TestSite;
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly cashier: Cashier;
  /** So many pieces, as responses show them. */
  readonly pieces: (count: number) => string;
};

describe.each(coins)("$alpha", (coin) => {
  it("completes deposits, payouts and a refund exactly, through a reorg with a double spend", {
    timeout: patienceMs,
  }, () => {
    const { alpha, piece } = coin;
    const site = present(opened.site, "the sandbox");
    return withShop(site, (shop) =>
      site.onChain(alpha, async (chain) => {
        const cashier = openCashier(site, shop, site.cashier);
        const pieces = (count: number) => amountOf(unitsOf(piece, alpha) * BigInt(count), alpha);
        const world: World = { coin, site, shop, chain, cashier, pieces };
        const wallet = await shop.wallet("enterprise", alpha);
        await receive(world, wallet);
        await receiveInParts(world);
        await survivesReorg(world);
        await payTwenty(world, wallet);
        await refundSurplus(world);
      }),
    );
  });
});

describe("the books", () => {
  it("match each chain, which reconciliation has confirmed", { timeout: patienceMs }, async () => {
    const site = present(opened.site, "the sandbox");
    await expectWholeBooks(site);
    for (const { alpha } of coins) {
      const [row] = await eventually(
        () =>
          site.sql<{ ledger: bigint; chain: bigint; isNewest: boolean }>(
            `select r.ledger_units as ledger, r.chain_units as chain, r.height = c.height as "isNewest"
           from reconciliation r join chain_cursor c on c.chain = r.chain where r.currency = $1`,
            [currencyOf(alpha).id],
          ),
        ([newest]) => newest?.isNewest === true,
        180,
      );
      expect(row?.ledger).toBeGreaterThan(0n);
      expect(row).toEqual({ ledger: row?.ledger, chain: row?.ledger, isNewest: true });
    }
  });
});

/** Signs a payment from a coin of the payer's own, which is in a block. */
async function signPayment({ coin, chain, pieces }: World, address: string, units: bigint) {
  const feeUnits = unitsOf(coin.piece, coin.alpha) / 100n;
  const size = amountOf(units + feeUnits + unitsOf(pieces(1), coin.alpha), coin.alpha);
  const funding = await chain.node.command<string>("getrawtransaction", [
    await chain.pay(coin.alpha, coin.payer.address, size),
  ]);
  await chain.mine(1);
  const spend = (to: string) => coin.payer.spend(funding, [{ address: to, units }], feeUnits);
  return { raw: await spend(address), rawElsewhere: await spend(coin.payer.address) };
}

/** Resolves with the transaction's id. */
async function pay(world: World, address: string, amount: string): Promise<string> {
  const { raw } = await signPayment(world, address, unitsOf(amount, world.coin.alpha));
  return await send(world, raw);
}

function send({ chain }: World, raw: string): Promise<string> {
  return chain.node.command<string>("sendrawtransaction", [raw]);
}

/** The most confirmations that a currency needs in the sandbox. */
const confirmationsMax = 12;

function confirmationsOf({ coin }: World): number {
  return Math.min(currencyOf(coin.alpha).confirmationBlocks, confirmationsMax);
}

async function confirm(world: World): Promise<void> {
  await world.chain.mine(confirmationsOf(world));
}

async function receive(world: World, wallet: string): Promise<void> {
  const { shop, pieces } = world;
  const deposit = await shop.deposit(wallet);
  const amount = pieces(25);
  const txid = await pay(world, addressOf(deposit), amount);
  await shop.expectTransfer(deposit, { status: 1, confirmations: 0, amount, txid });
  await shop.expectBalance(wallet, pieces(0), amount);
  await shop.expectNoCallbacks(deposit);
  await confirm(world);
  await shop.expectTransfer(deposit, { status: 2, amount, txid });
  await shop.expectBalance(wallet, amount, pieces(0));
  await shop.expectCallbacks(deposit, [`transfer 2 ${amount} (${confirmationsOf(world)})`]);
}

/** An invoice of 100 dollars in that coin, and what its parts are worth. */
async function bill({ coin, shop }: World) {
  const wallet = await shop.wallet("merchant", "USD");
  const deposit = await shop.deposit(wallet, { target_amount_requested: "100.00" }, coin.alpha);
  const requested = unitsOf(textOf(deposit.attributes, "source_amount_requested"), coin.alpha);
  const percent = (count: bigint) => amountOf((requested * count) / 100n, coin.alpha);
  return { wallet, deposit, percent };
}

async function receiveInParts(world: World): Promise<void> {
  const { shop } = world;
  const { wallet, deposit, percent } = await bill(world);
  await pay(world, addressOf(deposit), percent(40n));
  await shop.expectDeposit(deposit, { target_paid: "0.00", target_paid_pending: "40.00" });
  await confirm(world);
  await shop.expectDeposit(deposit, { status: depositStatus.created, target_paid: "40.00" });
  await shop.expectBalance(wallet, "0.00", "40.00");
  await pay(world, addressOf(deposit), percent(60n));
  await confirm(world);
  await shop.expectDeposit(deposit, { status: depositStatus.paid, target_paid: "100.00" });
  await shop.expectBalance(wallet, "100.00", "0.00");
  await shop.expectCallbackCount(deposit, 3);
  expect(withoutConfirmations(await shop.callbacks(deposit))).toEqual([
    `transfer 2 ${percent(40n)}`,
    `transfer 2 ${percent(60n)}`,
    "status 3",
  ]);
}

/** Of two payments three blocks deep, one is mined again and credited once; the coin of the other pays its payer instead. */
async function survivesReorg(world: World): Promise<void> {
  const { coin, shop, chain, pieces } = world;
  const wallet = await shop.wallet("enterprise", coin.alpha);
  const [lucky, robbed] = [await shop.deposit(wallet), await shop.deposit(wallet)];
  const units = unitsOf(pieces(3), coin.alpha);
  const kept = await signPayment(world, addressOf(lucky), units);
  const reversed = await signPayment(world, addressOf(robbed), units);
  const txid = await send(world, kept.raw);
  await send(world, reversed.raw);
  await chain.mine(3);
  for (const deposit of [lucky, robbed]) await shop.expectTransfer(deposit, { confirmations: 3 });

  await replaceBlocks(world, 3, reversed.rawElsewhere);
  await shop.expectTransfer(robbed, { status: -3, confirmations: 0 });
  await shop.expectTransfer(lucky, { status: 1, confirmations: 0, txid });
  await shop.expectBalance(wallet, pieces(0), pieces(3));
  await confirm(world);
  await shop.expectTransfer(lucky, { status: 2, txid });
  await shop.expectBalance(wallet, pieces(3), pieces(0));
  await shop.expectDeposit(robbed, { target_paid: pieces(0), target_paid_pending: pieces(0) });
}

/** Replaces the newest blocks by one more, the first of which contains only that transaction. */
async function replaceBlocks(
  { chain: { node, site }, coin }: World,
  depth: number,
  raw: string,
): Promise<void> {
  if (site.family === "utxo" && site.sandbox_url !== undefined) {
    await ask(`${site.sandbox_url}/reorg`, { depth, include: [raw] });
    const only = [coin.payer.idOf(raw)];
    await ask(`${site.sandbox_url}/mine`, { blocks: depth + 1, only });
    return;
  }
  const height = await node.command<number>("getblockcount");
  const oldest = await node.command<string>("getblockhash", [height - depth + 1]);
  await node.command("invalidateblock", [oldest]);
  for (let count = 0; count <= depth; count += 1) {
    const address = await node.faucet<string>("getnewaddress");
    await node.command("generateblock", [address, count === 0 ? [raw] : []]);
  }
}

/** Sends a command to a simulated node's control endpoint. */
async function ask(url: string, body: object): Promise<void> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  expect(response.status, url).toBe(200);
}

async function payTwenty(world: World, wallet: string): Promise<void> {
  const { coin, site, shop, chain, cashier, pieces } = world;
  const { alpha } = coin;
  const { confirmed } = await shop.balance(wallet);
  const addresses: string[] = [];
  for (let count = 0; count < 20; count += 1)
    addresses.push(await chain.node.faucet<string>("getnewaddress"));
  const order = { wallet, alpha, amount: pieces(1) };
  const { medium: fee } = await cashier.calculate({ ...order, address: addresses[0] ?? "" });
  const clerk = openCashier(site, shop, site.clerk);
  const payouts = [];
  for (const address of addresses)
    payouts.push(await clerk.pay({ ...order, address, attributes: { fee_amount: fee } }));
  // Held until the last one of them is approved and screened; otherwise the first ones would be sent alone.
  const { configFile } = site.deployment;
  const pause = { kind: "wallet", walletId: wallet } as const;
  await pausePayouts(configFile, pause, "until all are there", site.terminal);
  for (const payout of payouts) await cashier.approve(payout);
  for (const payout of payouts) await cashier.expectTransfer(payout, { status: 0, risk_status: 1 });
  await resumePausedPayouts(configFile, pause, site.terminal);
  const txids = new Set<string>();
  for (const payout of payouts)
    txids.add(textOf(await cashier.expectTransfer(payout, { status: 1 }), "txid"));
  expect(txids.size).toBe(1);
  await confirm(world);
  for (const payout of payouts) await cashier.expectTransfer(payout, { status: 2, fee });
  for (const address of addresses) expect(await receivedBy(world, address)).toBe(pieces(1));
  const charged = addresses.flatMap(() => [pieces(1), fee]);
  await shop.expectBalance(wallet, less(String(confirmed), charged, alpha), pieces(0));
  const [txid = ""] = txids;
  const burnt = await burntBy(chain, txid);
  expect(burnt).toBeLessThanOrEqual(20n * unitsOf(fee, alpha));
  const { id } = currencyOf(alpha);
  expect(await bookedFor(site, await spendOf(site, present(payouts[0], "a payout")))).toEqual({
    [`chain/${id}`]: -burnt,
    [`fees/${id}`]: burnt,
  });
}

/** What an address of the faucet has received, by the node. */
async function receivedBy({ coin, chain }: World, address: string): Promise<string> {
  const received = await chain.node.faucet<number>("getreceivedbyaddress", [address]);
  return amountOf(unitsOf(String(received), coin.alpha), coin.alpha);
}

async function refundSurplus(world: World): Promise<void> {
  const { coin, shop, chain, cashier } = world;
  const { wallet, deposit, percent } = await bill(world);
  await pay(world, addressOf(deposit), percent(150n));
  await confirm(world);
  await shop.expectDeposit(deposit, { status: depositStatus.unresolved, target_paid: "150.00" });
  const address = await chain.node.faucet<string>("getnewaddress");
  const quote = await cashier.client.post(`/deposit/${deposit.id}/resolve/calculate/`, {
    data: { type: "payout-calculation", attributes: { action: "refund", to_address: address } },
  });
  const { medium: fee } = quote.attributes["fee"] as { readonly medium: string };
  const answer = await cashier.client.ask(
    "POST",
    `/deposit/${deposit.id}/resolve/`,
    {
      data: {
        type: "deposit",
        attributes: { action: "refund", address, fee_amount: fee, travel_rule_info: someone },
      },
    },
    { "idempotency-key": systemRandom.uuid() },
  );
  expect(answer.status, answer.text).toBe(200);
  const { meta } = JSON.parse(answer.text) as { readonly meta: { readonly payout_id: string } };
  const payout = await cashier.client.get(`/payout/${meta.payout_id}/`);
  await cashier.expectSent(payout);
  await confirm(world);
  await cashier.expectTransfer(payout, { status: 2, fee });
  expect(await receivedBy(world, address)).toBe(less(percent(150n), [fee], coin.alpha));
  await shop.expectDeposit(deposit, { status: depositStatus.canceled });
  await shop.expectBalance(wallet, "0.00", "0.00");
}
