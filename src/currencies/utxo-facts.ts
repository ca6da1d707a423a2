/**
 * Address types by their wire names. The empty one belongs to chains that have no other: an address of a public key's hash, whose
 * type the interface does not name.
 */
export type AddressTypeName = "" | "legacy" | "p2sh-segwit" | "bech32" | "bech32m";

/** What an output script requires of its spender, by the names of Bitcoin Core's descriptors. */
export type ScriptKind = "p2pkh" | "p2sh" | "p2wpkh" | "p2wsh" | "p2tr";

export type UtxoNetworkName = "main" | "test" | "regtest";

/** The hash function of the proof of work: SHA-256 twice, or scrypt. */
export type WorkHash = "sha256d" | "scrypt";

/**
 * `flagged`: in place of the number of inputs, a marker may announce witnesses (BIP-144) or MimbleWimble data. `typed`: the upper
 * half of the version is a type; types other than 0 may have no inputs and carry a payload behind the lock time (Dash, DIP-2).
 */
export type TransactionFormat = "flagged" | "typed";

/** One network of a chain: what distinguishes its addresses and nodes from every other network's. */
export type UtxoNetwork = {
  /** The name that nodes report in `getblockchaininfo`. */
  readonly name: UtxoNetworkName;
  /** The name that some nodes report instead. */
  readonly otherName?: string;
  readonly genesisHash: string;
  /** `powLimit` of the node's chain parameters, 256 bits as hex: no header's target may exceed it. */
  readonly easiestTarget: string;
  /** Blocks that share one target; null on test networks, whose rules allow any. */
  readonly retargetBlocks: number | null;
  /** Hex of the version bytes of a base58check address, one or more. */
  readonly publicKeyHashPrefix: string;
  /** The first one is used for writing; all are accepted. */
  readonly scriptHashPrefixes: readonly [string, ...string[]];
  /** Human-readable part of segwit addresses, SLIP-173; null on chains without segwit. */
  readonly segwitPrefix: string | null;
  /** The first letters of base58check addresses of each kind, for the masks. */
  readonly publicKeyHashLetters: string;
  readonly scriptHashLetters: string;
};

/** What distinguishes a chain of the Bitcoin family from the others. */
export type UtxoFacts = {
  /** Null if a block's header alone does not show its work, or shows it in a way that is not recomputed here. */
  readonly workHash: WorkHash | null;
  /** The hash function of block hashes; null if it is not recomputed here, so that nodes say what a block's hash is. */
  readonly blockHash: "sha256d" | null;
  readonly transactionFormat: TransactionFormat;
  /**
   * On chains whose nodes report which blocks no reorg can replace any more (`chainlock`): a block without such a lock counts as
   * settled once it has so many confirmations. The tip is the newest settled block, and newer ones are pending. Null: the tip
   * is the newest block.
   */
  readonly blockLocks: { readonly confirmationsWithout: number } | null;
  /** Offered for deposits; either the empty one alone or several others. */
  readonly addressTypes: readonly AddressTypeName[];
  readonly defaultAddressType: AddressTypeName;
  /** The kinds of outputs that can be paid. Those below this number of units are not relayed. */
  readonly dustUnits: Readonly<Partial<Record<ScriptKind, bigint>>>;
  /** What signatures sign, and with it the format of our transactions: Bitcoin's, or Zcash's version 5 (ZIP-225, ZIP-244). */
  readonly signatureHash: "bitcoin" | "zip244";
  /**
   * What fees are charged for: virtual bytes, at a rate that nodes estimate; or logical actions, at the rate of ZIP-317, below
   * which nodes relay nothing.
   */
  readonly feeRule: "perByte" | "zip317";
  /** After how many blocks our transactions expire unless one contains them; null where transactions never do. */
  readonly expiryBlocks: number | null;
  /** Whether nodes replace a pending transaction by one that pays more and conflicts with it (BIP-125). */
  readonly replacement: boolean;
  /** How blocks and transactions are read: as bytes, whose hashes prove them, or as the node's JSON. */
  readonly blocks: "bytes" | "json";
  /** A coinbase output of block h can be spent in block h + this. */
  readonly coinbaseMaturity: number;
  /** Whether balances come from a scan of all unspent outputs, or from the node's index of addresses. */
  readonly balances: "scan" | "index";
  /** The same for value that leaves a MimbleWimble extension block; null if the chain has none. */
  readonly pegoutMaturity: number | null;
  /** What no node of this chain shows, for operators. */
  readonly limitations: readonly string[];
  readonly networks: Readonly<Record<UtxoNetworkName, UtxoNetwork>>;
  readonly sandbox: UtxoSandbox;
};

/** How the sandbox runs the chain. */
export type UtxoSandbox = {
  /** Whether a plain `npm start` runs it. */
  readonly isDefault: boolean;
  readonly daemon: "bitcoind" | "litecoind";
  /** Command-line arguments of the daemon that its regtest needs. */
  readonly daemonArguments: readonly string[];
  /** Whether the daemon's wallets are made of descriptors (Bitcoin Core since 0.21). */
  readonly hasDescriptorWallets: boolean;
  /** In whole coins: each of the 40 pieces of the initial float. */
  readonly floatPiece: string;
};
