import { scryptSync } from "node:crypto";
import type { UtxoNetwork, WorkHash } from "../../currencies/utxo-facts.ts";
import { minBigInt } from "../../platform/kernel/bigint-min-max.ts";

export const headerLength = 80;
/** Offset of `nBits`, the target in compact form (Bitcoin Core's `arith_uint256::SetCompact`). */
const bitsAt = 72;
const hashBits = 256n;
/** A retarget changes the target by this factor at most, in either direction. */
const retargetFactorMax = 4n;

/**
 * Whether the header's hash is at or below its own target, and the target no easier than the network's limit (Bitcoin Core's
 * `CheckProofOfWork`). `hash` is the header's double SHA-256 as text. The work may have been made for another header (`worked`),
 * which then has the hash.
 */
export function hasWork(
  header: Buffer,
  hash: string,
  workHash: WorkHash,
  { easiestTarget }: Pick<UtxoNetwork, "easiestTarget">,
  worked: Buffer = header,
): boolean {
  const target = targetOf(header.readUInt32LE(bitsAt));
  if (target === null || target > BigInt(`0x${easiestTarget}`)) return false;
  const work = workHash === "sha256d" ? hash : scryptHash(worked.subarray(0, headerLength));
  return BigInt(`0x${work}`) <= target;
}

/**
 * Whether a header's target may follow its parent's (Bitcoin Core's `PermittedDifficultyTransition`): the same within a
 * retarget period; at its first block at most four times easier or harder, and never easier than the network's limit. True on networks
 * without such periods. The exact new target depends on block times two weeks back, which SPV clients do not check either.
 */
export function isTargetPermitted(
  header: Buffer,
  parent: Buffer,
  height: number,
  { easiestTarget, retargetBlocks }: Pick<UtxoNetwork, "easiestTarget" | "retargetBlocks">,
): boolean {
  if (retargetBlocks === null) return true;
  const bits = header.readUInt32LE(bitsAt);
  const parentBits = parent.readUInt32LE(bitsAt);
  if (height % retargetBlocks !== 0) return bits === parentBits;
  const target = targetOf(bits);
  const parentTarget = targetOf(parentBits);
  if (target === null || parentTarget === null) return false;
  const easiest = minBigInt(parentTarget * retargetFactorMax, BigInt(`0x${easiestTarget}`));
  const hardest = parentTarget / retargetFactorMax;
  return target <= inCompactForm(easiest) && target >= inCompactForm(hardest);
}

/** The target as its compact form stores it: the leading 23 bits or more, the rest cut to zero. */
function inCompactForm(target: bigint): bigint {
  const bytes = Math.ceil(target.toString(2).length / 8);
  const hasSignBit = target >> BigInt(8 * bytes - 1) !== 0n;
  const cut = BigInt(8 * Math.max(0, bytes - (hasSignBit ? 2 : 3)));
  return (target >> cut) << cut;
}

/** Null for a target that is negative, 0 or more than 256 bits. */
function targetOf(bits: number): bigint | null {
  const exponent = bits >>> 24;
  const mantissa = bits & 0x007fffff;
  const isNegative = (bits & 0x00800000) !== 0;
  const target =
    exponent <= 3
      ? BigInt(mantissa) >> BigInt(8 * (3 - exponent))
      : BigInt(mantissa) << BigInt(8 * (exponent - 3));
  return isNegative || target === 0n || target >> hashBits !== 0n ? null : target;
}

/** Litecoin's proof of work (N 1024, r 1, p 1; the header is password and salt): 0.6 ms of one core. */
function scryptHash(header: Buffer): string {
  return scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }).reverse().toString("hex");
}
