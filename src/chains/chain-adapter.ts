import type { CurrencyId } from "../platform/kernel/money.ts";
import type { ChainSweeper, ChainWriter } from "./paying-port.ts";
import type {
  Addressing,
  ChainReader,
  ImpossibleAnswer,
  TransactionReceipt,
  Transfer,
} from "./port.ts";

/** A chain as one of its nodes tells it. */
export type NodeReader = {
  readonly node: string;
  readonly reader: ChainReader;
  /** As the writer's `status`; null where the deployment only receives. */
  readonly status: ChainWriter["status"] | null;
};

/** The chain's nodes one by one, for what has to be known of a node: who said something, and whether another one agrees. */
export type ChainNodes = {
  /** All of them, in the order of the configuration. Names are stable and without credentials. */
  readonly readers: readonly NodeReader[];
  /** Those that may be asked now, the one in use first; empty while each one is set aside. */
  readonly available: () => readonly NodeReader[];
  /** Leaves a node alone for a growing while: it gave an answer that no honest node gives. */
  readonly setAside: (node: string, reason: ImpossibleAnswer) => void;
};

/** A block as one node told it. */
export type ReportedBlock = {
  readonly height: number;
  readonly hash: string;
  /** The node; null where that is not known (any more): then two nodes have to confirm what it says. */
  readonly readFrom: string | null;
};

/** A transfer and the height at which its money becomes payable. */
export type DueTransfer = { readonly transfer: Transfer; readonly dueHeight: number };

/** A transaction of ours and the height at which its outcome is final. */
export type DueTransaction = { readonly txid: string; readonly dueHeight: number };

/** Asks the other nodes of a chain. What they do not confirm is noted for operators, with the reason. */
export type SecondOpinion = {
  readonly chain: string;
  /** Those of a block's transfers that enough other nodes show in the same block, at the same depth. */
  readonly confirmTransfers: (
    block: ReportedBlock,
    transfers: readonly DueTransfer[],
    signal: AbortSignal,
  ) => Promise<readonly DueTransfer[]>;
  /**
   * What became of transactions of ours in that block, as two nodes say it alike (the only one where there is one), each at least
   * as deep as asked. Those on which the nodes do not agree yet are left out.
   */
  readonly confirmReceipts: (
    block: Omit<ReportedBlock, "readFrom">,
    asked: readonly DueTransaction[],
    signal: AbortSignal,
  ) => Promise<readonly TransactionReceipt[]>;
  /** Writes down what was found since the last call, and forgets what was held against nodes before and is over. */
  readonly recordDoubts: () => Promise<void>;
};

/** One chain: its parts, each null where the chain or the deployment does not have it. */
export type ChainAdapter = {
  readonly chain: string;
  /**
   * The set of addresses this chain shares: all EVM chains of a deployment have one (`"evm"`), so that a payment over
   * the wrong network is found; every other chain has its own.
   */
  readonly keyspace: string;
  readonly currencies: readonly CurrencyId[];
  readonly addressing: Addressing;
  /** Whichever node answers. */
  readonly reader: ChainReader;
  readonly nodes: ChainNodes;
  /** Null where the deployment only receives. */
  readonly writer: ChainWriter | null;
  /** Null where deposits need no emptying (chains of coins), or the deployment only receives. */
  readonly sweeper: ChainSweeper | null;
};
