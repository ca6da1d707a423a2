import type { Clock } from "../../platform/kernel/clock.ts";
import type { Ledger } from "./ledger.ts";
import type { ValueMap } from "./msgpack.ts";
import { rules } from "./rules.ts";

/** A node of the network. */
export type Node = {
  readonly ledger: Ledger;
  /** As `/v2/status` answers it. */
  readonly status: () => ValueMap;
  /** Says for so many seconds that it catches up with the network. */
  readonly catchUp: (seconds: number) => void;
};

const nanosPerMicro = 1_000n;
const nanosPerSecond = 1_000_000_000n;

export function createNode(ledger: Ledger, clock: Clock): Node {
  let seen = ledger.newest().round;
  let seenAt = clock.now();
  let catchingUpUntil = 0;
  /** How long ago the newest block came, as far as anybody asked. */
  const sinceLastRound = (): bigint => {
    if (seen !== ledger.newest().round) {
      seen = ledger.newest().round;
      seenAt = clock.now();
    }
    return BigInt(Math.round(clock.now() - seenAt)) * nanosPerMicro;
  };
  return {
    ledger,
    catchUp: (seconds) => {
      catchingUpUntil = clock.now() + seconds * 1_000_000;
    },
    status: () => {
      const { round } = ledger.newest();
      const catchingUp = Math.max(0, Math.round(catchingUpUntil - clock.now()));
      return {
        "last-round": round,
        "last-version": rules.version,
        "next-version": rules.version,
        "next-version-round": round + 1n,
        "next-version-supported": true,
        "time-since-last-round": sinceLastRound(),
        "catchup-time": catchingUp === 0 ? 0n : nanosPerSecond,
        "stopped-at-unsupported-round": false,
        "last-catchpoint": "",
        catchpoint: "",
        "catchpoint-total-accounts": 0n,
        "catchpoint-processed-accounts": 0n,
        "catchpoint-verified-accounts": 0n,
        "catchpoint-total-kvs": 0n,
        "catchpoint-processed-kvs": 0n,
        "catchpoint-verified-kvs": 0n,
        "catchpoint-total-blocks": 0n,
        "catchpoint-acquired-blocks": 0n,
      };
    },
  };
}
