import { Transaction } from "bitcoinjs-lib";
import { Pool } from "undici";
import { buildQuotes } from "../../src/main/build/build-quotes.ts";
import { payoutContext } from "../../src/main/build/payout-context.ts";
import { createPayout } from "../../src/payouts/create/create-payout.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { BenchSite } from "./bench-site.ts";
import { timed } from "./measure.ts";
import {
  openPayingSite,
  type PaidChain,
  type PayingSite,
  startPaidChain,
  untilFound,
} from "./paying-site.ts";
import { arrangePayingWallets, askFee, firstWalletId, payeesOf } from "./paying-wallets.ts";
import { sampleOrder } from "./payout-statements.ts";
import { countFinding, type Finding, rateFinding } from "./report.ts";
import { bitcoinCurrency } from "./sample-deposit.ts";
import { ether } from "./sample-payout.ts";

const payouts = 1_000;
/** Paid one by one first, for a fee to compare with. */
const lonePayouts = 3;
const blockMs = 1_000;
const amount = "0.01";
/** Payments per transaction of the baseline, as many as the pipeline combines. */
const batch = 20;

/**
 * From the first request to the last payout in a block, with one block per second: one transaction each on Anvil, batches on
 * bitcoind; compared with the node's own wallet making the same payments as fast as it can.
 */
export async function benchPipeline(site: BenchSite): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const id of ["ETH", "BTC"] as const) {
    const chain = await startPaidChain(site, id);
    if (chain !== null) findings.push(...(await benchChain(site, chain)));
  }
  return findings;
}

async function benchChain(site: BenchSite, chain: PaidChain): Promise<readonly Finding[]> {
  const { id, faucet } = chain;
  const paying = await openPayingSite(site, `pipeline_${id.toLowerCase()}`, [chain]);
  const currency = id === "ETH" ? ether : bitcoinCurrency;
  const ids = { first: firstWalletId, count: 10 };
  const wallets = await arrangePayingWallets(paying.deployment, paying.tenant, currency, ids);
  const payees = payeesOf(currency, lonePayouts + payouts);
  const [walletId = ""] = wallets;
  const [address = ""] = payees;
  // Requested each time, as clients do, because fees change with the blocks.
  const fee = (): Promise<string> =>
    askFee(paying.deployment, paying.tenant, { walletId, currency, address, amount });
  const create = await openCreation(paying, wallets, { currencyId: currency, amount });
  for (const payee of payees.slice(0, lonePayouts)) {
    await create.payouts([payee], await fee());
    await untilMined(paying, () => faucet.mine(1));
  }
  const lone = await transactionsOf(paying, id);
  const many = payees.slice(lonePayouts);
  const [seconds, floorSeconds] = await whileMining(chain, async () => [
    await timed(async () => {
      await create.payouts(many, await fee());
      await untilMined(paying, () => systemClock.sleep(100));
    }),
    await timed(() => payByNode(chain, many)),
  ]);
  await create.close();
  await paying.stopWorker();
  const all = await transactionsOf(paying, id);
  const count = all.count - lone.count;
  const name = `${payouts.toLocaleString("en-US")} payouts of ${id} until mined, one block per second`;
  const each = (all.burnt - lone.burnt) / payouts;
  const { alpha, exp } = paying.deployment.foundation.currencies.get(currency);
  const unit = alpha === "BTC" ? "sat" : "gwei";
  const perUnit = alpha === "BTC" ? 1 : 10 ** (exp - 9);
  return [
    rateFinding(
      name,
      "/s",
      { product: payouts / seconds, floor: payouts / floorSeconds },
      id === "ETH" ? "anvil's own accounts, one after the other" : "bitcoind's wallet, 20 at once",
      null,
    ),
    countFinding(
      `transactions for these payouts, ${id}`,
      { product: count, floor: payouts },
      "transactions",
      "one each",
      id === "ETH" ? null : 0.1,
    ),
    countFinding(
      `fee per payout, ${id}`,
      { product: each / perUnit, floor: lone.burnt / lone.count / perUnit },
      unit,
      "alone in a transaction",
      1,
    ),
    ...(id === "BTC" ? sizeFindings(all, lone) : []),
  ];
}

/**
 * Makes fees comparable between runs: the node derives its estimate from the faucet's payments, which pay twice the fallback
 * rate, so fees in satoshi depend on the number of blocks so far.
 */
function sizeFindings(all: Sums, lone: Sums): readonly Finding[] {
  const many = { burnt: all.burnt - lone.burnt, vbytes: all.vbytes - lone.vbytes };
  return [
    countFinding(
      "size per payout, BTC",
      { product: many.vbytes / payouts, floor: lone.vbytes / lone.count },
      "vB",
      "alone in a transaction",
      1,
    ),
    countFinding(
      "fee rate of these payouts, BTC",
      { product: many.burnt / many.vbytes, floor: lone.burnt / lone.vbytes },
      "sat/vB",
      "payouts sent alone earlier",
      null,
    ),
  ];
}

/** Creates payouts with the api's code in this process. */
export async function openCreation(
  { deployment: { foundation }, tenant }: PayingSite,
  wallets: readonly string[],
  sample: { readonly currencyId: string; readonly amount: string },
) {
  const quotes = await buildQuotes(foundation);
  const { creating } = payoutContext(foundation, quotes.quoteFees);
  return {
    payouts: async (payees: readonly string[], feeAmount: string): Promise<void> => {
      await Promise.all(
        payees.map((address, index) => {
          const walletId = present(wallets[index % wallets.length], "a wallet");
          const order = sampleOrder(
            { ...sample, feeAmount, walletId, address },
            systemRandom.uuid(),
          );
          return createPayout(creating, tenant.principal, order);
        }),
      );
    },
    close: quotes.close,
  };
}

async function untilMined(
  { deployment: { site, databaseUrl } }: PayingSite,
  between: () => Promise<unknown>,
): Promise<void> {
  await untilFound(async () => {
    const [row] = (await site.sql(
      databaseUrl,
      "select count(*)::int as waiting from payout where stage not in ('included', 'confirmed')",
    )) as { waiting: number }[];
    if (row?.waiting === 0) return true;
    await between();
    return null;
  }, 600_000);
}

type Sums = {
  readonly count: number;
  /** Units of the chain's coin. */
  readonly burnt: number;
  /** Virtual bytes of the mined transactions; 0 on account chains. */
  readonly vbytes: number;
};

async function transactionsOf(
  { deployment: { site, databaseUrl } }: PayingSite,
  id: PaidChain["id"],
): Promise<Sums> {
  const rows = (await site.sql(
    databaseUrl,
    `select s.burnt_units::text as burnt, a.raw from spend s
     join spend_attempt a on a.spend_id = s.id and a.number = s.mined_attempt
     where s.kind = 'payout' and s.state in ('included', 'confirmed')`,
  )) as { burnt: string; raw: Uint8Array }[];
  const sizes =
    id === "BTC" ? rows.map(({ raw }) => Transaction.fromBuffer(raw).virtualSize()) : [];
  return {
    count: rows.length,
    burnt: rows.reduce((sum, { burnt }) => sum + Number(burnt), 0),
    vbytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

async function whileMining<Result>(
  { faucet }: PaidChain,
  work: () => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController();
  const isOver = (): boolean => stopping.signal.aborted;
  const mining = (async () => {
    while (!isOver()) {
      await systemClock.sleep(blockMs, stopping.signal);
      if (!isOver()) await faucet.mine(1);
    }
  })();
  try {
    return await work();
  } finally {
    stopping.abort();
    await mining;
  }
}

/** The same payments by the node's wallet, without accounting, until the last one is in a block. */
async function payByNode({ id, reached }: PaidChain, payees: readonly string[]): Promise<void> {
  const url = new URL(reached.rpc_url);
  const path = reached.family === "utxo" ? `/wallet/${reached.faucet_wallet}` : "/";
  const authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString("base64")}`;
  const pool = new Pool(url.origin, { connections: 1 });
  const call = async <Result>(method: string, params: readonly unknown[]): Promise<Result> => {
    const { body } = await pool.request({
      path,
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error = null } = (await body.json()) as {
      result: Result;
      error?: { message: string } | null;
    };
    if (error !== null) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const last = await (id === "ETH" ? payEther(call, payees) : payBitcoin(call, payees));
  await untilFound(async () => {
    const [method, params] =
      id === "ETH" ? ["eth_getTransactionReceipt", [last]] : ["gettransaction", [last]];
    const found = await call<{ confirmations?: number } | null>(method, params);
    return found === null || found.confirmations === 0 ? null : found;
  });
  await pool.close();
}

type Call = <Result>(method: string, params: readonly unknown[]) => Promise<Result>;

async function payEther(call: Call, payees: readonly string[]): Promise<string> {
  const [from] = await call<readonly string[]>("eth_accounts", []);
  // Set here: a nonce or price chosen by Anvil while it mines could leave the last payment pending forever.
  const first = Number(await call<string>("eth_getTransactionCount", [from, "pending"]));
  const { baseFeePerGas } = await call<{ baseFeePerGas: string }>("eth_getBlockByNumber", [
    ...["latest", false],
  ]);
  const maxFeePerGas = `0x${(BigInt(baseFeePerGas) * 10n + 10n ** 9n).toString(16)}`;
  const parsed = parseDecimal(amount, 18);
  const value = parsed.kind === "units" ? `0x${parsed.units.toString(16)}` : "0x0";
  let last = "";
  for (const [index, to] of payees.entries()) {
    const nonce = `0x${(first + index).toString(16)}`;
    const payment = { from, to, value, nonce, maxFeePerGas, maxPriorityFeePerGas: "0x3b9aca00" };
    last = await call<string>("eth_sendTransaction", [payment]);
  }
  return last;
}

async function payBitcoin(call: Call, payees: readonly string[]): Promise<string> {
  let last = "";
  for (let from = 0; from < payees.length; from += batch) {
    const some = payees.slice(from, from + batch);
    const amounts = Object.fromEntries(some.map((address) => [address, amount]));
    last = await call<string>("sendmany", ["", amounts]);
  }
  return last;
}
