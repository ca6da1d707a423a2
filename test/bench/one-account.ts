import { join } from "node:path";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { openFaucet } from "../../src/main/families/sandbox-families.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";
import type { Faucet } from "../../src/sandbox/faucet.ts";
import type { BenchSite } from "./bench-site.ts";
import {
  arrangeTenant,
  arrangeWallet,
  type Deployment,
  deploy,
  startPart,
  startSigner,
  type Tenant,
} from "./deployment.ts";
import { timed } from "./measure.ts";
import { untilFound } from "./paying-site.ts";
import { arrangePayingWallets, askFee, firstWalletId } from "./paying-wallets.ts";
import { openCreation } from "./payout-pipeline.ts";
import { boundFinding, type Finding, rateFinding } from "./report.ts";
import { sampleDeposit } from "./sample-deposit.ts";
import {
  channelLedger,
  newMemo,
  stellarLedger,
  type TaggedLedger,
  xrpLedger,
} from "./tagged-ledgers.ts";
import { tonLedger } from "./ton-ledger.ts";

/*
 * One account that everything shares, on the XRP Ledger, Stellar and TON: payouts out of it, and deposits into it under tags. The ledgers are
 * the simulated ones, in a process of their own, and close as often as the real ones.
 */

const payouts = 1_000;
/** Requests at the same time. */
const atOnce = 50;
/** The new accounts need a reserve of one coin. */
const amount = "2";
/** What the interface asks of one account. */
const wantedPerSecond = 20;
const deposits = 20_001;
/** Between ledgers while the account is set up: a hundred channels are made a few in each. */
const setUpMs = 1_000;
const setUpWithinMs = 600_000;

type Site = {
  readonly deployment: Deployment;
  readonly tenant: Tenant;
  readonly ledger: TaggedLedger;
  readonly url: string;
  readonly faucet: Faucet;
};

/** From the first request until every payout is confirmed, each to a new account, with the default settings. */
export async function benchXrpPayouts(site: BenchSite): Promise<readonly Finding[]> {
  return await payMany(site, xrpLedger);
}

/** The same on TON. */
export async function benchTonPayouts(site: BenchSite): Promise<readonly Finding[]> {
  return await payMany(site, tonLedger);
}

/** The same on Stellar, where one transaction pays many of them, or one of those with a memo of its own. */
export async function benchStellarPayouts(site: BenchSite): Promise<readonly Finding[]> {
  return [
    ...(await payMany(site, channelLedger)),
    ...(await payMany(site, channelLedger, {
      receivers: ", each with its own memo",
      newReceiver: newMemo,
    })),
  ];
}

/** Who is paid: new accounts. */
type Payees = { readonly receivers: string; readonly newReceiver: (at: number) => string };

async function payMany(
  site: BenchSite,
  ledger: TaggedLedger,
  { receivers, newReceiver }: Payees = { receivers: "", newReceiver: ledger.newAccount },
): Promise<readonly Finding[]> {
  const { chain, currency } = ledger;
  const kind = receivers === "" ? "" : "_with_memos";
  const title = `${chain.toLowerCase()}_payouts${kind}`;
  const { deployment, tenant, faucet } = await openAccount(site, ledger, title);
  const ids = { first: firstWalletId, count: 10 };
  const wallets = await arrangePayingWallets(deployment, tenant, currency, ids);
  const payees = Array.from({ length: payouts }, (_, at) => newReceiver(at));
  const [walletId = ""] = wallets;
  const [address = ""] = payees;
  const fee = await askFee(deployment, tenant, { walletId, currency, address, amount });
  const create = await openCreation({ deployment, tenant }, wallets, {
    currencyId: currency,
    amount,
  });
  const stop = closeLedgers(faucet, ledger.ledgerMs);
  let requestSeconds = 0;
  const seconds = await timed(async () => {
    // Each request asks the node about its receiver.
    requestSeconds = await timed(async () => {
      for (let from = 0; from < payouts; from += atOnce)
        await create.payouts(payees.slice(from, from + atOnce), fee);
    });
    await untilRows(
      deployment,
      `select 1 where (select count(*) from payout where stage = 'confirmed') = ${payouts}`,
    );
  });
  await stop();
  await create.close();
  const name = `${payouts.toLocaleString("en-US")} payouts of ${chain}${receivers}`;
  return [
    boundFinding(`${name}: until the last is requested`, requestSeconds, "s", null),
    boundFinding(`${name}: until all are confirmed`, seconds, "s", null),
    rateFinding(
      `${name}: per second`,
      "/s",
      { product: payouts / seconds, floor: wantedPerSecond },
      "wanted",
      1,
    ),
  ];
}

/** Deposits that all share one account, each paid once: whether the books hold what the account holds. */
export async function benchXrpDeposits(site: BenchSite): Promise<readonly Finding[]> {
  return await fillAccount(site, xrpLedger);
}

/** The same on Stellar. */
export async function benchStellarDeposits(site: BenchSite): Promise<readonly Finding[]> {
  return await fillAccount(site, stellarLedger);
}

/** The same on TON, where an account is charged for receiving. */
export async function benchTonDeposits(site: BenchSite): Promise<readonly Finding[]> {
  return await fillAccount(site, tonLedger);
}

async function fillAccount(site: BenchSite, ledger: TaggedLedger): Promise<readonly Finding[]> {
  const { chain, ledgerMs } = ledger;
  const opened = await openAccount(site, ledger, `shared_deposits_${chain.toLowerCase()}`);
  const { deployment, faucet, url } = opened;
  const stop = closeLedgers(faucet, ledgerMs);
  const created = await createDeposits(opened);
  const payable = created.map(({ address, tag }) => ({
    address: present(address, "an address"),
    tag: present(tag, "a tag"),
  }));
  await ledger.payAll(url, payable, async () => {
    await faucet.mine(1);
  });
  const { height } = await faucet.tip();
  const restSeconds = await timed(() => untilCredited(deployment, chain, height));
  await stop();
  const compared = await untilCompared(deployment, ledger, height);
  const held = await ledger.balanceOf(url, present(payable[0], "a deposit"));
  const name = `${deposits.toLocaleString("en-US")} deposits on one ${chain} account`;
  const off = (units: bigint): number => Math.abs(Number(units - held));
  return [
    boundFinding(`${name}: until all are credited after the last ledger`, restSeconds, "s", null),
    boundFinding(`${name}: the books less the account`, off(compared.ledger), "units", 0),
    boundFinding(`${name}: the comparison's own reading`, off(compared.chain), "units", 0),
  ];
}

/** A deployment on a new ledger, with an account that is funded and set up. */
async function openAccount(site: BenchSite, ledger: TaggedLedger, name: string): Promise<Site> {
  const { chain } = ledger;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const reached = ledger.siteAt(port);
  const program = join(import.meta.dirname, "../chaos/chains", ledger.program);
  const node = startSupervised(
    process.execPath,
    [program, join(site.folder, `${name}-ledger`), String(port)],
    {},
  );
  site.teardown.add(`the ledger of ${name}`, () => node.end(systemClock, 10_000));
  await node.printed(/listening on (\d+)/);
  const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const faucet = openFaucet(chain, reached, world);
  site.teardown.add(`the faucet of ${name}`, () => faucet.close());
  const deployment = await deploy(site, name, {
    payouts: { token_fees: "operator", fee_ceilings: ledger.feeCeilings ?? {} },
    chains: {
      [chain]: { network: "regtest", nodes: [reached.rpc_url], start_height: 1, ...ledger.config },
    },
  });
  const tenant = await arrangeTenant(deployment);
  await startSigner(deployment);
  await startPart(deployment, "worker");
  await startPart(deployment, "api");
  const [hot] = await untilRows<{ address: string; tag: string }>(
    deployment,
    `select address, tag from treasury_address where keyspace = '${chain}' and purpose = 'hot'`,
  );
  const { address, tag } = present(hot, "the hot account");
  await faucet.pay(chain, address, "100000", tag);
  // The pool fills when the account has set itself up.
  await untilFound(async () => {
    await faucet.mine(1);
    const rows = await site.sql(deployment.databaseUrl, "select 1 from address limit 1");
    return rows[0] ?? null;
  });
  await untilFound(async () => {
    if ((await ledger.isReady?.(url, address)) ?? true) return true;
    // Ledgers are a second apart at least, so that their time does not run ahead of the clock.
    await systemClock.sleep(setUpMs);
    await faucet.mine(1);
    return null;
  }, setUpWithinMs);
  return { deployment, tenant, ledger, url, faucet };
}

/** Closes a ledger at that interval until the returned function is called. */
function closeLedgers(faucet: Faucet, ledgerMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const isOver = (): boolean => stopping.signal.aborted;
  const closing = (async () => {
    while (!isOver()) {
      await systemClock.sleep(ledgerMs, stopping.signal);
      if (!isOver()) await faucet.mine(1);
    }
  })();
  // What fails first is reported; the ledger ends with its section.
  closing.catch(() => undefined);
  return async () => {
    stopping.abort();
    await closing;
  };
}

async function createDeposits({ deployment, tenant, ledger }: Site): Promise<readonly Deposit[]> {
  const { addressType, chain, currency } = ledger;
  const walletId = await arrangeWallet(deployment, tenant, 2, currency);
  const writer = createDepositWriter(deployment.foundation.db, () => "available");
  const created: Deposit[] = [];
  while (created.length < deposits) {
    const wanted = Math.min(64, deposits - created.length);
    const some = await Promise.all(
      Array.from({ length: wanted }, () =>
        writer.create({
          ...sampleDeposit(tenant, walletId),
          paymentPageId: systemRandom.uuid(),
          walletType: 2,
          walletCurrency: currency,
          currency,
          chain,
          keyspace: chain,
          addressType,
          // All spellings of an address are one entry of the pool.
          poolType: "",
          confirmationsNeeded: null,
          timeLimit: null,
          invoiceUpdatedAt: null,
          expiresAt: null,
          inaccuracy: null,
          targetAmountRequested: null,
          rate: null,
          rateExpiresAt: null,
          sourceAmountRequested: null,
        }),
      ),
    );
    const found = some.filter((deposit) => deposit !== null);
    created.push(...found);
    // The worker refills the pool.
    if (found.length < wanted) await systemClock.sleep(200);
  }
  return created;
}

async function untilCredited(deployment: Deployment, chain: string, height: number): Promise<void> {
  await untilRows(
    deployment,
    `select 1 from chain_cursor where chain = '${chain}' and height >= ${height}
       and (select count(*) from transfer where status = 2 and is_settled) = ${deposits}`,
  );
}

async function untilCompared(
  deployment: Deployment,
  { chain, currency }: TaggedLedger,
  height: number,
): Promise<{ readonly ledger: bigint; readonly chain: bigint }> {
  const [row] = await untilRows<{ ledger: string; chain: string }>(
    deployment,
    `select ledger_units::text as ledger, chain_units::text as chain from reconciliation
     where chain = '${chain}' and currency = '${currency}' and height >= ${height}`,
  );
  const compared = present(row, "a comparison");
  return { ledger: BigInt(compared.ledger), chain: BigInt(compared.chain) };
}

function untilRows<Row>({ site, databaseUrl }: Deployment, text: string): Promise<readonly Row[]> {
  return untilFound(async () => {
    const rows = (await site.sql(databaseUrl, text)) as Row[];
    return rows.length === 0 ? null : rows;
  }, 900_000);
}
