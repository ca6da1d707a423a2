import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { utils } from "tronweb";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { fundedWallet, heldIn, openCashier } from "../scenarios/support/cashier.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { type Shop, withShop } from "../scenarios/support/shop.ts";
import { inFull, openTestSite, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import { commandLedger, postTo } from "../support/query-tron.ts";

/*
 * A payout of USDT-TRX whose broadcasts are lost until it has expired, on a deployment with two TRON nodes. The second one is
 * another ledger, which continued from the first one's blocks. Unless it confirms that no block contains the transaction, the
 * payout's money stays on hold.
 */

const alpha = "USDT-TRX";
/** Transactions of ours are valid for ten minutes. */
const pastExpirySeconds = 620;
/** More than the blocks above the solid one. */
const untilSolid = 21;
const status = { unconfirmed: 1, failed: -1 } as const;

const opened: {
  deployment: RestorableDeployment | null;
  site: TestSite | null;
  gateway: HttpGateway | null;
  second: PrivateTron | null;
} = { deployment: null, site: null, gateway: null, second: null };

beforeAll(async () => {
  opened.deployment = await startRestorableDeployment({ TRX: true }, async (chain, url) => {
    if (chain !== "TRX") return [url];
    opened.gateway = await startHttpGateway(url);
    return [url, opened.gateway.url];
  });
  opened.site = await openTestSite(opened.deployment);
  // Two nodes, a database, keys and three processes.
}, 900_000);
afterAll(async () => {
  await opened.site?.close();
  await opened.deployment?.stop();
  await opened.gateway?.close();
});
afterEach(async () => {
  await command("/swallow-broadcasts", { count: 0 });
  await returnSecondNode();
});

function command(path: string, body: Readonly<Record<string, string | number>>): Promise<void> {
  return commandLedger(present(opened.deployment, "the deployment").chains, path, body);
}

/** Starts a second ledger, which has the blocks that the first one has now, and puts it behind the second node's address. */
async function divertSecondNode(
  name: string,
  /** Blocks that it does not have although its chain contains them. */
  lacks: (height: number) => boolean = () => false,
): Promise<PrivateTron> {
  const { configFile } = present(opened.deployment, "the deployment");
  const home = dirname(configFile);
  const folder = join(home, name);
  await mkdir(folder);
  await copyFile(join(home, "TRX", "ledger.jsonl"), join(folder, "ledger.jsonl"));
  const second = await startPrivateTron(folder);
  opened.second = second;
  present(opened.gateway, "the second node").intercept = (path, body) =>
    path.endsWith("/getblock") && lacks(Number(body["id_or_num"]))
      ? {}
      : postTo(second.tron.url, path, body as Parameters<typeof postTo>[2]);
  return second;
}

/** The second node is on the first one's chain again. */
async function returnSecondNode(): Promise<void> {
  present(opened.gateway, "the second node").intercept = () => undefined;
  await opened.second?.stop();
  opened.second = null;
}

/** The first node's newest solid block. */
async function solidBlock(): Promise<{ readonly number: number }> {
  const { chains } = present(opened.deployment, "the deployment");
  const { rpc_url } = present(chains["TRX"], "the ledger");
  const { block_header } = (await postTo(rpc_url, "/walletsolidity/getblock", {})) as unknown as {
    readonly block_header: { readonly raw_data: { readonly number: number } };
  };
  return block_header.raw_data;
}

type LostPayout = {
  /** As it was broadcast, hexadecimal. */
  readonly raw: string;
  /** Past the transaction's validity, on the first node only. */
  readonly outlive: () => Promise<void>;
  /** Waits until the worker has asked the second node, which does not confirm. */
  readonly untilNotConfirmed: () => Promise<void>;
  /** The money is in the wallet again, and the receiver has nothing. */
  readonly expectReturned: () => Promise<void>;
};

/** A payout of 20 from a wallet with 50, whose broadcasts the first node swallows. */
async function withLostPayout(play: (lost: LostPayout) => Promise<void>): Promise<void> {
  const site = present(opened.site, "the deployment");
  const deployment = present(opened.deployment, "the deployment");
  await withShop(site, (shop: Shop) =>
    site.onChain("TRX", async (chain) => {
      const cashier = openCashier(site, shop, site.cashier);
      const wallet = await fundedWallet(shop, chain, alpha, "50");
      const address = utils.accounts.generateAccount().address.base58;
      await command("/swallow-broadcasts", { count: 1_000_000 });
      const payout = await cashier.pay({ wallet, alpha, amount: "20", address });
      await cashier.expectSent(payout);
      const [signed] = await deployment.signedFor(payout.id);
      const isHeld = async (): Promise<boolean> =>
        (await heldIn(site, wallet, alpha)) === inFull("20", alpha);
      const complaints = async (): Promise<number> =>
        (await deployment.workerLog()).split("a node does not confirm that a spend expired").length;
      await play({
        raw: present(signed, "what was signed").raw,
        outlive: async () => {
          await command("/mine", { blocks: 1, seconds: pastExpirySeconds });
          await command("/mine", { blocks: untilSolid });
          await chain.caughtUp();
        },
        untilNotConfirmed: async () => {
          const before = await complaints();
          await eventually(complaints, (count) => count > before, 60);
          expect((await cashier.transfer(payout)).attributes).toMatchObject({
            status: status.unconfirmed,
          });
          expect(await isHeld()).toBe(true);
        },
        expectReturned: async () => {
          await cashier.expectTransfer(payout, { status: status.failed });
          await shop.expectBalance(wallet, inFull("50", alpha), inFull("0", alpha));
          expect(await isHeld()).toBe(false);
          expect(await unitsAt(chain, alpha, [address])).toBe(0n);
          expect(await deployment.signedFor(payout.id)).toHaveLength(1);
        },
      });
    }),
  );
}

describe("the money of an expired payout on TRON", () => {
  it("stays on hold while the second node's chain contains the transaction", async () => {
    await withLostPayout(async (lost) => {
      const second = await divertSecondNode("other-branch");
      expect(
        await postTo(second.tron.url, "/wallet/broadcasthex", { transaction: lost.raw }),
      ).toMatchObject({ result: true });
      await second.mine(2 * untilSolid);
      await lost.outlive();
      await second.control("/mine", { blocks: 2 * untilSolid, seconds: pastExpirySeconds });
      await lost.untilNotConfirmed();

      await returnSecondNode();
      await lost.expectReturned();
    });
  }, 900_000);

  it("stays on hold while the second node lags behind the block that proves the expiry", async () => {
    await withLostPayout(async (lost) => {
      await divertSecondNode("lagging");
      await lost.outlive();
      await lost.untilNotConfirmed();

      await returnSecondNode();
      await lost.expectReturned();
    });
  }, 900_000);

  it("stays on hold while the second node keeps no blocks of the time in which the transaction was valid", async () => {
    await withLostPayout(async (lost) => {
      const gateway = present(opened.gateway, "the second node");
      const { number } = await solidBlock();
      gateway.isCutOff = true;
      await lost.outlive();
      await divertSecondNode("pruned", (height) => height < number);
      gateway.isCutOff = false;
      await lost.untilNotConfirmed();

      await returnSecondNode();
      await lost.expectReturned();
    });
  }, 900_000);
});
