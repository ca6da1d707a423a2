import { utils } from "tronweb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { SignedSpend } from "../../src/signer/intent.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { type Cashier, fundedWallet, heldIn, openCashier } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { type Shop, withShop } from "../scenarios/support/shop.ts";
import { inFull, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { commandLedger, postTo } from "../support/query-tron.ts";

/*
 * Payouts of USDT-TRX by api, worker and signer processes, whose transactions the network loses: the node swallows the broadcast,
 * or a fork drops the block. The ledger makes blocks on demand and its clock moves ahead of ours.
 */

const alpha = "USDT-TRX";
/** Transactions of ours are valid for ten minutes. Not much more: the signer signs nothing an hour ahead of its own clock. */
const pastExpirySeconds = 620;
/** More than the blocks above the solid one. */
const untilSolid = 21;
const status = { unconfirmed: 1, confirmed: 2, failed: -1 } as const;

const opened: { deployment: RestorableDeployment | null; site: TestSite | null } = {
  deployment: null,
  site: null,
};

beforeAll(async () => {
  opened.deployment = await startRestorableDeployment({ TRX: true });
  opened.site = await openTestSite(opened.deployment);
  // Two nodes, a database, keys and three processes.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await opened.deployment?.stop();
});
beforeEach(async () => {
  const { chains } = present(opened.deployment, "the deployment");
  await commandLedger(chains, "/swallow-broadcasts", { count: 0 });
});

type World = {
  readonly site: TestSite;
  readonly shop: Shop;
  readonly chain: ChainControl;
  readonly cashier: Cashier;
  readonly wallet: string;
  readonly hot: string;
  /** Commands the ledger. */
  readonly command: (path: string, body: JsonObject) => Promise<void>;
  /** Makes blocks, the first of them so much later, and waits until the service has read what is solid. */
  readonly mine: (blocks: number, seconds?: number) => Promise<void>;
  /** What is solid: units of the token at the receiver, and what our hot account has paid since the start. */
  readonly paid: (receiver: string) => Promise<{ received: bigint; spent: bigint }>;
};

/** A wallet with 50 USDT-TRX. */
async function run(work: (world: World) => Promise<void>): Promise<void> {
  const site = present(opened.site, "the deployment");
  await withShop(site, (shop) =>
    site.onChain("TRX", async (chain) => {
      const { chains } = site.deployment;
      const command: World["command"] = (path, body) => commandLedger(chains, path, body);
      const wallet = await fundedWallet(shop, chain, alpha, "50");
      const [account] = await site.sql<{ address: string }>(
        "select address from treasury_address where keyspace = 'TRX' and purpose = 'hot'",
      );
      const hot = present(account, "the hot account").address;
      const before = await unitsAt(chain, alpha, [hot]);
      await work({
        site,
        shop,
        chain,
        wallet,
        hot,
        command,
        cashier: openCashier(site, shop, site.cashier),
        mine: async (blocks, seconds = 0) => {
          await command("/mine", { blocks, seconds });
          await chain.caughtUp();
        },
        paid: async (receiver) => ({
          received: await unitsAt(chain, alpha, [receiver]),
          spent: before - (await unitsAt(chain, alpha, [hot])),
        }),
      });
    }),
  );
}

function newTronAddress(): string {
  return utils.accounts.generateAccount().address.base58;
}

/** The only transaction that the signer has ever signed for the payout. */
async function onlySigned(payout: Resource): Promise<SignedSpend> {
  const signed = await present(opened.deployment, "the deployment").signedFor(payout.id);
  expect(signed).toHaveLength(1);
  return signed[0] as SignedSpend;
}

const nothing = { received: 0n, spent: 0n };
const expiredMessage = "The network did not include the transaction before it expired";

/** The payout failed, its whole amount is in the wallet again, and the receiver has nothing. */
async function expectReturned(world: World, payout: Resource, receiver: string): Promise<void> {
  const { cashier, shop, site, wallet, paid } = world;
  await cashier.expectTransfer(payout, { status: status.failed, message: expiredMessage });
  await shop.expectBalance(wallet, inFull("50", alpha), inFull("0", alpha));
  expect(await heldIn(site, wallet, alpha)).toBe(inFull("0", alpha));
  expect(await paid(receiver)).toEqual(nothing);
}

/** The merchant pays the same again, which arrives once. */
async function payAnew(world: World, receiver: string): Promise<void> {
  const { cashier, shop, wallet, paid, mine } = world;
  const payout = await cashier.pay({ wallet, alpha, amount: "20", address: receiver });
  await cashier.expectSent(payout);
  await mine(untilSolid);
  await cashier.expectTransfer(payout, { status: status.confirmed });
  await onlySigned(payout);
  await mine(untilSolid);
  expect(await paid(receiver)).toEqual({
    received: unitsOf("20", alpha),
    spent: unitsOf("20", alpha),
  });
  await shop.expectBalance(wallet, inFull("30", alpha), inFull("0", alpha));
}

describe("a payout of USDT-TRX whose broadcasts the node swallows", () => {
  it("fails when its expiry is proven, returns its funds once, and is never paid", async () => {
    await run(async (world) => {
      const { site, cashier, wallet, command, mine, chain, paid } = world;
      const receiver = newTronAddress();
      await command("/swallow-broadcasts", { count: 1_000_000 });
      const payout = await cashier.pay({ wallet, alpha, amount: "20", address: receiver });
      await cashier.expectSent(payout);
      const { raw } = await onlySigned(payout);

      // Valid at first; then expired by a block that a fork may still replace.
      await mine(untilSolid);
      expect(await heldIn(site, wallet, alpha)).toBe(inFull("20", alpha));
      await mine(1, pastExpirySeconds);
      expect((await cashier.transfer(payout)).attributes).toMatchObject({
        status: status.unconfirmed,
      });
      expect(await heldIn(site, wallet, alpha)).toBe(inFull("20", alpha));

      await mine(untilSolid);
      await expectReturned(world, payout, receiver);

      await command("/swallow-broadcasts", { count: 0 });
      expect(
        await postTo(chain.site.rpc_url, "/wallet/broadcasthex", { transaction: raw }),
      ).toMatchObject({ result: false, code: "TRANSACTION_EXPIRATION_ERROR" });
      await mine(untilSolid);
      expect(await paid(receiver)).toEqual(nothing);
      await onlySigned(payout);
      await payAnew(world, receiver);
    });
  }, 900_000);
});

describe("a payout of USDT-TRX whose block a fork drops", () => {
  it("fails when its expiry is proven on the new fork, and later forks cannot contain it", async () => {
    await run(async (world) => {
      const { chain, cashier, wallet, command, mine, paid } = world;
      const receiver = newTronAddress();
      const payout = await cashier.pay({ wallet, alpha, amount: "20", address: receiver });
      await cashier.expectSent(payout);
      const { txid } = await onlySigned(payout);
      await mine(2);
      const transaction = await postTo(chain.site.rpc_url, "/wallet/gettransactionbyid", {
        value: txid,
      });
      expect(transaction).toMatchObject({ txID: txid });

      await command("/swallow-broadcasts", { count: 1_000_000 });
      await command("/reorg", { depth: 3, transactions: "drop" });
      await mine(untilSolid, pastExpirySeconds);
      await expectReturned(world, payout, receiver);

      await command("/swallow-broadcasts", { count: 0 });
      await command("/reorg", { depth: 19, include: [transaction] });
      await mine(2 * untilSolid);
      expect(await paid(receiver)).toEqual(nothing);
      await payAnew(world, receiver);
    });
  }, 900_000);

  it("is paid once by the same transaction when that is still valid", async () => {
    await run(async ({ cashier, shop, wallet, command, mine, paid, chain }) => {
      const receiver = newTronAddress();
      const payout = await cashier.pay({ wallet, alpha, amount: "20", address: receiver });
      await cashier.expectSent(payout);
      const { txid } = await onlySigned(payout);
      await mine(2);
      await command("/reorg", { depth: 3, transactions: "drop" });
      // The same bytes again, some time after the first broadcast.
      await eventually(
        () => postTo(chain.site.rpc_url, "/wallet/gettransactionlistfrompending", {}),
        ({ txId }) => Array.isArray(txId) && txId.includes(txid),
      );
      await mine(untilSolid);
      await cashier.expectTransfer(payout, { status: status.confirmed, txid });
      await mine(untilSolid);
      expect(await paid(receiver)).toEqual({
        received: unitsOf("20", alpha),
        spent: unitsOf("20", alpha),
      });
      await onlySigned(payout);
      await shop.expectBalance(wallet, inFull("30", alpha), inFull("0", alpha));
    });
  }, 900_000);
});
