import { utils } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import { feeOf, fundedWallet, openCashier } from "../scenarios/support/cashier.ts";
import type { ChainControl } from "../scenarios/support/chain-control.ts";
import { unitsAt } from "../scenarios/support/chain-facts.ts";
import { less, unitsOf } from "../scenarios/support/money.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { runSluice } from "../scenarios/support/run-sluice.ts";
import { withShop } from "../scenarios/support/shop.ts";
import { currencyOf, inFull, type TestSite } from "../scenarios/support/test-site.ts";
import { eventually } from "../support/eventually.ts";
import { commandLedger, postTo } from "../support/query-tron.ts";
import { withTestSite } from "../support/with-test-site.ts";

/*
 * The database is restored from a backup while TRON transactions that it does not know are signed and still valid. Accounts have no
 * sequence there, so nothing on the chain prevents a second payment: only the signer's journal and the chain's time do.
 */

/** The signer signs nothing that is valid longer than an hour. */
const pastValiditySeconds = 3_700;
/** More than the blocks above the solid one. */
const untilSolid = 21;

let opened: RestorableDeployment | null = null;
beforeAll(async () => {
  opened = await startRestorableDeployment({ TRX: true });
  // Two nodes, a database, keys and three processes start in seconds, or minutes on a busy machine.
}, 900_000);
afterAll(() => opened?.stop());

const newTronAddress = (): string => utils.accounts.generateAccount().address.base58;

describe("a database restored while signed TRON transactions are valid", () => {
  it("adopts them, pays each payout once, and signs nothing beside them", async () => {
    const deployment = present(opened, "the deployment");
    const { chains } = deployment;
    const resume = (...which: readonly string[]): Promise<string> =>
      runSluice("resume", ...which, "--config", deployment.configFile);
    const signedFor = async ({ id }: Resource): Promise<readonly string[]> =>
      (await deployment.signedFor(id)).map(({ txid }) => txid);

    // Requested before the backup, signed after it.
    const { token, coin, payouts } = await withTestSite(deployment, (site) =>
      withShop(site, (shop) =>
        site.onChain("TRX", async (chain) => {
          const cashier = openCashier(site, shop, site.cashier);
          const tokens = await fundedWallet(shop, chain, "USDT-TRX", "50");
          const coins = await fundedWallet(shop, chain, "TRX", "100");
          await deployment.killWorker();
          const orders = {
            token: { wallet: tokens, alpha: "USDT-TRX", amount: "20", address: newTronAddress() },
            coin: { wallet: coins, alpha: "TRX", amount: "30", address: newTronAddress() },
          };
          const tokenPayout = await cashier.pay(orders.token);
          return { ...orders, payouts: [tokenPayout, await cashier.pay(orders.coin)] as const };
        }),
      ),
    );
    await deployment.killAll();
    await deployment.backUp();
    await commandLedger(chains, "/swallow-broadcasts", { count: 1_000_000 });
    await Promise.all([deployment.startApi(), deployment.startWorker()]);
    // The backup lacks this payout altogether.
    const lostOrder = { ...token, amount: "10", address: newTronAddress() };
    const lost = await withTestSite(deployment, (site) =>
      withShop(site, async (shop) => {
        const cashier = openCashier(site, shop, site.cashier);
        const payout = await cashier.pay(lostOrder);
        for (const one of [...payouts, payout]) await cashier.expectSent(one);
        return payout;
      }),
    );
    const signed = await Promise.all([...payouts, lost].map(signedFor));
    expect(signed.map((txids) => txids.length)).toEqual([1, 1, 1]);

    await deployment.killAll();
    await deployment.restore();
    await deployment.startApi();
    await deployment.startWorker();
    await eventually(
      () => deployment.workerLog(),
      (log) => log.split("a signed transaction was adopted").length > signed.length,
    );

    await withTestSite(deployment, (site) =>
      withShop(site, (shop) =>
        site.onChain("TRX", async (chain) => {
          const cashier = openCashier(site, shop, site.cashier);
          await commandLedger(chains, "/swallow-broadcasts", { count: 0 });
          // The same transactions are broadcast again while new payouts are paused; blocks made before would let them expire.
          await eventually(
            () => postTo(chain.site.rpc_url, "/wallet/gettransactionlistfrompending", {}),
            ({ txId }) => Array.isArray(txId) && signed.flat().every((txid) => txId.includes(txid)),
          );
          await chain.mine(untilSolid);
          await expect(resume("--chain", "TRX")).rejects.toThrow(
            "block of that time or later: TRX at",
          );
          const another = { ...token, amount: "5", address: newTronAddress() };
          await expect(cashier.ask(another)).rejects.toThrow("Payouts of USDT-TRX are paused");

          for (const [place, payout] of payouts.entries())
            await cashier.expectTransfer(payout, { status: 2, txid: signed[place]?.[0] ?? "" });
          await commandLedger(chains, "/mine", {
            blocks: untilSolid,
            seconds: pastValiditySeconds,
          });
          await eventually(
            () => resume("--chain", "TRX").catch(String),
            (printed) => !printed.startsWith("Error"),
          );
          await chain.mine(untilSolid);

          expect(await receivedBy(chain, [token, coin, lostOrder])).toEqual([
            unitsOf("20", "USDT-TRX"),
            unitsOf("30", "TRX"),
            unitsOf("10", "USDT-TRX"),
          ]);
          // The lost payout is the operator's loss: the wallet no longer knows of it.
          await shop.expectBalance(token.wallet, inFull("30", "USDT-TRX"), inFull("0", "USDT-TRX"));
          const coinsLeft = less("100", ["30", feeOf(payouts[1])], "TRX");
          await shop.expectBalance(coin.wallet, coinsLeft, inFull("0", "TRX"));
          expect(await Promise.all([...payouts, lost].map(signedFor))).toEqual(signed);
          for (const alpha of ["TRX", "USDT-TRX"])
            expect([alpha, await difference(site, chain, alpha)]).toEqual([alpha, 0n]);
        }),
      ),
    );
  }, 900_000);
});

type Order = { readonly alpha: string; readonly address: string };

function receivedBy(chain: ChainControl, orders: readonly Order[]): Promise<readonly bigint[]> {
  return Promise.all(orders.map(({ alpha, address }) => unitsAt(chain, alpha, [address])));
}

/** The balance of our addresses beyond the books, once all is solid. */
async function difference({ sql }: TestSite, chain: ChainControl, alpha: string): Promise<bigint> {
  const [booked] = await sql<{ units: bigint }>(
    `select sum(case when debit = $1 then units else -units end)::numeric as units
     from posting where $1 in (debit, credit)`,
    [`chain/${currencyOf(alpha).id}`],
  );
  const rows = await sql<{ address: string }>(
    `select address from deposit where chain = 'TRX' and address is not null
     union select address from treasury_address where keyspace = 'TRX'`,
  );
  const held = await unitsAt(
    chain,
    alpha,
    rows.map(({ address }) => address),
  );
  return held - (booked?.units ?? 0n);
}
