import { keccak_256 } from "@noble/hashes/sha3.js";
import artifacts from "./artifacts.gen.json" with { type: "json" };
import type { Call } from "./fee-questions.ts";

/**
 * Deploys code at an address that depends only on the code (EIP-1014, with a salt of the caller's); at this address on every
 * supported chain.
 */
const deterministicDeployer = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const salt = "0".repeat(64);

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
  const codeHash = Buffer.from(keccak_256(bytes(initCodeFor(hot, gasAccount)))).toString("hex");
  const preimage = `ff${deterministicDeployer.slice(2)}${salt}${codeHash}`;
  return `0x${Buffer.from(keccak_256(bytes(preimage)))
    .toString("hex")
    .slice(-40)}`;
}

/** The call that deploys it, valid from any sender. */
export function deployCall(hot: string, gasAccount: string): Call {
  return { to: deterministicDeployer, value: 0n, data: `0x${salt}${initCodeFor(hot, gasAccount)}` };
}

/** The code of an address that delegates to `delegate` (EIP-7702). */
export function designatorOf(delegate: string): string {
  return `0xef0100${delegate.slice(2)}`;
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

function bytes(digits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(digits, "hex"));
}
