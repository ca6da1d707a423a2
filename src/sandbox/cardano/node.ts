import { type Clock, type Instant, microsPerSecond } from "../../platform/kernel/clock.ts";
import type { Ledger } from "./ledger.ts";

/** A node with Ogmios and Kupo in front of it. */
export type Node = {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The share of the chain that the node has, 1 at most. */
  readonly synchronization: () => number;
  /** When the tip changed, as far as the node has seen. */
  readonly tipChangedAt: () => Instant;
  /** Says for so many seconds that the node still catches up with the network. */
  readonly catchUp: (seconds: number) => void;
  /** How many blocks Kupo is behind the node. */
  readonly kupoLag: () => number;
  readonly setKupoLag: (blocks: number) => void;
  /** Stops the blocks that come by themselves for so many seconds, as a halted network does. */
  readonly pause: (seconds: number) => void;
  readonly isPaused: () => boolean;
};

const catchingUp = 0.98;

export function createNode(ledger: Ledger, clock: Clock): Node {
  const after = (seconds: number): number => clock.now() + seconds * microsPerSecond;
  let tip = ledger.tip();
  let tipChangedAt = clock.now();
  let catchingUpUntil = 0;
  let pausedUntil = 0;
  let kupoLag = 0;
  ledger.onChange(() => {
    if (ledger.tip() === tip) return;
    tip = ledger.tip();
    tipChangedAt = clock.now();
  });
  return {
    ledger,
    clock,
    synchronization: () => (clock.now() < catchingUpUntil ? catchingUp : 1),
    tipChangedAt: () => tipChangedAt,
    catchUp: (seconds) => {
      catchingUpUntil = after(seconds);
    },
    kupoLag: () => kupoLag,
    setKupoLag: (blocks) => {
      kupoLag = blocks;
    },
    pause: (seconds) => {
      pausedUntil = after(seconds);
    },
    isPaused: () => clock.now() < pausedUntil,
  };
}
