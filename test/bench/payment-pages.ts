import { noOwnActivity, type WatchedTransfer } from "../../src/chains/block-sink.ts";
import type { BlockRef } from "../../src/chains/port.ts";
import { listChangedPages, readPages } from "../../src/deposits/checkout/page.store.ts";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import { depositContext } from "../../src/main/build/foundation.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { refillPool } from "./address-rows.ts";
import type { BenchSite } from "./bench-site.ts";
import { ask, processorSeconds, residentMib, startHelper, untilAnswers } from "./child-process.ts";
import { arrangeTenant, arrangeWallet, type Deployment, deploy, startPart } from "./deployment.ts";
import { median, percentile, timed } from "./measure.ts";
import type { OpenedStreams, ReadEvents, ReadersQuestion } from "./page-readers-process.ts";
import { boundFinding, type Finding } from "./report.ts";
import { bitcoinCurrency, dollar, sampleDeposit, sampleUnits } from "./sample-deposit.ts";

const openPages = 1_000;
const idleSeconds = 10;
const payments = 200;
/** Between two payments; not a multiple of the polling interval. */
const paymentEveryMs = 37;
const readsMax = 20;
const firstHeight = 800_000;

/** A thousand payment pages on one api process: their cost while idle, and how soon they receive events. */
export async function benchPaymentPages(site: BenchSite): Promise<readonly Finding[]> {
  const deployment = await deploy(site, "pages", {
    paymentPages: { streams_max: 2 * openPages, streams_per_address_max: 2 * openPages },
  });
  const deposits = await arrangePages(deployment);
  const api = await startPart(deployment, "api");
  const origin = deployment.config.base_url;
  await untilAnswers(`${origin}/pay/${deposits[0]?.paymentPageId ?? ""}/state/`);
  await systemClock.sleep(2_000);
  const mibBefore = residentMib(api.pid);
  const idleBefore = await idleShare(api.pid);
  const readers = startHelper("page-readers-process.ts", site.teardown);
  const question = (request: ReadersQuestion): ReadersQuestion => request;
  const pageIds = deposits.map(({ paymentPageId }) => paymentPageId);
  const opened = await ask<OpenedStreams>(readers, question({ kind: "open", origin, pageIds }));
  await systemClock.sleep(2_000);
  const mibOpen = residentMib(api.pid);
  const idleOpen = await idleShare(api.pid);
  const readMs = await timeReads(deployment, pageIds);
  const delays = await payOneByOne(deployment, deposits, (count) =>
    ask<ReadEvents>(readers, question({ kind: "await", count })),
  );
  const block = await growChain(deployment, deposits, (count) =>
    ask<ReadEvents>(readers, question({ kind: "await", count })),
  );
  const mibAfter = residentMib(api.pid);
  const size = openPages.toLocaleString("en-US");
  return [
    boundFinding(
      `${size} pages opened at once, until the last one has its state`,
      opened.openedMs,
      "ms",
      10_000,
    ),
    boundFinding("memory of the api before", mibBefore, "MiB", null),
    boundFinding(`memory of the api, ${size} pages open`, mibOpen, "MiB", 300),
    boundFinding(`memory of the api after ${payments} payments and a block`, mibAfter, "MiB", 300),
    boundFinding("CPU of the api, idle, no page", idleBefore, "% of a core", null),
    boundFinding(`CPU of the api, idle, ${size} pages`, idleOpen, "% of a core", 10),
    boundFinding(`one poll for ${size} pages, including PostgreSQL`, readMs, "ms", 50),
    boundFinding("from a payment's commit to its event, median", median(delays), "ms", 500),
    boundFinding(
      "from a payment's commit to its event, p99",
      percentile(delays, 0.99),
      "ms",
      1_000,
    ),
    boundFinding(
      `from the commit of a block that confirms all payments (${payments}) to the last event`,
      block,
      "ms",
      2_000,
    ),
  ];
}

async function arrangePages(deployment: Deployment): Promise<readonly Deposit[]> {
  const { site, databaseUrl, foundation } = deployment;
  const tenant = await arrangeTenant(deployment);
  const walletId = await arrangeWallet(deployment, tenant, 1, dollar);
  await refillPool(site, databaseUrl, openPages);
  await site.sql(
    databaseUrl,
    `insert into chain_cursor (chain, network, height, hash, block_time, caught_up_at, updated_at)
     values ('BTC', 'bench', $1, 'h', $2, $2, $2)`,
    [firstHeight, formatTimestamp(systemClock.now())],
  );
  const writer = createDepositWriter(foundation.db, () => "available");
  const created = Array.from({ length: openPages }, () =>
    writer.create({ ...sampleDeposit(tenant, walletId), confirmationsNeeded: null }),
  );
  const deposits = (await Promise.all(created)).map((deposit) => present(deposit, "a deposit"));
  // As autovacuum would do in time.
  await site.sql(databaseUrl, "vacuum analyze deposit");
  return deposits;
}

/** Percent of a core. */
async function idleShare(pid: number): Promise<number> {
  const before = processorSeconds(pid);
  await systemClock.sleep(idleSeconds * 1_000);
  return ((processorSeconds(pid) - before) / idleSeconds) * 100;
}

async function timeReads({ foundation }: Deployment, pageIds: readonly string[]): Promise<number> {
  const pages = await readPages(foundation.db, pageIds);
  const known = new Map([...pages].map(([pageId, { key }]) => [pageId, key]));
  const seconds: number[] = [];
  for (let read = 0; read < readsMax; read += 1)
    seconds.push(await timed(() => listChangedPages(foundation.db, known)));
  return median(seconds) * 1_000;
}

type Await = (count: number) => Promise<ReadEvents>;

/** Milliseconds from each commit to the event on its page. */
async function payOneByOne(
  { foundation }: Deployment,
  deposits: readonly Deposit[],
  read: Await,
): Promise<readonly number[]> {
  const sink = createDepositSink(depositContext(foundation));
  const committed = new Map<string, number>();
  const reading = read(payments);
  for (const deposit of deposits.slice(0, payments)) {
    const hit = paymentOf(deposit);
    await foundation.db.transaction((tx) => sink.pendingSeen(tx, "BTC", [hit], systemClock.now()));
    committed.set(deposit.paymentPageId, performance.timeOrigin + performance.now());
    await systemClock.sleep(paymentEveryMs);
  }
  return (await reading).map(
    ({ pageId, atMs }) => atMs - present(committed.get(pageId), "the commit of the page's payment"),
  );
}

/** Milliseconds from the commit of a block with all these payments to the last event. */
async function growChain(
  { foundation, site, databaseUrl }: Deployment,
  deposits: readonly Deposit[],
  read: Await,
): Promise<number> {
  const sink = createDepositSink(depositContext(foundation));
  const block: BlockRef = {
    height: firstHeight + 1,
    hash: "next",
    parentHash: "h",
    time: systemClock.now(),
  };
  const hits = deposits.slice(0, payments).map(paymentOf);
  const reading = read(payments);
  await foundation.db.transaction((tx) =>
    sink.appended(tx, "BTC", block, hits, systemClock.now(), noOwnActivity),
  );
  await site.sql(databaseUrl, "update chain_cursor set height = $1, hash = 'next'", [block.height]);
  const committedMs = performance.timeOrigin + performance.now();
  const received = await reading;
  return Math.max(...received.map(({ atMs }) => atMs)) - committedMs;
}

function paymentOf(deposit: Deposit): WatchedTransfer {
  const txid = deposit.id.padStart(64, "0");
  return {
    transfer: {
      key: { txid, index: 0 },
      to: present(deposit.address, "an address"),
      asset: { kind: "currency", amount: { currency: bitcoinCurrency, units: sampleUnits } },
      spendableFromHeight: null,
    },
    senders: { addresses: [], claims: [`${txid}:0`] },
    accountId: deposit.accountId,
    walletId: deposit.walletId,
    depositId: deposit.id,
    addressType: deposit.addressType,
    keyIndex: 0,
  };
}
