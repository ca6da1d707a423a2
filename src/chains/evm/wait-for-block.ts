import { addSeconds, type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import type { EvmNode } from "./evm-node.ts";
import { heightOf } from "./questions.ts";

/** The polling interval: short enough to see blocks soon, and one tiny request each time. */
const longestPauseMs = 1_000;
const shortestPauseMs = 100;

/**
 * Resolves when the node's height is no longer `seen`, after `timeoutMs`, or when `signal` aborts; throws `Unavailable` when no
 * node answers. Ethereum's JSON-RPC over HTTP has no call that waits, so this one polls.
 */
export async function waitForHeightChange(
  node: EvmNode,
  clock: Clock,
  seen: number | null,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const end = addSeconds(clock.now(), timeoutMs / 1000);
  const pauseMs = Math.max(shortestPauseMs, Math.min(longestPauseMs, timeoutMs / 8));
  const isStopped = (): boolean => signal.aborted;
  let known = seen;
  while (!isStopped()) {
    const leftMs = secondsBetween(clock.now(), end) * 1000;
    if (leftMs <= 0) return;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
    if (isStopped()) return;
    const height = await node.ask(heightOf(), signal);
    if (known !== null && height !== known) return;
    known = height;
  }
}
