import { present } from "../../platform/kernel/assert.ts";
import { digestBy, hashOf, readAddress } from "./address.ts";
import type { AppliedTransaction } from "./apply-data.ts";
import { genesisTimestamp, type Network } from "./genesis.ts";
import { encodeValue, type ValueMap, without } from "./msgpack.ts";
import { rules } from "./rules.ts";
import { encodeTransaction, transactionHash } from "./transaction.ts";

/** A block. Nothing replaces it. */
export type Block = {
  readonly round: bigint;
  readonly hash: Uint8Array;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Under the names of the protocol. */
  readonly header: ValueMap;
  readonly encodedHeader: Uint8Array;
  readonly transactions: readonly AppliedTransaction[];
};

/** What proposing a block would pay on the main network. Here nobody is paid, as nobody has the stake. */
const bonus = 10_000_000n;
const rewardsRecalculation = 500_000n;
const stateProofInterval = 256n;

/** The block at round 0. */
export function genesisBlock(network: Network, counter: bigint): Block {
  return blockOf({
    ...constants(network),
    // Round 0 commits to an empty list, and all later ones to a tree.
    txn: hashOf("PF", encodeValue([])),
    seed: network.genesisHash,
    tc: counter,
    ts: BigInt(genesisTimestamp),
  });
}

/** The block after the parent. */
export function nextBlock(
  network: Network,
  parent: Block,
  content: {
    readonly timestamp: number;
    readonly transactions: readonly AppliedTransaction[];
    readonly counter: bigint;
  },
): Block {
  const { counter, timestamp, transactions } = content;
  const fees = transactions.reduce((sum, { txn }) => sum + (txn.fee ?? 0n), 0n);
  const round = parent.round + 1n;
  // A day has thirty thousand blocks, so what they share is there once.
  const { fees: feeSink, gen, gh, proto, rwcalr, rwd } = parent.header;
  return blockOf(
    {
      fees: feeSink,
      gen,
      gh,
      proto,
      rwcalr,
      rwd,
      ...(transactions.length === 0 ? emptyCommitments : commitments(transactions)),
      rnd: round,
      bi: bonus,
      fc: fees === 0n ? undefined : fees,
      prp: network.proposer,
      prev: parent.hash,
      prev512: digestBy("sha512", Buffer.from("BH"), parent.encodedHeader),
      seed: hashOf("SD", parent.hash),
      spt: new Map([[0n, { n: (round / stateProofInterval + 2n) * stateProofInterval }]]),
      tc: counter,
      ts: BigInt(timestamp),
    },
    transactions,
  );
}

function blockOf(header: ValueMap, transactions: readonly AppliedTransaction[] = []): Block {
  const { rnd = 0n, ts } = header;
  const encodedHeader = encodeValue(header);
  return {
    round: rnd as bigint,
    hash: hashOf("BH", encodedHeader),
    encodedHeader,
    timestamp: Number(ts),
    header,
    transactions,
  };
}

function constants({ feeSink, genesisHash, genesisId, rewardsPool }: Network): ValueMap {
  return {
    gen: genesisId,
    gh: genesisHash,
    fees: addressBytes(feeSink),
    rwd: addressBytes(rewardsPool),
    rwcalr: rewardsRecalculation,
    proto: rules.version,
  };
}

function addressBytes(address: string): Uint8Array {
  return present(readAddress(address), "an address of the network");
}

/** A transaction as a block contains it: without the network, which the block names. */
function inBlock({ txn, ...rest }: AppliedTransaction): ValueMap {
  const short = without(txn, ["gen", "gh"]);
  return { ...rest, txn: short, ...(txn.gen === undefined ? {} : { hgi: true }) };
}

/** A block as the node hands it out. */
export function blockValue({ header, transactions }: Block): ValueMap {
  return transactions.length === 0 ? header : { ...header, txns: transactions.map(inBlock) };
}

/** The roots of the trees of transactions, with the three functions that the protocol uses. */
function commitments(transactions: readonly AppliedTransaction[]): ValueMap {
  const leaves = transactions.map((one) => {
    const encoded = Buffer.concat([Buffer.from("STIB"), encodeValue(inBlock(one))]);
    const native = [transactionHash(one.txn), hashOf("", encoded)];
    const unsigned = Buffer.concat([Buffer.from("TX"), encodeTransaction(one.txn)]);
    const sha256 = [digestBy("sha256", unsigned), digestBy("sha256", encoded)];
    return { native: Buffer.concat(native), sha256: Buffer.concat(sha256) };
  });
  const native = leaves.map((leaf) => hashOf("TL", leaf.native));
  return {
    ...(native.length === 0 ? {} : { txn: rootOf("sha512-256", native) }),
    txn256: vectorRoot(
      "sha256",
      leaves.map((leaf) => leaf.sha256),
    ),
    txn512: vectorRoot(
      "sha512",
      leaves.map((leaf) => leaf.sha256),
    ),
  };
}

const emptyCommitments = commitments([]);

type Algorithm = Parameters<typeof digestBy>[0];

/** Each node is the hash of two; where the right one is missing, zeros stand for it. */
function rootOf(algorithm: Algorithm, leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return present(leaves[0], "a leaf");
  const pairs = Array.from({ length: Math.ceil(leaves.length / 2) }, (_, at) => {
    const left = present(leaves[2 * at], "a left node");
    const right = leaves[2 * at + 1] ?? new Uint8Array(left.length);
    return digestBy(algorithm, Buffer.from("MA"), left, right);
  });
  return rootOf(algorithm, pairs);
}

/** The root of a tree whose places have their bits reversed, filled up to a power of two. */
function vectorRoot(algorithm: Algorithm, leaves: readonly Uint8Array[]): Uint8Array {
  const bits = leaves.length < 2 ? 0 : Math.ceil(Math.log2(leaves.length));
  const placed = Array.from({ length: 2 ** bits }, (_, place) => {
    const leaf = leaves[reversed(place, bits)];
    return leaf === undefined
      ? digestBy(algorithm, Buffer.from("MB"))
      : digestBy(algorithm, Buffer.from("TL"), leaf);
  });
  return rootOf(algorithm, placed);
}

/** The number with so many bits in the other order. */
function reversed(place: number, bits: number): number {
  let turned = 0;
  for (let bit = 0; bit < bits; bit += 1) turned = turned * 2 + (Math.floor(place / 2 ** bit) % 2);
  return turned;
}
