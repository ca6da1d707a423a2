import { encode } from "./cbor.ts";
import { hash256, hex, unhex } from "./hash.ts";
import type { Transaction } from "./transaction.ts";

/** What a block is made of, besides its ancestor. */
export type BlockContent = {
  readonly slot: number;
  /** In hex: makes blocks differ that have the same ancestor, slot and transactions. */
  readonly salt: string;
  readonly transactions: readonly Transaction[];
};

export type Block = BlockContent & {
  readonly id: string;
  readonly height: number;
  readonly ancestor: Block | null;
  /** Bytes of its body. */
  readonly size: number;
  readonly issuer: Issuer;
};

/** Who made a block. There is one producer, and its proofs are made up: nothing on this chain can check them. */
type Issuer = {
  readonly verificationKey: string;
  readonly vrfVerificationKey: string;
  readonly vrfOutput: string;
  readonly vrfProof: string;
  readonly kesVerificationKey: string;
  readonly kesPeriod: number;
  readonly sigma: string;
};

export const protocolVersion = { major: 10, minor: 0 } as const;
export const slotsPerKesPeriod = 129_600;

const kesSignatureBytes = 448;

/** A block on top of another one. Its id is the hash of a header of the Conway era. */
export function createBlock(ancestor: Block | null, content: BlockContent): Block {
  const { salt, slot, transactions } = content;
  const height = ancestor === null ? 0 : ancestor.height + 1;
  const parts = bodyParts(transactions);
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const issuer = issuerAt(slot, salt);
  const {
    kesPeriod,
    kesVerificationKey,
    sigma,
    verificationKey,
    vrfOutput,
    vrfProof,
    vrfVerificationKey,
  } = issuer;
  const headerBody = [
    height,
    slot,
    ancestor === null ? null : unhex(ancestor.id),
    unhex(verificationKey),
    unhex(vrfVerificationKey),
    [unhex(vrfOutput), unhex(vrfProof)],
    size,
    hash256(...parts.map((part) => hash256(part))),
    [unhex(kesVerificationKey), 0, kesPeriod, unhex(sigma)],
    [protocolVersion.major, protocolVersion.minor],
  ];
  const signature = made(kesSignatureBytes, "signature", salt, String(height));
  const id = hex(hash256(encode([headerBody, signature])));
  return { ...content, id, height, ancestor, size, issuer };
}

/** The four lists of a block's body: bodies, witnesses, auxiliary data by index, and the indexes of failed transactions. */
function bodyParts(transactions: readonly Transaction[]): readonly Uint8Array[] {
  const auxiliary = transactions.flatMap(({ parts }, index) =>
    parts.auxiliary === null ? [] : [[index, { raw: parts.auxiliary }] as const],
  );
  const failed = transactions.flatMap(({ isValid }, index) => (isValid ? [] : [index]));
  return [
    encode(transactions.map(({ parts }) => ({ raw: parts.body }))),
    encode(transactions.map(({ parts }) => ({ raw: parts.witnesses }))),
    encode(new Map(auxiliary)),
    encode(failed),
  ];
}

function issuerAt(slot: number, salt: string): Issuer {
  return {
    verificationKey: hex(made(32, "pool")),
    vrfVerificationKey: hex(made(32, "vrf")),
    vrfOutput: hex(made(64, "vrf output", salt, String(slot))),
    vrfProof: hex(made(80, "vrf proof", salt, String(slot))),
    kesVerificationKey: hex(made(32, "kes")),
    kesPeriod: Math.floor(slot / slotsPerKesPeriod),
    sigma: hex(made(64, "sigma")),
  };
}

/** So many bytes that follow from names. */
function made(length: number, ...names: readonly string[]): Uint8Array {
  const seed = new TextEncoder().encode(names.join("/"));
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_part, at) =>
    hash256(seed, Uint8Array.of(at)),
  );
  return Uint8Array.from(Buffer.concat(parts).subarray(0, length));
}
