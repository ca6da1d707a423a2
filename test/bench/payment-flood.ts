import type { WatchedTransfer } from "../../src/chains/block-sink.ts";
import { noOwnActivity } from "../../src/chains/block-sink.ts";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import { decideReported } from "../../src/deposits/payments/decide-reported.ts";
import { depositContext } from "../../src/main/build/foundation.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { addAddresses } from "./address-rows.ts";
import type { BenchSite } from "./bench-site.ts";
import { arrangeTenant, arrangeWallet, type Deployment, deploy } from "./deployment.ts";
import { timed } from "./measure.ts";
import { boundFinding, type Finding } from "./report.ts";
import { bitcoinCurrency, dollar, sampleDeposit } from "./sample-deposit.ts";

const floods = [500, 2_000, 10_000];
/** Worth about 2.4 USD; the deposit requests more than all of them together. */
const paidUnits = 4_000n;
const requestedUnits = 10n ** 12n;

/**
 * Many small payments to one deposit in one block, and a payment to another account in the same block and in each of the blocks
 * that follow: how long the follower needs for the block, how long until all payments are recorded and confirmed, and how long
 * the other account waits.
 */
export async function benchPaymentFlood(site: BenchSite): Promise<readonly Finding[]> {
  const deployment = await deploy(site, "flood");
  await addAddresses(site, deployment.databaseUrl, 200, "waiting");
  const follower = await openFollower(deployment);
  const findings: Finding[] = [];
  for (const count of floods) {
    const flooded = await follower.arrange();
    const hits = Array.from({ length: count }, (_, index) => follower.pay(flooded, index));
    const delays: number[] = [];
    const over = new AbortController();
    const blockSeconds = await follower.appendWithOther(hits, delays);
    const others = (async () => {
      while (!over.signal.aborted) await follower.appendWithOther([], delays);
    })();
    const decidedSeconds = await timed(() => follower.untilConfirmed(flooded, count));
    over.abort();
    await others;
    const name = `${count.toLocaleString("en")} payments to one deposit in a block`;
    findings.push(
      boundFinding(`${name}: the block's transaction`, blockSeconds, "s", null),
      boundFinding(`${name}: until all are confirmed`, blockSeconds + decidedSeconds, "s", null),
      boundFinding(`${name}: longest wait of another account`, Math.max(...delays), "s", 2),
    );
  }
  return findings;
}

async function openFollower(deployment: Deployment) {
  const { foundation } = deployment;
  const { db, clock } = foundation;
  const context = { ...depositContext(foundation), db, clock };
  const sink = createDepositSink(context);
  const writer = createDepositWriter(db, () => "available");
  const [shop, other] = [await arrangeTenant(deployment), await arrangeTenant(deployment)];
  const walletOf = new Map([
    [shop, await arrangeWallet(deployment, shop, 1, dollar)],
    [other, await arrangeWallet(deployment, other, 1, dollar)],
  ]);
  const arrange = async (tenant = shop): Promise<Deposit> =>
    present(
      await writer.create({
        ...sampleDeposit(tenant, present(walletOf.get(tenant), "a wallet")),
        paymentPageId: systemRandom.uuid(),
        targetAmountRequested: requestedUnits,
      }),
      "a deposit",
    );
  const another = await arrange(other);
  await deployment.site.sql(
    deployment.databaseUrl,
    `insert into chain_cursor (chain, network, height, updated_at) values ('BTC', 'bench', 100, '${formatTimestamp(clock.now())}')`,
  );
  let height = 100;
  let paid = 0;
  const { signal } = new AbortController();
  const stop = new AbortController();
  deployment.site.teardown.add("decisions", () => {
    stop.abort();
    return Promise.resolve();
  });
  void (async () => {
    while (!stop.signal.aborted) {
      await decideReported(context, stop.signal);
      await clock.sleep(250, stop.signal);
    }
  })();

  const pay = (deposit: Deposit, index: number): WatchedTransfer => ({
    transfer: {
      key: { txid: `flood ${deposit.id}`, index },
      to: deposit.address ?? "",
      asset: { kind: "currency", amount: { units: paidUnits, currency: bitcoinCurrency } },
      spendableFromHeight: null,
    },
    senders: { addresses: ["payer"], claims: [`spent ${deposit.id} ${index}`] },
    accountId: deposit.accountId,
    walletId: deposit.walletId,
    depositId: deposit.id,
    addressType: deposit.addressType,
    keyIndex: 0,
  });
  const append = async (hits: readonly WatchedTransfer[]): Promise<void> => {
    height += 1;
    const time = clock.now();
    const block = { height, hash: `block ${height}`, parentHash: `block ${height - 1}`, time };
    await db.transaction(async (tx) => {
      const move = { name: "", text: "update chain_cursor set height = $1 where chain = 'BTC'" };
      await tx.query(move, [height]);
      await sink.appended(tx, "BTC", block, hits, time, noOwnActivity);
    });
  };
  const count = async (deposit: Deposit, condition: string): Promise<number> => {
    const [row] = await db.query<{ count: string }>(
      {
        name: "",
        text: `select count(*) as count from transfer where account_id = $1 and deposit_id = $2 and ${condition}`,
      },
      [deposit.accountId, deposit.id],
    );
    return Number(row?.count ?? 0);
  };
  const until = async (isReached: () => Promise<boolean>): Promise<void> => {
    while (!(await isReached())) await clock.sleep(20, signal);
  };
  return {
    arrange: () => arrange(),
    pay,
    /** Appends a block that also pays another account, and records how long that one waits. Resolves with the block's own time. */
    appendWithOther: async (
      hits: readonly WatchedTransfer[],
      delays: number[],
    ): Promise<number> => {
      const index = paid;
      paid += 1;
      let blockSeconds = 0;
      const waited = await timed(async () => {
        blockSeconds = await timed(() => append([...hits, pay(another, index)]));
        await until(async () => (await count(another, "true")) === paid);
      });
      delays.push(waited);
      return blockSeconds;
    },
    untilConfirmed: (deposit: Deposit, payments: number) =>
      until(async () => (await count(deposit, "is_confirmed")) === payments),
  };
}
