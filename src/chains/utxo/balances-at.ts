import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { RpcError } from "../rpc/node-error.ts";
import { readCoins, readFields, readList, readText } from "./answer.ts";
import type { UtxoChain } from "./utxo-chain.ts";

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
  { scansWithoutBlock }: Pick<UtxoChain, "scansWithoutBlock">,
): (
  scripts: readonly string[],
  hash: string,
  signal: AbortSignal,
) => Promise<readonly bigint[] | null> {
  let last: Promise<unknown> = Promise.resolve();
  return (scripts, hash, signal) => {
    const request = { scripts, hash, isBlockUnsaid: scansWithoutBlock === true };
    const read = last.then(() => readAtBlock(rpc, clock, request, signal));
    last = read.catch(() => undefined);
    return read;
  };
}

type BalanceRequest = { readonly scripts: readonly string[]; readonly hash: string };

async function readAtBlock(
  rpc: JsonRpc,
  clock: Clock,
  { scripts, hash, isBlockUnsaid }: BalanceRequest & { readonly isBlockUnsaid: boolean },
  signal: AbortSignal,
): Promise<readonly bigint[] | null> {
  const held = new Map<string, bigint>();
  const distinct = [...new Set(scripts)];
  for (let from = 0; from < distinct.length; from += chunkLength) {
    const chunk = distinct.slice(from, from + chunkLength);
    const scan = await (isBlockUnsaid ? scanAtTip : scanOnce)(rpc, clock, chunk, signal);
    if (scan.block !== hash) return null;
    for (const { script, units } of scan.outputs)
      held.set(script, (held.get(script) ?? 0n) + units);
  }
  return scripts.map((script) => held.get(script) ?? 0n);
}

type Scan = {
  /** Null if the node does not say. */
  readonly block: string | null;
  readonly outputs: readonly { readonly script: string; readonly units: bigint }[];
};

/** The scan belongs to the tip if that was the same before and after it. */
async function scanAtTip(
  ...[rpc, clock, scripts, signal]: Parameters<typeof scanOnce>
): Promise<Scan> {
  const tip = async (): Promise<string> => readText(await rpc.call("getbestblockhash", [], signal));
  const before = await tip();
  const scan = await scanOnce(rpc, clock, scripts, signal);
  return { ...scan, block: (await tip()) === before ? before : null };
}

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
        block: fields["bestblock"] === undefined ? null : readText(fields["bestblock"]),
        // What holds tokens is not a coin of ours, see `transfersOf`.
        outputs: readList(fields["unspents"])
          .map(readFields)
          .filter(({ tokenData }) => tokenData === undefined)
          .map(({ scriptPubKey, amount }) => ({
            script: readText(scriptPubKey),
            units: readCoins(amount),
          })),
      };
    } catch (error) {
      if (!(error instanceof RpcError) || !/scan already in progress/i.test(error.message))
        throw error;
    }
    await clock.sleep(busyPauseMs, signal);
  }
  throw new Unavailable("node", "is busy with another scan of its unspent outputs");
}
