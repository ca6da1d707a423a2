import { scryptSync } from "node:crypto";
import type { UtxoNetwork, WorkHash } from "./utxo-chain.ts";

const headerLength = 80;
/** `nBits` of a header: where its target stands, in the compact form of Bitcoin Core's `arith_uint256::SetCompact`. */
const bitsAt = 72;
const hashBits = 256n;

/**
 * Whether the header's hash is at or below the target that it names, and that target no easier than the network's easiest, as
 * Bitcoin Core's `CheckProofOfWork` has it. `hash` is the header's double SHA-256 as text. That the target is the one the blocks
 * before it ask for is not checked.
 */
export function hasWork(
  header: Buffer,
  hash: string,
  workHash: WorkHash,
  { easiestTarget }: Pick<UtxoNetwork, "easiestTarget">,
): boolean {
  const target = targetOf(header.readUInt32LE(bitsAt));
  if (target === null || target > BigInt(`0x${easiestTarget}`)) return false;
  const work = workHash === "sha256d" ? hash : scryptHash(header.subarray(0, headerLength));
  return BigInt(`0x${work}`) <= target;
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
