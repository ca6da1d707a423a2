import { type BareWork, findBareRunner } from "./bare-sql.ts";
import type { BenchSite } from "./bench-site.ts";
import { processorSeconds } from "./child-process.ts";
import { logIn } from "./deployment.ts";
import { halfLoadSeconds, loadAtHalf, loadHttp } from "./http-load.ts";
import type { LoadOrder } from "./http-load-process.ts";
import { median, sideBySide } from "./measure.ts";
import { openPayingSite, type PayingSite, startPaidChain } from "./paying-site.ts";
import { arrangePayingWallets, askFee, firstWalletId, payeesOf } from "./paying-wallets.ts";
import { type Range, recordPayout } from "./payout-statements.ts";
import { metered, type Spent, spentFindings } from "./processor-time.ts";
import { boundFinding, type Finding, latencyFinding, rateFinding } from "./report.ts";
import { ether, freshMark, payoutDocument } from "./sample-payout.ts";

const rounds = 3;
const seconds = 4;
const warmUpSeconds = 6;
const manyWallets = 1_000;
const payees = 100;
const amount = "0.01";

/**
 * Payouts of ether over HTTP, each in one transaction (key, balance check, hold, postings, row, transfer),
 * compared with pgbench running the same statements; from a thousand wallets, and from a single one.
 */
export async function benchPayouts(site: BenchSite): Promise<readonly Finding[]> {
  const bare = await findBareRunner();
  const chain = await startPaidChain(site, "ETH");
  if (chain === null) return [];
  const paying = await openPayingSite(site, "payouts", [chain]);
  // The payouts are not sent, because sending would be measured too.
  await paying.stopWorker();
  const { deployment, tenant } = paying;
  const ids = { first: firstWalletId, count: manyWallets + 1 };
  const wallets = await arrangePayingWallets(deployment, tenant, ether, ids);
  const [busy = "", ...many] = wallets;
  const [address = ""] = payeesOf(ether, 1);
  const feeAmount = await askFee(deployment, tenant, {
    walletId: busy,
    currency: ether,
    address,
    amount,
  });
  const sample = { walletId: busy, currencyId: ether, address, amount, feeAmount };
  const from = ids.first + 1;
  const statements = await recordPayout(deployment, tenant, sample);
  // As in a deployment with earlier payouts and current statistics.
  const warmUp = await loadOrder(paying, wallets, feeAmount);
  await loadHttp(site, { ...warmUp, rate: null, seconds: warmUpSeconds });
  await site.sql(deployment.databaseUrl, "vacuum analyze");
  const spread = await measure(many, { from, to: from + manyWallets - 1 });
  const single = await measure([busy], null);
  const oneWallet = "POST /payout/, 64 clients, one wallet";
  return [
    ...findings(spread, "POST /payout/, 64 clients, 1,000 wallets"),
    ...findings(single, oneWallet),
    rateFinding(
      oneWallet,
      "/s",
      { product: single.peak.product, floor: spread.peak.product },
      "from 1,000 wallets",
      1,
    ),
  ];

  /** Without the worker, payouts are paused once the chain's last reading is two minutes old. */
  function keepCaughtUp() {
    return site.sql(deployment.databaseUrl, "update chain_cursor set caught_up_at = now()");
  }

  async function measure(payers: readonly string[], drawn: Range | null) {
    const order = await loadOrder(paying, payers, feeAmount);
    type Work = Pick<BareWork, "statements" | "transactionFrom" | "draws">;
    const bareWork = (work: Work, duration: number): BareWork => ({
      ...work,
      url: deployment.databaseUrl,
      clients: 16,
      seconds: duration,
    });
    const runBare = (work: Work) => bare.run(site, bareWork(work, seconds));
    const shares: number[] = [];
    const everything: number[] = [];
    const spent: Spent = { product: [], floor: [] };
    const pid = paying.apiPid;
    const total = order.seconds + order.warmUpSeconds;
    const peak = await sideBySide(
      rounds,
      () =>
        metered(site, spent.floor, { pid: null, seconds }, () =>
          runBare(statements.transaction(drawn)),
        ),
      async () => {
        everything.push(await runBare(statements.everything(drawn)));
        await keepCaughtUp();
        const before = processorSeconds(pid);
        return metered(site, spent.product, { pid, seconds: total }, async () => {
          const answer = await loadHttp(site, { ...order, rate: null });
          shares.push((processorSeconds(pid) - before) / total);
          return answer.perSecond;
        });
      },
    );
    await keepCaughtUp();
    const half = await loadAtHalf(site, order, peak.product);
    const bareHalf = await bare.p99AtRate(
      site,
      bareWork(statements.transaction(drawn), halfLoadSeconds),
      peak.floor / 2,
    );
    const p99Ms = { product: half.p99Ms, floor: bareHalf };
    return { peak, everything: median(everything), p99Ms, share: median(shares), spent };
  }

  function findings(
    { peak, everything, p99Ms, share, spent }: Awaited<ReturnType<typeof measure>>,
    name: string,
  ): readonly Finding[] {
    const { product } = peak;
    return [
      rateFinding(name, "/s", peak, `${bare.name}, the same transaction`, 1.1),
      rateFinding(name, "/s", { product, floor: everything }, `${bare.name}, with the facts`, null),
      ...spentFindings(name, spent, `${bare.name}, the same transaction,`),
      latencyFinding(
        `${name} at half of that rate, p99`,
        p99Ms,
        `${bare.name}, the same transaction, at half of its rate`,
        20,
      ),
      boundFinding(`${name}: the api`, 100 * share, "% of a core", null),
    ];
  }
}

async function loadOrder(
  { deployment, tenant }: PayingSite,
  wallets: readonly string[],
  feeAmount: string,
): Promise<Omit<LoadOrder, "rate">> {
  const addresses = payeesOf(ether, payees);
  const count = Math.max(wallets.length, addresses.length);
  return {
    origin: deployment.config.base_url,
    method: "POST",
    paths: ["/payout/"],
    status: 201,
    headers: { ...(await logIn(deployment, tenant)), "idempotency-key": freshMark },
    bodies: Array.from({ length: count }, (_, index) =>
      payoutDocument({
        walletId: wallets[index % wallets.length] ?? "",
        currency: ether,
        amount,
        feeAmount,
        address: addresses[index % addresses.length] ?? "",
      }),
    ),
    fresh: freshMark,
    connections: 64,
    warmUpSeconds: 1.5,
    seconds,
  };
}
