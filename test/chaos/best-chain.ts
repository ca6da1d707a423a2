import { MuxedAccount, StrKey } from "@stellar/stellar-sdk/base";

/** Value that a block of the best chain moved to an address. */
export type Output = {
  readonly txid: string;
  /** The output's index where the chain numbers outputs; null elsewhere. */
  readonly vout: number | null;
  /** As `spelling` writes it. */
  readonly address: string;
  readonly currency: string;
  readonly units: bigint;
};

/** Value that a block of the best chain took from an address; for accounts including burnt fees. */
export type Debit = Pick<Output, "txid" | "address" | "currency" | "units">;

export type TruthBlock = {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly outputs: readonly Output[];
  readonly debits: readonly Debit[];
  /** What accounts paid for receiving, where that costs them something. */
  readonly charges?: readonly Debit[];
  /** The fee of each transaction, in units of the chain's coin. */
  readonly burnt: ReadonlyMap<string, bigint>;
};

/** The truth as a node reports it, read without the service's code. */
export type TruthReader = {
  /** The chain's first block. */
  readonly firstHeight: number;
  /** Whose money an output to the address is: another address where this one also names a tag. */
  readonly holderOf: (address: string) => string;
  /** Whether the outputs have a `vout`. */
  readonly numbersOutputs: boolean;
  /** Whether a killed node may come back with holdings that its blocks do not explain. */
  readonly mayContradictItself: boolean;
  /** The newest block that counts for the service: on chains with final blocks the newest final one. */
  readonly tipHeight: () => Promise<number>;
  /** Null above the tip. */
  readonly hashAt: (height: number) => Promise<string | null>;
  readonly blockAt: (height: number) => Promise<TruthBlock>;
  /** Ids of the transactions that are pending, in the node's pool or in blocks above the tip. */
  readonly waiting: () => Promise<ReadonlySet<string>>;
  /** The total that the addresses hold according to the node. */
  readonly holdings: (addresses: readonly string[], currency: string) => Promise<bigint>;
};

/**
 * The one spelling of an address: the case of EVM addresses is only a checksum, that of base58 is part of the address. An M-address of Stellar
 * is an account and a memo.
 */
export function spelling(address: string): string {
  if (StrKey.isValidMed25519PublicKey(address)) {
    const muxed = MuxedAccount.fromAddress(address, "0");
    return `${muxed.baseAccount().accountId()}:${muxed.id()}`;
  }
  return address.startsWith("0x") ? address.toLowerCase() : address;
}

/** For chains whose addresses name nothing but the account. */
export function itself(address: string): string {
  return address;
}

/** The node's best chain from the first block on, kept up to date through kills of the node. */
export class BestChain {
  readonly #reader: TruthReader;
  readonly #blocks: TruthBlock[] = [];
  readonly #heights = new Map<string, number>();

  constructor(reader: TruthReader) {
    this.#reader = reader;
  }

  get height(): number {
    return this.#reader.firstHeight + this.#blocks.length - 1;
  }

  get blocks(): readonly TruthBlock[] {
    return this.#blocks;
  }

  /** The height of the block with a transaction; null if no block of the best chain contains it. */
  heightOf(txid: string): number | null {
    return this.#heights.get(txid) ?? null;
  }

  async update(): Promise<void> {
    const tip = await this.#reader.tipHeight();
    while (this.height > tip) this.#pop();
    for (let top = this.#blocks.at(-1); top !== undefined; top = this.#blocks.at(-1)) {
      if ((await this.#reader.hashAt(top.height)) === top.hash) break;
      this.#pop();
    }
    while (this.height < tip) {
      const block = await this.#reader.blockAt(this.height + 1);
      const parent = this.#blocks.at(-1);
      // Changed while it was read: the next update corrects it.
      if (parent !== undefined && parent.hash !== block.parentHash) return;
      this.#blocks.push(block);
      for (const { txid } of block.outputs) this.#heights.set(txid, block.height);
    }
  }

  #pop(): void {
    for (const { txid } of this.#blocks.pop()?.outputs ?? []) this.#heights.delete(txid);
  }
}
