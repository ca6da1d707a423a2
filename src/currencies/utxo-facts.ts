/**
 * Address types by their wire names. The empty one belongs to chains that have no other: an address of a public key's hash, whose
 * type the interface does not name.
 */
export type AddressTypeName = "" | "legacy" | "p2sh-segwit" | "bech32" | "bech32m";

/** What an output script requires of its spender, by the names of Bitcoin Core's descriptors. */
export type ScriptKind = "p2pkh" | "p2sh" | "p2sh32" | "p2wpkh" | "p2wsh" | "p2tr";

export type UtxoNetworkName = "main" | "test" | "regtest";

/** The hash function of the proof of work: SHA-256 twice, or scrypt. */
export type WorkHash = "sha256d" | "scrypt";

/**
 * `flagged`: in place of the number of inputs, a marker may announce witnesses (BIP-144) or MimbleWimble data. `typed`: the upper
 * half of the version is a type; types other than 0 may have no inputs and carry a payload behind the lock time (Dash, DIP-2).
 * `tokens`: an output's script may follow a prefix that names tokens (CashTokens).
 */
export type TransactionFormat = "flagged" | "typed" | "tokens";

/** Spellings of one address by their wire names. */
export type AddressSpelling = "cash" | "legacy";

/** Distinguishes a chain's nodes from those of chains that have the same block 0. */
export type ChainIdentity = {
  /** A bit of the services that nodes announce to their peers (`localservices`), and its name. Private chains have no other mark. */
  readonly service: { readonly bit: number; readonly name: string };
  /** The first block after each split, by height: this chain's hash, and the chain that has another block there. */
  readonly splits: readonly {
    readonly height: number;
    readonly hash: string;
    readonly from: string;
  }[];
};

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
  /** The prefix of CashAddr addresses, on chains that write them. Base58check is then another spelling of the same addresses. */
  readonly cashAddressPrefix?: string;
  /**
   * Human-readable part of addresses that say of a public key's hash that only transparent coins may pay it (ZIP-320). Ours are,
   * so the address is another spelling of the ordinary one, which is written.
   */
  readonly transparentSourcePrefix?: string;
  /** Present where other chains share block 0 and the network's name: what only this chain's nodes answer. */
  readonly identity?: ChainIdentity;
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
  /**
   * The chain's number in merged mining, where miners of other chains make its work (AuxPoW): headers whose version has the flag
   * are followed by the proof.
   */
  readonly mergedMiningId?: number;
  readonly transactionFormat: TransactionFormat;
  /**
   * Nodes report the newest block that no reorg can replace any more (`getbestchainlock`): it and those below it count as settled,
   * however many confirmations they have.
   */
  readonly reportsLocks?: true;
  /** Offered for deposits; either the empty one alone or several others. */
  readonly addressTypes: readonly AddressTypeName[];
  readonly defaultAddressType: AddressTypeName;
  /** Types that spell one and the same address, the default first; the only derived type is then the empty one. */
  readonly spellings?: readonly [AddressSpelling, ...AddressSpelling[]];
  /** The kinds of outputs that can be paid. Those below this number of units are not relayed. */
  readonly dustUnits: Readonly<Partial<Record<ScriptKind, bigint>>>;
  /**
   * What signatures sign, and with it the format of our transactions: Bitcoin's, the same format with Bitcoin Cash's digest, or
   * Zcash's version 5 (ZIP-225, ZIP-244).
   */
  readonly signatureHash: "bitcoin" | "forkid" | "zip244";
  /** Nodes estimate one rate for the next block instead of rates by target. */
  readonly hasOneEstimate?: true;
  /**
   * What miners ask for by default, in thousandths of a unit per byte; fees are never below it, whatever nodes relay. Nodes
   * estimate by target alone, and often nothing.
   */
  readonly minersRate?: bigint;
  /** `getrawtransaction` takes no block: the node finds pending transactions, those with unspent outputs, and all with an index. */
  readonly findsById?: true;
  /** `sendrawtransaction` takes a switch instead of a maximum rate. */
  readonly highFeeSwitch?: true;
  /** `scantxoutset` does not name the block of the scan. */
  readonly scansWithoutBlock?: true;
  /** The node numbers no changes of its mempool. */
  readonly mempoolUnnumbered?: true;
  /**
   * What fees are charged for: virtual bytes, at a rate that nodes estimate; or logical actions, at the rate of ZIP-317, below
   * which nodes relay nothing.
   */
  readonly feeRule: "perByte" | "zip317";
  /**
   * Fees count as low, so that small coins are merged, if removing one coin costs at most so many units. Absent: three satoshis
   * per virtual byte.
   */
  readonly lowFeePerCoin?: bigint;
  /** After how many blocks our transactions expire unless one contains them; null where transactions never do. */
  readonly expiryBlocks: number | null;
  /** Whether nodes replace a pending transaction by one that pays more and conflicts with it (BIP-125). */
  readonly replacement: boolean;
  /** How blocks and transactions are read: as bytes, whose hashes prove them, or as the node's JSON. */
  readonly blocks: "bytes" | "json";
  /** A coinbase output of block h can be spent in block h + this. */
  readonly coinbaseMaturity: number;
  /**
   * Whether balances come from a scan of all unspent outputs, or from the node's index of addresses; or nowhere, so that nodes
   * only say whether an output that is named is unspent.
   */
  readonly balances: "scan" | "index" | "none";
  /** The same for value that leaves a MimbleWimble extension block; null if the chain has none. */
  readonly pegoutMaturity: number | null;
  /** Addresses that are valid for others and not paid here: how they begin (in lower case), and what to say about them. */
  readonly unpaid?: readonly { readonly starts: readonly string[]; readonly refusal: string }[];
  /** What no node of this chain shows, for operators. */
  readonly limitations: readonly string[];
  readonly networks: Readonly<Record<UtxoNetworkName, UtxoNetwork>>;
  readonly sandbox: UtxoSandbox;
};

/** How the sandbox runs the chain. */
export type UtxoSandbox = {
  /** Whether a plain `npm start` runs it. */
  readonly isDefault: boolean;
  /** In whole coins: each of the 40 pieces of the initial float. */
  readonly floatPiece: string;
} & (UtxoDaemon | UtxoDialect | UtxoLedgerKind);

/** The chain's own daemon in regtest. */
export type UtxoDaemon = {
  readonly kind: "daemon";
  readonly daemon: "bitcoind" | "litecoind";
  /** Command-line arguments of the daemon that its regtest needs. */
  readonly daemonArguments: readonly string[];
  /** Whether the daemon's wallets are made of descriptors (Bitcoin Core since 0.21). */
  readonly hasDescriptorWallets: boolean;
};

/** Simulated: Bitcoin's daemon in regtest, behind the interface of the named one, see `src/sandbox/dialects`. */
export type UtxoDialect = Omit<UtxoDaemon, "kind" | "daemon"> & {
  readonly kind: "dialect";
  readonly dialect: "dogecoind" | "dashd";
  /** How many blocks the faucet mines at first. */
  readonly firstBlocks: number;
};

/** Simulated: a node of this project with the rules of the named one, see `src/sandbox/utxo-ledger`. */
export type UtxoLedgerKind = { readonly kind: "ledger"; readonly ledger: "bchn" | "zebra" };
