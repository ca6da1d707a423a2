import type { CurrencyId } from "../platform/kernel/money.ts";
import type { ChainSweeper, ChainWriter, DraftOutcome } from "./paying-port.ts";
import type {
  Addressing,
  ChainReader,
  ImpossibleAnswer,
  TransactionReceipt,
  Transfer,
} from "./port.ts";

/** A chain as one of its nodes reports it. */
export type NodeReader = {
  readonly node: string;
  readonly reader: ChainReader;
  /**
   * The same, but blocks that the node no longer keeps come from the chain's history. A block's hash proves the receipts in it, so that these count
   * as the node's if its own chain contains the block; anything else does not. Absent on chains without a history.
   */
  readonly withHistory?: ChainReader;
  /** The writer's `status`; null if the deployment only receives. */
  readonly status: ChainWriter["status"] | null;
  /** The writer's `isMissingUpTo`; null also if the deployment only receives. */
  readonly isMissingUpTo: ChainWriter["isMissingUpTo"];
};

/** The chain's nodes individually, for questions whose answers must be attributed to a node or compared. */
export type ChainNodes = {
  /** All nodes in configuration order. Names are stable and contain no credentials. */
  readonly readers: readonly NodeReader[];
  /** Nodes that may be asked now, the one in use first; empty while all are set aside. `reader` is the one with history, where there is one. */
  readonly available: () => readonly NodeReader[];
  /** Stops asking a node for a growing time, after an answer that no honest node gives. */
  readonly setAside: (node: string, reason: ImpossibleAnswer) => void;
  /** Uses this node from now on, until it fails. */
  readonly prefer: (node: string) => void;
};

/** A block as one node reported it. */
export type ReportedBlock = {
  readonly height: number;
  readonly hash: string;
  /** The node; null if unknown, and then two nodes have to confirm what it reported. */
  readonly readFrom: string | null;
};

/** A transfer and the height at which it becomes payable. */
export type DueTransfer = { readonly transfer: Transfer; readonly dueHeight: number };

/** One of our transactions and the height at which its outcome is final. */
export type DueTransaction = { readonly txid: string; readonly dueHeight: number };

/** Asks the other nodes of a chain before money moves. Disagreements and silence are recorded as doubts for operators. */
export type SecondOpinion = {
  readonly chain: string;
  /** The transfers of a block that enough other nodes show in the same block, at the required depth. */
  readonly confirmTransfers: (
    block: ReportedBlock,
    transfers: readonly DueTransfer[],
    signal: AbortSignal,
  ) => Promise<readonly DueTransfer[]>;
  /**
   * Asks the other nodes for the transfers of a block that may not be deep enough yet, and remembers what they show: `confirmTransfers` then
   * asks them for the block's depth only. Returns whether enough nodes showed all of them. Null where nodes show a block for as long as they
   * have it. Records no doubts.
   */
  readonly rememberTransfers:
    | ((
        block: ReportedBlock,
        transfers: readonly Transfer[],
        signal: AbortSignal,
      ) => Promise<boolean>)
    | null;
  /**
   * Receipts of our transactions in that block on which two nodes agree (the only node where there is one), each at the
   * required depth. Transactions without agreement are left out. If the nodes agree on everything but the fee, `feeUnits`
   * is null: the caller keeps the fee that was read with the followed block.
   */
  readonly confirmReceipts: (
    block: Omit<ReportedBlock, "readFrom">,
    transactions: readonly DueTransaction[],
    signal: AbortSignal,
  ) => Promise<readonly TransactionReceipt[]>;
  /** Stores the doubts since the last call and clears those that are resolved. */
  readonly recordDoubts: () => Promise<void>;
};

/** What an address of ours needs before it can be paid in a currency. */
export type ActivationNeed =
  /** Coin from the gas account. */
  | { readonly kind: "topUp"; readonly units: bigint }
  /** A transaction of the address itself, by which it accepts the token. */
  | { readonly kind: "optIn" };

/** What an activating transaction does. */
export type ActivationPlan =
  | { readonly kind: "topUp"; readonly address: string; readonly units: bigint }
  /** `keyIndex` is that of a deposit address; null for the hot account. */
  | {
      readonly kind: "optIn";
      readonly keyIndex: number | null;
      readonly address: string;
      readonly currency: CurrencyId;
    };

/**
 * Makes addresses payable, on chains where an address must hold coin, or accept a token, before anyone can pay it. Every method throws
 * `Unavailable` when the node cannot answer.
 */
export type ChainActivator = {
  /** What the address still needs before it can be paid in the currency, or null. */
  readonly need: (
    address: string,
    currency: CurrencyId,
    signal: AbortSignal,
  ) => Promise<ActivationNeed | null>;
  /** A transaction of the gas account, or of the address that accepts the token. */
  readonly draft: (
    plan: ActivationPlan,
    feeCeiling: bigint,
    signal: AbortSignal,
  ) => Promise<DraftOutcome>;
  /** What one such transaction burns now, in units of the chain's coin. */
  readonly feeUnits: (signal: AbortSignal) => Promise<bigint>;
};

/** A chain's parts, each null if the chain or the deployment does not have it. */
export type ChainAdapter<Addresses extends Addressing = Addressing> = {
  readonly chain: string;
  /**
   * The address set that this chain shares: all EVM chains of a deployment use `"evm"`, so that payments over the wrong
   * network are found; every other chain has its own.
   */
  readonly keyspace: string;
  readonly currencies: readonly CurrencyId[];
  readonly addressing: Addresses;
  /** Asks whichever node answers. */
  readonly reader: ChainReader;
  readonly nodes: ChainNodes;
  /** Null if the deployment only receives. */
  readonly writer: ChainWriter | null;
  /** Null if deposits need no sweeping (UTXO chains), or the deployment only receives. */
  readonly sweeper: ChainSweeper | null;
  /** Absent on chains whose addresses can be paid at once; null if the deployment only receives. */
  readonly activator?: ChainActivator | null;
};
