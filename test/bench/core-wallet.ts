import { mkdtemp } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createJsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { assert, present } from "../../src/platform/kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { findDaemon } from "../../src/sandbox/find-daemon.ts";
import { startUtxoNode, type UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { bitcoin, daemonOf } from "../support/known-chains.ts";
import type { BenchSite } from "./bench-site.ts";
import type { YearOfPayouts } from "./coin-selection.ts";
import { firstCoins, type PayoutDay } from "./payout-year.ts";

const exp = 8;
const walletName = "shop";
const never = new AbortController().signal;
const world = { clock: systemClock, logger: silentLogger, random: systemRandom };

/** Bitcoin Core's own wallet on a private chain lives through the days; null, with a message, without bitcoind. */
export async function payWithCore(
  site: BenchSite,
  days: readonly PayoutDay[],
): Promise<YearOfPayouts | null> {
  const found = findDaemon("bitcoind", {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind === "missing") {
    console.error(`\nNO COMPARISON WITH BITCOIN CORE: ${found.reason}\n`);
    return null;
  }
  const node = await startUtxoNode({
    chain: bitcoin.chain,
    sandbox: daemonOf(bitcoin),
    program: found.path,
    folder: await mkdtemp(join(site.folder, "core-wallet-")),
    settings: ["-addresstype=bech32", "-changetype=bech32"],
    ...world,
  });
  site.teardown.add("bitcoind of the comparison", () => node.stop());
  await node.command("createwallet", [walletName]);
  const wallet = createJsonRpc({
    nodes: [{ url: `${node.rpcUrl}/wallet/${walletName}` }],
    chain: bitcoin.chain,
    timeoutMs: 120_000,
    ...world,
  });
  site.teardown.add("its client", () => wallet.close());
  return await live(node, (method, params = []) => wallet.callOnce(method, params, never), days);
}

type Call = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>;

/** All change is confirmed when the next day begins; on the same day, the wallet may spend its own. */
async function live(
  node: UtxoNode,
  call: Call,
  days: readonly PayoutDay[],
): Promise<YearOfPayouts> {
  const payees: string[] = [];
  const most = Math.max(...days.flatMap(({ batches }) => batches.map(({ length }) => length)));
  while (payees.length < most) payees.push(await node.faucet<string>("getnewaddress"));
  let transactions = 0;
  let payouts = 0;
  let feeUnits = 0n;
  await receive(node, call, firstCoins);
  for (const { rate, deposits, batches } of days) {
    await receive(node, call, deposits);
    for (const batch of batches) {
      const outputs = batch.map((units, place) => ({
        [present(payees[place], "a payee")]: formatDecimal(units, exp),
      }));
      const rateText = formatDecimal(rate, 3);
      const sent = await call<{ readonly txid: string }>("send", [
        outputs,
        null,
        "unset",
        rateText,
      ]);
      const { fee } = await call<{ readonly fee: number }>("gettransaction", [sent.txid]);
      feeUnits -= unitsOf(fee);
      transactions += 1;
      payouts += batch.length;
    }
    await mine(node);
  }
  const left = await call<readonly unknown[]>("listunspent");
  return { payouts, transactions, feeUnits, coinsLeft: left.length };
}

/** Each amount comes to a new address. */
async function receive(node: UtxoNode, call: Call, amounts: readonly bigint[]): Promise<void> {
  const outputs: Record<string, string> = {};
  for (const units of amounts)
    outputs[await call<string>("getnewaddress")] = formatDecimal(units, exp);
  await node.faucet("sendmany", ["", outputs]);
  await mine(node);
}

async function mine(node: UtxoNode): Promise<void> {
  await node.command("generatetoaddress", [1, await node.faucet<string>("getnewaddress")]);
}

/** Core prints amounts as JSON numbers with eight digits. */
function unitsOf(coins: number): bigint {
  const parsed = parseDecimal(Math.abs(coins).toFixed(exp), exp);
  assert(parsed.kind === "units", "an amount of the node");
  return coins < 0 ? -parsed.units : parsed.units;
}
