import { join } from "node:path";
import { Wallet, xAddressToClassicAddress } from "xrpl";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import type { Deposit } from "../../src/deposits/deposit.ts";
import { openFaucet } from "../../src/main/families/sandbox-families.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { freePort } from "../../src/platform/processes/free-port.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";
import type { Faucet } from "../../src/sandbox/faucet.ts";
import type { XrplSite } from "../../src/sandbox/sandbox-file.ts";
import { faucetSeed } from "../../src/sandbox/xrpl/genesis.ts";
import { initialSettings } from "../../src/sandbox/xrpl/settings.ts";
import { queryXrpl } from "../support/query-xrpl.ts";
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

/*
 * One account of the XRP Ledger that everything shares: payouts out of it, and deposits into it under tags. The ledger is the simulated
 * one, in a process of its own, with a ledger every three seconds.
 */

const xrp = "1010" as CurrencyId;
const ledgerMs = 3_000;
const payouts = 1_000;
/** Requests at the same time. */
const atOnce = 50;
/** The new accounts need a reserve of 1 XRP. */
const amount = "2";
/** What the interface asks of one account. */
const wantedPerSecond = 20;
const deposits = 20_001;
const paidDrops = 1_000_000n;
/** Transactions that wait in one open ledger at most. */
const perLedger = 500;

type Site = {
  readonly deployment: Deployment;
  readonly tenant: Tenant;
  readonly chain: XrplSite;
  readonly faucet: Faucet;
};

/** `payouts.in_flight_max`: the default, and one that fills the ledgers less sparingly. */
const inFlight = [64, 200];

/** From the first request until every payout is confirmed, each to a new account. */
export async function benchXrpPayouts(site: BenchSite): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const most of inFlight) findings.push(...(await payMany(site, most)));
  return findings;
}

async function payMany(site: BenchSite, inFlightMax: number): Promise<readonly Finding[]> {
  const { deployment, tenant, faucet } = await openXrpSite(site, `xrp_payouts_${inFlightMax}`, {
    in_flight_max: inFlightMax,
  });
  const ids = { first: firstWalletId, count: 10 };
  const wallets = await arrangePayingWallets(deployment, tenant, xrp, ids);
  const payees = Array.from({ length: payouts }, () => Wallet.generate().address);
  const [walletId = ""] = wallets;
  const [address = ""] = payees;
  const fee = await askFee(deployment, tenant, { walletId, currency: xrp, address, amount });
  const create = openCreation({ deployment, tenant }, wallets, { currencyId: xrp, amount });
  const stop = closeLedgers(faucet);
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
  const name = `${payouts.toLocaleString("en-US")} payouts of XRP, ${inFlightMax} at once`;
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
export async function benchSharedDeposits(site: BenchSite): Promise<readonly Finding[]> {
  const opened = await openXrpSite(site, "shared_deposits");
  const { deployment, faucet, chain } = opened;
  const stop = closeLedgers(faucet);
  const payable = await createDeposits(opened);
  await payAll(chain, payable);
  const { height } = await faucet.tip();
  const restSeconds = await timed(() => untilCredited(deployment, height));
  await stop();
  const compared = await untilCompared(deployment, height);
  const account = xAddressToClassicAddress(present(payable[0]?.address, "an address"));
  const { account_data } = await queryXrpl<{ readonly account_data: { readonly Balance: string } }>(
    chain,
    "account_info",
    { account: account.classicAddress, ledger_index: "validated" },
  );
  const name = `${deposits.toLocaleString("en-US")} deposits on one account`;
  const off = (units: bigint): number => Math.abs(Number(units - BigInt(account_data.Balance)));
  return [
    boundFinding(`${name}: until all are credited after the last ledger`, restSeconds, "s", null),
    boundFinding(`${name}: the books less the account`, off(compared.ledger), "drops", 0),
    boundFinding(`${name}: the comparison's own reading`, off(compared.chain), "drops", 0),
  ];
}

/** A deployment on a new XRP Ledger, with an account that is funded and set up. */
async function openXrpSite(site: BenchSite, name: string, settings: object = {}): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const chain: XrplSite = {
    family: "xrpl",
    simulated: true,
    rpc_url: url,
    ws_url: `ws://127.0.0.1:${port}`,
    sandbox_url: `${url}/sandbox`,
    faucet_seed: faucetSeed,
    network_id: initialSettings.networkId,
  };
  const program = join(import.meta.dirname, "../chaos/chains/xrpl-process.ts");
  const ledger = startSupervised(
    process.execPath,
    [program, join(site.folder, `${name}-ledger`), String(port)],
    {},
  );
  site.teardown.add(`the ledger of ${name}`, () => ledger.end(systemClock, 10_000));
  await ledger.printed(/listening on (\d+)/);
  const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
  const faucet = openFaucet("XRP", chain, world);
  site.teardown.add(`the faucet of ${name}`, () => faucet.close());
  const deployment = await deploy(site, name, {
    payouts: { token_fees: "operator", ...settings },
    chains: {
      XRP: { network: "regtest", nodes: [url], chain_id: chain.network_id, start_height: 1 },
    },
  });
  const tenant = await arrangeTenant(deployment);
  await startSigner(deployment);
  await startPart(deployment, "worker");
  await startPart(deployment, "api");
  const [hot] = await untilRows<{ address: string; tag: string }>(
    deployment,
    "select address, tag from treasury_address where keyspace = 'XRP' and purpose = 'hot'",
  );
  const { address, tag } = present(hot, "the hot account");
  await faucet.pay("XRP", address, "100000", tag);
  // The pool fills when the account has set itself up.
  await untilFound(async () => {
    await faucet.mine(1);
    const rows = await site.sql(deployment.databaseUrl, "select 1 from address limit 1");
    return rows[0] ?? null;
  });
  return { deployment, tenant, chain, faucet };
}

/** Closes a ledger every three seconds until the returned function is called. */
function closeLedgers(faucet: Faucet): () => Promise<void> {
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

async function createDeposits({ deployment, tenant }: Site): Promise<readonly Deposit[]> {
  const walletId = await arrangeWallet(deployment, tenant, 2, xrp);
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
          walletCurrency: xrp,
          currency: xrp,
          chain: "XRP",
          keyspace: "XRP",
          addressType: "x-address",
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

/** Pays each deposit once from the faucet's account, as fast as the node takes them. */
async function payAll(chain: XrplSite, payable: readonly Deposit[]): Promise<void> {
  const wallet = Wallet.fromSeed(chain.faucet_seed);
  const at = async (ledger_index: string) =>
    await queryXrpl<{
      readonly account_data: { readonly Sequence: number };
      readonly ledger_index?: number;
    }>(chain, "account_info", { account: wallet.address, ledger_index });
  let { Sequence } = (await at("current")).account_data;
  for (const [index, { address }] of payable.entries()) {
    const { classicAddress, tag } = xAddressToClassicAddress(present(address, "an address"));
    const { tx_blob } = wallet.sign({
      TransactionType: "Payment",
      Account: wallet.address,
      Destination: classicAddress,
      DestinationTag: Number(tag),
      Amount: String(paidDrops),
      Fee: "10",
      Sequence,
    });
    Sequence += 1;
    const { engine_result } = await queryXrpl<{ readonly engine_result?: string }>(
      chain,
      "submit",
      { tx_blob },
    );
    if (engine_result !== "tesSUCCESS") throw new Error(`payment ${index}: ${engine_result}`);
    if (index % perLedger === perLedger - 1) await closed(chain);
  }
  await closed(chain);
}

async function closed({ sandbox_url }: XrplSite): Promise<void> {
  await fetch(`${sandbox_url}/mine`, { method: "POST", body: JSON.stringify({ blocks: 1 }) });
}

async function untilCredited(deployment: Deployment, height: number): Promise<void> {
  await untilRows(
    deployment,
    `select 1 from chain_cursor where chain = 'XRP' and height >= ${height}
       and (select count(*) from transfer where status = 2 and is_settled) = ${deposits}`,
  );
}

async function untilCompared(
  deployment: Deployment,
  height: number,
): Promise<{ readonly ledger: bigint; readonly chain: bigint }> {
  const [row] = await untilRows<{ ledger: string; chain: string }>(
    deployment,
    `select ledger_units::text as ledger, chain_units::text as chain from reconciliation
     where chain = 'XRP' and currency = '${xrp}' and height >= ${height}`,
  );
  const { ledger, chain } = present(row, "a comparison");
  return { ledger: BigInt(ledger), chain: BigInt(chain) };
}

function untilRows<Row>({ site, databaseUrl }: Deployment, text: string): Promise<readonly Row[]> {
  return untilFound(async () => {
    const rows = (await site.sql(databaseUrl, text)) as Row[];
    return rows.length === 0 ? null : rows;
  }, 900_000);
}
