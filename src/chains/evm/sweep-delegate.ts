import artifacts from "./artifacts.gen.json" with { type: "json" };
import { deployedAddress, deploymentCall } from "./deployment.ts";
import type { Call } from "./fee-questions.ts";

/** How the delegate's code names the coin. */
export const coinAsset = "0x0000000000000000000000000000000000000000";

/** Deposit addresses that hold the same assets, all in lower case; `coinAsset` represents the coin. */
export type SweepGroup = {
  readonly assets: readonly string[];
  readonly deposits: readonly string[];
};

/**
 * The address, current or future, of the delegate that moves everything to `hot` when the gas account calls it; all in lower
 * case.
 */
export function delegateFor(hot: string, gasAccount: string): string {
  return deployedAddress(initCodeFor(hot, gasAccount));
}

/** The call that deploys it, valid from any sender. */
export function deployCall(hot: string, gasAccount: string): Call {
  return deploymentCall(initCodeFor(hot, gasAccount));
}

/** The first four bytes of the hash of `sweepMany((address[],address[])[],uint256)`. */
export const sweepManySelector = "0x2a5e9968";

/**
 * Calls the delegate to empty every address of every group: `sweepMany((address[],address[])[],uint256)`, where each token call
 * gets `gasEach`.
 */
export function sweepManyCall(
  delegate: string,
  groups: readonly SweepGroup[],
  gasEach: bigint,
): Call {
  const encoded = groups.map(({ assets, deposits }) => {
    const lists = [listOf(assets), listOf(deposits)] as const;
    return [word(64), word(64 + lists[0].length * 32), ...lists.flat()];
  });
  const offsets: string[] = [];
  let offset = groups.length * 32;
  for (const words of encoded) {
    offsets.push(word(offset));
    offset += words.length * 32;
  }
  const words = [word(64), word(gasEach), word(groups.length), ...offsets, ...encoded.flat()];
  return { to: delegate, value: 0n, data: `${sweepManySelector}${words.join("")}` };
}

function listOf(addresses: readonly string[]): readonly string[] {
  return [
    word(addresses.length),
    ...addresses.map((address) => address.slice(2).padStart(64, "0")),
  ];
}

function word(value: number | bigint): string {
  return value.toString(16).padStart(64, "0");
}

/** Creation code followed by the constructor's arguments, in hex digits. */
function initCodeFor(hot: string, gasAccount: string): string {
  const [to, by] = [hot, gasAccount].map((address) => address.slice(2).padStart(64, "0"));
  return `${artifacts.SweepDelegate.bytecode.slice(2)}${to}${by}`;
}
