import { blake2b } from "@noble/hashes/blake2.js";
import {
  bytesOf,
  type Coin,
  inputBytes,
  outputBytes,
  uint32,
  uint64,
  type ZcashTransaction,
} from "./wire.ts";

const all = 1;
/** Of version 5: no Sapling part, no Orchard part. */
const shieldedNames = ["ZTxIdSaplingHash", "ZTxIdOrchardHash"];
/** Of version 4: the hashes of what it lacks are zeros, and so is the balance of its shielded parts. */
const missingParts = Buffer.alloc(3 * 32);
const missingBalance = Buffer.alloc(8);

/** The id of a transaction of version 5, as on the wire: ZIP-244. */
export function txidDigest(transaction: ZcashTransaction): Buffer {
  const { inputs, outputs } = transaction;
  const transparent = blake(
    "ZTxIdTranspaHash",
    blake("ZTxIdPrevoutHash", ...inputs.map(inputBytes)),
    blake("ZTxIdSequencHash", ...inputs.map(({ sequence }) => uint32(sequence))),
    blake("ZTxIdOutputsHash", ...outputs.map(outputBytes)),
  );
  return treeRoot(transaction, transparent);
}

/**
 * What the signature of input number `index` signs with SIGHASH_ALL: ZIP-244 for version 5, ZIP-243 for version 4, under the rules
 * of the branch. `coins` are those that the inputs spend, in order.
 */
export function sighash(
  transaction: ZcashTransaction,
  coins: readonly Coin[],
  index: number,
  branch: number,
): Buffer {
  return transaction.version === 4
    ? sighashV4(transaction, coins, index, branch)
    : sighashV5(transaction, coins, index);
}

function sighashV5(transaction: ZcashTransaction, coins: readonly Coin[], index: number): Buffer {
  const { inputs, outputs } = transaction;
  const transparent = blake(
    "ZTxIdTranspaHash",
    Buffer.of(all),
    blake("ZTxIdPrevoutHash", ...inputs.map(inputBytes)),
    blake("ZTxTrAmountsHash", ...coins.map(({ units }) => uint64(units))),
    blake("ZTxTrScriptsHash", ...coins.map(({ script }) => bytesOf(script))),
    blake("ZTxIdSequencHash", ...inputs.map(({ sequence }) => uint32(sequence))),
    blake("ZTxIdOutputsHash", ...outputs.map(outputBytes)),
    blake("Zcash___TxInHash", ...signedInput(transaction, coins, index, "amountFirst")),
  );
  return treeRoot(transaction, transparent);
}

function sighashV4(
  transaction: ZcashTransaction,
  coins: readonly Coin[],
  index: number,
  branch: number,
): Buffer {
  const { expiryHeight, inputs, lockTime, outputs } = transaction;
  return blake(
    Buffer.concat([Buffer.from("ZcashSigHash"), uint32(branch)]),
    Buffer.from("0400008085202f89", "hex"),
    blake("ZcashPrevoutHash", ...inputs.map(inputBytes)),
    blake("ZcashSequencHash", ...inputs.map(({ sequence }) => uint32(sequence))),
    blake("ZcashOutputsHash", ...outputs.map(outputBytes)),
    missingParts,
    uint32(lockTime),
    uint32(expiryHeight),
    missingBalance,
    uint32(all),
    ...signedInput(transaction, coins, index, "scriptFirst"),
  );
}

function signedInput(
  { inputs }: ZcashTransaction,
  coins: readonly Coin[],
  index: number,
  order: "amountFirst" | "scriptFirst",
): readonly Buffer[] {
  const [input, coin] = [inputs[index], coins[index]];
  if (input === undefined || coin === undefined) throw new RangeError(`no input ${index}`);
  const spent = [uint64(coin.units), bytesOf(coin.script)];
  if (order === "scriptFirst") spent.reverse();
  return [inputBytes(input), ...spent, uint32(input.sequence)];
}

function treeRoot(transaction: ZcashTransaction, transparent: Buffer): Buffer {
  const { branch, expiryHeight, lockTime } = transaction;
  const header = [uint32(branch), uint32(lockTime), uint32(expiryHeight)];
  return blake(
    Buffer.concat([Buffer.from("ZcashTxHash_"), uint32(branch)]),
    blake("ZTxIdHeadersHash", Buffer.from("050000800a27a726", "hex"), ...header),
    transparent,
    ...shieldedNames.map((name) => blake(name)),
  );
}

function blake(name: string | Buffer, ...parts: readonly Buffer[]): Buffer {
  const personalization = Buffer.from(name);
  return Buffer.from(blake2b(Buffer.concat(parts), { dkLen: 32, personalization }));
}
