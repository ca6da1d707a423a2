import type { Clock } from "../../kernel/clock.ts";
import { Unavailable } from "../../kernel/unavailable.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/rpc-error.ts";
import { readCoins, readFields, readText } from "./answer.ts";

/** One look at the set of unspent outputs serves any number of scripts; this many fit well into one request. */
const chunkLength = 10_000;
/** The whole set of Bitcoin takes a few minutes. */
const scanTimeoutMs = 15 * 60_000;
const busyPauseMs = 1_000;
const busyPausesMax = 60;
const attemptsMax = 3;

/**
 * Sums what the scripts (hex) hold in the node's set of unspent outputs, at one block. A node scans for one asker at a
 * time, so calls wait for each other here and for other programs' scans there.
 */
export function createBalanceReader(
  rpc: JsonRpc,
  clock: Clock,
): (scripts: readonly string[], signal: AbortSignal) => Promise<bigint> {
  let last: Promise<unknown> = Promise.resolve();
  return (scripts, signal) => {
    const sum = last.then(() => sumAtOneBlock(rpc, clock, scripts, signal));
    last = sum.catch(() => undefined);
    return sum;
  };
}

async function sumAtOneBlock(
  rpc: JsonRpc,
  clock: Clock,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<bigint> {
  // An address named twice holds its coins once.
  const distinct = [...new Set(scripts)];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const blocks = new Set<string>();
    let total = 0n;
    for (let from = 0; from < distinct.length; from += chunkLength) {
      const chunk = distinct.slice(from, from + chunkLength);
      const scan = await scanOnce(rpc, clock, chunk, signal);
      blocks.add(scan.block);
      total += scan.units;
    }
    if (blocks.size <= 1) return total;
  }
  throw new Unavailable("node", "new blocks come faster than it scans for balances");
}

async function scanOnce(
  rpc: JsonRpc,
  clock: Clock,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly block: string; readonly units: bigint }> {
  const descriptors = scripts.map((script) => `raw(${script})`);
  for (let pauses = 0; pauses < busyPausesMax; pauses += 1) {
    try {
      const fields = readFields(
        // Once: after a broken connection the node goes on scanning, and a second scan would find it busy.
        await rpc.callOnce("scantxoutset", ["start", descriptors], signal, {
          timeoutMs: scanTimeoutMs,
        }),
      );
      if (fields["success"] !== true) throw new Unavailable("node", "a scan was aborted");
      return { block: readText(fields["bestblock"]), units: readCoins(fields["total_amount"]) };
    } catch (error) {
      if (!(error instanceof RpcError) || !/scan already in progress/i.test(error.message))
        throw error;
    }
    await clock.sleep(busyPauseMs, signal);
  }
  throw new Unavailable("node", "is busy with another scan of its unspent outputs");
}
