import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readCoins, readFields, readList, readText } from "./answer.ts";

/** One scan of the unspent outputs serves any number of scripts; this many fit well into one request. */
const chunkLength = 10_000;
/** Scanning Bitcoin's whole set takes a few minutes. */
const scanTimeoutMs = 15 * 60_000;
const busyPauseMs = 1_000;
const busyPausesMax = 60;

/**
 * The balance of each script (hex) in the node's set of unspent outputs, at the block of that hash; null if the node's tip is
 * another block when the scan begins. A node runs one scan at a time, so calls wait for each other here and for other programs'
 * scans there.
 */
export function createBalanceReader(
  rpc: JsonRpc,
  clock: Clock,
): (
  scripts: readonly string[],
  hash: string,
  signal: AbortSignal,
) => Promise<readonly bigint[] | null> {
  let last: Promise<unknown> = Promise.resolve();
  return (scripts, hash, signal) => {
    const read = last.then(() => readAtBlock(rpc, clock, { scripts, hash }, signal));
    last = read.catch(() => undefined);
    return read;
  };
}

async function readAtBlock(
  rpc: JsonRpc,
  clock: Clock,
  { scripts, hash }: { readonly scripts: readonly string[]; readonly hash: string },
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  const held = new Map<string, bigint>();
  const distinct = [...new Set(scripts)];
  for (let from = 0; from < distinct.length; from += chunkLength) {
    const scan = await scanOnce(rpc, clock, distinct.slice(from, from + chunkLength), signal);
    if (scan.block !== hash) return null;
    for (const { script, units } of scan.outputs)
      held.set(script, (held.get(script) ?? 0n) + units);
  }
  return scripts.map((script) => held.get(script) ?? 0n);
}

type Scan = {
  readonly block: string;
  readonly outputs: readonly { readonly script: string; readonly units: bigint }[];
};

async function scanOnce(
  rpc: JsonRpc,
  clock: Clock,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<Scan> {
  const descriptors = scripts.map((script) => `raw(${script})`);
  for (let pauses = 0; pauses < busyPausesMax; pauses += 1) {
    try {
      const fields = readFields(
        // Only once: after a broken connection the node continues its scan, and a second one would find it busy.
        await rpc.callOnce("scantxoutset", ["start", descriptors], signal, {
          timeoutMs: scanTimeoutMs,
        }),
      );
      if (fields["success"] !== true) throw new Unavailable("node", "a scan was aborted");
      return {
        block: readText(fields["bestblock"]),
        outputs: readList(fields["unspents"]).map((unspent) => {
          const { scriptPubKey, amount } = readFields(unspent) as Record<string, unknown>;
          return { script: readText(scriptPubKey), units: readCoins(amount) };
        }),
      };
    } catch (error) {
      if (!(error instanceof RpcError) || !/scan already in progress/i.test(error.message))
        throw error;
    }
    await clock.sleep(busyPauseMs, signal);
  }
  throw new Unavailable("node", "is busy with another scan of its unspent outputs");
}
