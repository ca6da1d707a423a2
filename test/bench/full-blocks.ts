import { createHash } from "node:crypto";

/*
 * Blocks as full as Bitcoin's: 4,000 transactions with 10,000 outputs in a megabyte, valid on a private chain. Each transaction
 * spends an anyone-can-spend output, with a witness as long as a signature and a key, and pays one such output and one
 * or two addresses.
 */

export const transactionsPerBlock = 4_000;
const outputsPerBlock = 10_000;

/** A spendable output. `hash` is its transaction's, in internal byte order. */
export type Coin = { readonly hash: Buffer; readonly index: number; readonly units: bigint };

type Output = { readonly script: Buffer; readonly units: bigint };

export type RawTransaction = {
  readonly bytes: Buffer;
  readonly hash: Buffer;
  readonly witnessHash: Buffer;
  readonly outputs: readonly Output[];
};

export type BlockSite = {
  readonly parentHash: string;
  readonly height: number;
  /** Unix seconds, later than in all previous blocks. */
  readonly time: number;
};

export type BuiltBlock = { readonly hex: string; readonly hash: string; readonly site: BlockSite };

/** Drops the stack and pushes true: anyone can spend it. */
const openScript = Buffer.from("6d51", "hex");
export const openOutput = Buffer.concat([Buffer.from("0020", "hex"), sha256(openScript)]);
const openWitness = [Buffer.alloc(72, 0x30), Buffer.alloc(33, 0x02), openScript];

/** A transaction that splits `coin` into equal coins. */
export function fanOut(coin: Coin, count: number): RawTransaction {
  const output = { script: openOutput, units: coin.units / BigInt(count) };
  return spend(coin, new Array<Output>(count).fill(output));
}

/** A transaction that pays `units` to each script of `payTo` (hex) and passes on the rest of the coin. */
export function payment(coin: Coin, payTo: readonly string[], units: bigint): RawTransaction {
  const rest = { script: openOutput, units: coin.units - BigInt(payTo.length) * units };
  return spend(coin, [rest, ...payTo.map((hex) => ({ script: Buffer.from(hex, "hex"), units }))]);
}

/** The payments of a full block, one per coin, to addresses derived from `seed`. The coinbase adds two outputs. */
export function fullPayments(coins: readonly Coin[], seed: string): readonly RawTransaction[] {
  const payments = transactionsPerBlock - 1;
  const twice = outputsPerBlock - 2 - 2 * payments;
  return coins.slice(0, payments).map((coin, index) => {
    const scripts = [`0014${digest(`${seed} ${index} a`)}`];
    if (index < twice) scripts.push(`76a914${digest(`${seed} ${index} b`)}88ac`);
    return payment(coin, scripts, 1_000n);
  });
}

/** The anyone-can-spend outputs of a transaction. */
export function openCoins({ hash, outputs }: RawTransaction): readonly Coin[] {
  return outputs.flatMap(({ script, units }, index) =>
    script.equals(openOutput) ? [{ hash, index, units }] : [],
  );
}

export function buildBlock(site: BlockSite, payments: readonly RawTransaction[]): BuiltBlock {
  const witnessHashes = payments.map(({ witnessHash }) => witnessHash);
  const witnessRoot = merkleRoot([Buffer.alloc(32), ...witnessHashes]);
  const coinbase = buildCoinbase(site.height, witnessRoot);
  const transactions = [coinbase, ...payments];
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  Buffer.from(site.parentHash, "hex").reverse().copy(header, 4);
  merkleRoot(transactions.map(({ hash }) => hash)).copy(header, 36);
  header.writeUInt32LE(site.time, 68);
  header.writeUInt32LE(0x207fffff, 72);
  let nonce = 0;
  // The private chain's target is half of all hashes.
  while ((doubleHash(header)[31] ?? 0) >= 0x7f) header.writeUInt32LE((nonce += 1), 76);
  const parts = [
    header,
    countBytes(transactions.length),
    ...transactions.map(({ bytes }) => bytes),
  ];
  return {
    site,
    hex: Buffer.concat(parts).toString("hex"),
    hash: doubleHash(header).reverse().toString("hex"),
  };
}

function spend(coin: Coin, outputs: readonly Output[]): RawTransaction {
  const input = Buffer.concat([
    coin.hash,
    uint32(coin.index),
    Buffer.from([0]),
    uint32(0xffffffff),
  ]);
  return serialize(input, outputs, openWitness);
}

/** Starts with the height (BIP34) and commits to the witnesses (BIP141). Its reward is unclaimed. */
function buildCoinbase(height: number, witnessRoot: Buffer): RawTransaction {
  const reserved = Buffer.alloc(32);
  const number = [height & 0xff, (height >> 8) & 0xff, (height >> 16) & 0xff];
  // The shortest encoding whose highest bit, the sign, is clear.
  while ((number.at(-1) ?? 1) === 0 && (number.at(-2) ?? 0) < 0x80) number.pop();
  const script = Buffer.from([number.length, ...number, 5, ...Buffer.from("bench")]);
  const input = Buffer.concat([
    ...[Buffer.alloc(32), uint32(0xffffffff), countBytes(script.length), script],
    uint32(0xffffffff),
  ]);
  const commitment = doubleHash(Buffer.concat([witnessRoot, reserved]));
  const mark = Buffer.from("6a24aa21a9ed", "hex");
  const outputs = [Buffer.from("6a", "hex"), Buffer.concat([mark, commitment])];
  return serialize(
    input,
    outputs.map((output) => ({ script: output, units: 0n })),
    [reserved],
  );
}

function serialize(
  input: Buffer,
  outputs: readonly Output[],
  witness: readonly Buffer[],
): RawTransaction {
  const body = Buffer.concat([
    ...[Buffer.from([1]), input, countBytes(outputs.length)],
    ...outputs.flatMap(({ script, units }) => [uint64(units), countBytes(script.length), script]),
  ]);
  const [version, lockTime] = [uint32(2), uint32(0)];
  const bytes = Buffer.concat([
    ...[version, Buffer.from([0, 1]), body, countBytes(witness.length)],
    ...witness.flatMap((item) => [countBytes(item.length), item]),
    lockTime,
  ]);
  return {
    bytes,
    outputs,
    hash: doubleHash(Buffer.concat([version, body, lockTime])),
    witnessHash: doubleHash(bytes),
  };
}

function merkleRoot(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) {
    const next: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] as Buffer;
      next.push(doubleHash(Buffer.concat([left, level[index + 1] ?? left])));
    }
    level = next;
  }
  return level[0] as Buffer;
}

function countBytes(count: number): Buffer {
  if (count < 0xfd) return Buffer.from([count]);
  return Buffer.from([0xfd, count & 0xff, count >> 8]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function doubleHash(bytes: Uint8Array): Buffer {
  return sha256(sha256(bytes));
}
