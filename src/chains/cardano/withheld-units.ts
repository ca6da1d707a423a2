import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { CardanoOutput } from "./block.ts";
import { isTooMany } from "./token-bundles.ts";
import { leastUnits } from "./transaction-size.ts";

/**
 * The protocol's parameter since the Vasil fork of 2022. A constant: blocks do not name it, and what is withheld of a payment must be the same on
 * every node and at every time.
 */
const coinsPerByte = 4_310n;

/** Deposits and change have enterprise addresses: a byte, and the hash of a key. */
const ownAddressBytes = 29;

/**
 * The lovelace of an output to us that its tokens keep: wherever they go, they need an output with its least amount. All of it where they cannot
 * go anywhere. A datum or a script stays behind when the output is spent and keeps nothing.
 */
export function withheldUnits({ assets, units }: Pick<CardanoOutput, "assets" | "units">): bigint {
  if (assets.length === 0) return 0n;
  if (assets.some(isTooMany)) return units;
  return minBigInt(units, leastUnits({ coinsPerByte }, { addressBytes: ownAddressBytes, assets }));
}
