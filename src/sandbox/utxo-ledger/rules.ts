/** An output as it stands in a transaction. */
export type LedgerOutput = {
  readonly units: bigint;
  /** Hex; without what `cargo` holds. */
  readonly script: string;
  /** What else the output holds, such as tokens, in its chain's own encoding (hex); empty for nothing. */
  readonly cargo: string;
};

/** A transaction as the ledger needs it; the rest of it only its chain's rules can read. */
export type LedgerTransaction = {
  readonly txid: string;
  /** Serialized, in hex. */
  readonly raw: string;
  /** Outpoints `txid:vout`; empty for a coinbase. */
  readonly spends: readonly string[];
  readonly outputs: readonly LedgerOutput[];
};

/** An unspent output. The height is null while its transaction waits for a block. */
export type LedgerCoin = LedgerOutput & {
  readonly height: number | null;
  readonly isCoinbase: boolean;
};

export type LedgerHeader = {
  readonly hash: string;
  readonly parentHash: string;
  /** Seconds since 1970. */
  readonly time: number;
};

export type LedgerBlock = LedgerHeader & {
  readonly height: number;
  /** Serialized, in hex. */
  readonly header: string;
  /** In the block's order, the coinbase first. */
  readonly transactions: readonly LedgerTransaction[];
};

/** What a transaction of the next block is checked against. */
export type NextBlock = {
  readonly height: number;
  /** The median time of the eleven blocks up to that height (BIP-113), in seconds. */
  readonly medianTimeAt: (height: number) => number;
};

/** Why the ledger refuses a transaction for reasons that every chain of the family has. */
export type RefusalKind =
  /** It conflicts with a pending transaction. */
  | "conflict"
  | "alreadyPending"
  | "alreadyInChain"
  | "missingInputs"
  /** It spends a coinbase too early; the detail is its depth. */
  | "immature"
  | "outputsExceedInputs";

/** A key of the faucet and the coin that it unlocks. */
export type LentKey = {
  readonly coin: LedgerCoin;
  readonly privateKey: Uint8Array;
};

/** What distinguishes one chain of the family from another. See README.md. */
export type LedgerRules = {
  readonly genesis: { readonly header: string; readonly transactions: readonly string[] };
  readonly coinbaseMaturity: number;
  /** Units that a block creates. */
  readonly subsidy: (height: number) => bigint;
  /** Null for bytes that are no transaction of the chain, and nothing else. */
  readonly readTransaction: (raw: string) => LedgerTransaction | null;
  readonly readHeader: (header: string) => LedgerHeader;
  /** The header of the next block, with whatever work the private chain asks for. */
  readonly makeHeader: (request: {
    readonly parent: LedgerBlock;
    readonly height: number;
    readonly time: number;
    readonly transactions: readonly LedgerTransaction[];
  }) => string;
  /** `distinct` differs in every block, also in blocks of one height. */
  readonly makeCoinbase: (request: {
    readonly height: number;
    readonly units: bigint;
    readonly script: string;
    readonly distinct: number;
  }) => string;
  /** Puts a block's transactions, which come parents first and without the coinbase, into the chain's order. */
  readonly order: (transactions: readonly LedgerTransaction[]) => readonly LedgerTransaction[];
  /** Checks that need no coins: form, standardness, lock time, expiry. Throws `RpcFault` with the node's code and text. */
  readonly checkAlone: (transaction: LedgerTransaction, next: NextBlock) => void;
  /** Checks with the coins that it spends, in the order of `spends`: fee, scripts, signatures. Throws `RpcFault`. */
  readonly checkSpending: (
    transaction: LedgerTransaction,
    coins: readonly LedgerCoin[],
    feeUnits: bigint,
    next: NextBlock,
  ) => void;
  /** The node's code and text for a refusal; `detail` as `RefusalKind` says. */
  readonly refusal: (
    kind: RefusalKind,
    detail: string,
  ) => { readonly code: number; readonly message: string };
  /** The output script of an address on this private chain; null for any other text. */
  readonly scriptOfAddress: (address: string) => string | null;
  /** How the faucet's wallet writes and signs transactions. */
  readonly wallet: {
    readonly addressOfKey: (privateKey: Uint8Array) => string;
    /** What a transaction of that many inputs and outputs pays. */
    readonly feeUnits: (inputs: number, outputs: number) => bigint;
    /** An unsigned transaction for the block of that height. */
    readonly compose: (request: {
      readonly spends: readonly { readonly outpoint: string; readonly sequence: number | null }[];
      readonly outputs: readonly { readonly script: string; readonly units: bigint }[];
      readonly height: number;
    }) => string;
    /** Signs the inputs for which `lend` has a key, and leaves the others as they are. */
    readonly sign: (
      transaction: LedgerTransaction,
      lend: (outpoint: string) => LentKey | null,
      height: number,
    ) => string;
  };
};
