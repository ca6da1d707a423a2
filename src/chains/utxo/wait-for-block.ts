import {
  addSeconds,
  type Clock,
  type Instant,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import type { JsonRpc } from "../rpc/json-rpc.ts";
import { isMethodNotFound, readText } from "./answer.ts";

/** Maximum long poll: a block that arrives between the check and the next poll goes unnoticed that long. */
const sliceMs = 1_000;
const graceMs = 10_000;

/**
 * Resolves when the node's best block is no longer `seen`, after `timeoutMs`, or when `signal` aborts; throws
 * `Unavailable` when no node answers. A node or gateway that answers a long poll at once is asked about as often as one that waits.
 */
export async function waitForOtherBlock(
  rpc: JsonRpc,
  clock: Clock,
  seen: string | null,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const msUntil = (at: Instant): number => Math.floor(secondsBetween(clock.now(), at) * 1000);
  const end = addSeconds(clock.now(), timeoutMs / 1000);
  const isStopped = (): boolean => signal.aborted;
  let known = seen;
  while (!isStopped()) {
    const hash = readText(await rpc.call("getbestblockhash", [], signal));
    if (known !== null && hash !== known) return;
    known = hash;
    const leftMs = msUntil(end);
    if (leftMs <= 0) return;
    const delayMs = Math.min(sliceMs, leftMs);
    const sliceEnd = addSeconds(clock.now(), delayMs / 1000);
    await waitSlice(rpc, clock, delayMs, signal);
    const earlyMs = msUntil(sliceEnd);
    if (earlyMs <= 0 || isStopped()) continue;
    if (readText(await rpc.call("getbestblockhash", [], signal)) !== known) return;
    await clock.sleep(earlyMs, signal);
  }
}

/** Some hosts do not offer `waitfornewblock`, which the node's help hides; then this function sleeps. */
async function waitSlice(
  rpc: JsonRpc,
  clock: Clock,
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await rpc.call("waitfornewblock", [delayMs], signal, { timeoutMs: delayMs + graceMs });
  } catch (error) {
    if (!isMethodNotFound(error)) throw error;
    await clock.sleep(delayMs, signal);
  }
}
