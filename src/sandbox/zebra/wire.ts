/** A spent output. */
export type Coin = { readonly units: bigint; readonly script: string };

export type Input = {
  readonly txid: string;
  readonly vout: number;
  /** Hex. */
  readonly scriptSig: string;
  readonly sequence: number;
};

/** A transaction without shielded parts. */
export type ZcashTransaction = {
  /** 1: only block 0 has one; 4: ZIP-243; 5: ZIP-225. */
  readonly version: 1 | 4 | 5;
  /** The consensus branch id of version 5, else 0. */
  readonly branch: number;
  readonly lockTime: number;
  /** 0: never. */
  readonly expiryHeight: number;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Coin[];
};

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** Hex, after its length. */
export function bytesOf(hex: string): Buffer {
  return Buffer.concat([compactSize(hex.length / 2), Buffer.from(hex, "hex")]);
}

export function compactSize(count: number): Buffer {
  if (count < 0xfd) return Buffer.of(count);
  const bytes = Buffer.alloc(3, 0xfd);
  bytes.writeUInt16LE(count, 1);
  return bytes;
}

/** The output that an input spends. */
export function inputBytes({ txid, vout }: Input): Buffer {
  return Buffer.concat([reversed(txid), uint32(vout)]);
}

export function outputBytes({ script, units }: Coin): Buffer {
  return Buffer.concat([uint64(units), bytesOf(script)]);
}

/** The bytes of a hash as it is shown. */
export function reversed(hex: string): Buffer {
  return Buffer.from(hex, "hex").reverse();
}

/** Reads bytes from the front. Throws `RangeError` where they end too early. */
export function createScanner(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    at += length;
    if (at > bytes.length) throw new RangeError("the bytes end too early");
    return bytes.subarray(at - length, at);
  };
  const count = (): number => {
    const first = take(1).readUInt8();
    if (first < 0xfd) return first;
    if (first === 0xfd) return take(2).readUInt16LE();
    throw new RangeError("a count beyond what this node takes");
  };
  return {
    take,
    number: () => take(4).readUInt32LE(),
    hash: () => Buffer.from(take(32)).reverse().toString("hex"),
    script: () => take(count()).toString("hex"),
    list: <Item>(read: () => Item): readonly Item[] => Array.from({ length: count() }, read),
    rest: () => bytes.subarray(at),
  };
}
