import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../platform/kernel/money.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";

/*
 * The chain port: everything the service knows of a blockchain. An adapter is made of small parts. `addressing` is
 * pure and says where payments go; `reader` answers questions about the chain, and the one follower
 * (`follower.ts`) asks them; `writer` quotes fees, drafts transactions and hands signed ones to the network. What signs a
 * draft lives in the signer process (`src/signer/draft-signer.ts`) and reads it anew by itself. A part that a chain does
 * not have is null, never a method that throws.
 */

export type BlockRef = {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Instant;
};

/** Extra data that a payment to an account-based chain carries. `null` where a chain has no such thing. */
export type Tag =
  | { readonly kind: "xrpDestinationTag"; readonly value: number }
  | { readonly kind: "stellarMemoId"; readonly value: bigint }
  | { readonly kind: "tonComment"; readonly value: string };

/** Where a payment goes: an address in its one canonical spelling, and a tag where one address serves many payers. */
export type Destination = {
  readonly address: string;
  /** `legacy`, `p2sh-segwit`, `bech32`, ...; null on chains with one form of address. */
  readonly addressType: string | null;
  readonly tag: Tag | null;
};

/**
 * Value that a chain really delivered, already reduced to what the payee may count on: failed transactions, bounced
 * messages and partial payments never become a larger transfer.
 */
export type Transfer = {
  /** Stable across re-reads and re-orgs: the transaction id and the position inside it. */
  readonly key: { readonly txid: string; readonly index: number };
  /** The watch key it was delivered to, see `Addressing.watchKey`. */
  readonly to: string;
  /** What arrived. `unlisted` is a token that the deployment does not know: shown as a wrong-asset arrival, never credited. */
  readonly asset:
    | { readonly kind: "currency"; readonly amount: Money }
    | { readonly kind: "unlisted"; readonly locator: string; readonly units: bigint };
  /** Later than the block for coinbase outputs and Monero unlock times; otherwise null. */
  readonly spendableFromHeight: number | null;
};

/** Where a transaction's value came from; asked only of transactions that pay a watched destination. */
export type Senders = {
  /** Addresses the value came from, as far as the chain says; for screening. */
  readonly addresses: readonly string[];
  /**
   * What the transaction uses up (`txid:vout` outpoints, or `sender#nonce`): when another transaction of the best chain has
   * used one of them, this one can never confirm. Empty where the chain cannot say.
   */
  readonly claims: readonly string[];
};

/** What the outside may know of an address type: the masks are the ones OPTIONS shows. */
export type AddressType = {
  readonly name: string | null;
  readonly masks: readonly string[];
  readonly isDefault: boolean;
};

/** A pure map from an index to an address, from watch-only keys. Same index, same answer, for ever. */
export type Addressing = {
  readonly types: readonly AddressType[];
  /**
   * Deposit address number `index` (0-based) of the type (null: the chain's only or default type). The two
   * derivations use different libraries; a caller compares them before the address is shown to anyone.
   */
  readonly depositAt: (index: number, addressType: string | null) => Destination;
  readonly rederiveDepositAt: (index: number, addressType: string | null) => Destination;
  /**
   * The form in which blocks name this destination, cheap to compute for every output of a block: the output script in
   * hex on UTXO chains, the lower-case address on EVM chains, address and tag where many payers share an address.
   */
  readonly watchKey: (destination: Destination) => string;
  /** Checks checksum and network, and canonicalises; null for anything that cannot be paid on this very network. */
  readonly parse: (address: string, tag: string | null) => Destination | null;
  /** Change address number `index`, on chains of coins; null on others. */
  readonly changeAt: ((index: number) => Destination) | null;
  /** The deployment's own accounts on account chains: `hot` pays, `gas` pays fees for sweeping. Null on chains of coins. */
  readonly treasury: { readonly hot: Destination; readonly gas: Destination } | null;
};

/** What can be said of a receiver's address without any key. */
export type PayeeAddressing = Pick<Addressing, "types" | "watchKey" | "parse">;

/** What became of a transaction that was once seen outside a block. */
export type TransactionStatus =
  | { readonly kind: "pending" }
  | { readonly kind: "included"; readonly height: number }
  /** Something else spent what it needed, in a block: it can never confirm while that block stands. */
  | { readonly kind: "conflicted"; readonly by: string | null; readonly height: number | null }
  /** The node does not know it, and nothing contradicts it: it may come back. */
  | { readonly kind: "unknown" };

/** Everything of one block that concerns transfers, matched against nothing yet. */
export type BlockContent = {
  readonly block: BlockRef;
  readonly transfers: readonly Transfer[];
  readonly spends: BlockSpends;
};

/**
 * What the transactions of a block use up, by which those that only our keys can have signed are found, also where nobody remembers
 * them.
 */
export type BlockSpends = {
  /** In the words of a draft's `claims`: outpoints `txid:vout`, or `sender#nonce`. Those that no key signed are left out. */
  readonly claims: () => readonly string[];
  /** The transactions that use up any of these. */
  readonly transactionsSpending: (claims: ReadonlySet<string>) => readonly OutgoingTransaction[];
};

/** A transaction, told by what it uses up and whom it pays. */
export type OutgoingTransaction = {
  readonly txid: string;
  /** All that it uses up. */
  readonly claims: readonly string[];
  /** What it delivered; while it waits for a block, what it says. Change is among it. */
  readonly payments: readonly OutgoingPayment[];
  /** Burnt, units of the chain's coin; null where it follows from the claims (UTXO), or while it waits for a block. */
  readonly feeUnits: bigint | null;
};

export type OutgoingPayment = {
  /** Watch key and canonical spelling of the receiver. */
  readonly to: string;
  readonly address: string;
  /** Null for a token that the deployment does not list. */
  readonly currency: CurrencyId | null;
  readonly units: bigint;
};

/** Of a block that uses up nothing. */
export const noSpends: BlockSpends = { claims: () => [], transactionsSpending: () => [] };

/**
 * Reading the chain. The follower owns cursors, re-orgs, retries and matching; an adapter only answers. Every method
 * throws `Unavailable` when the node cannot say, and stops when `signal` aborts.
 */
export type ChainReader = {
  readonly finality:
    | { readonly kind: "final" }
    | { readonly kind: "probable"; readonly reorgLimit: number };
  /** Refuses (throws `WrongNetwork`) a node of another chain: its genesis hash or chain id is not the configured one. */
  readonly verifyNetwork: (signal: AbortSignal) => Promise<void>;
  readonly tip: (signal: AbortSignal) => Promise<BlockRef>;
  /** The header at a height of the node's best chain; null above its tip. */
  readonly headerAt: (height: number, signal: AbortSignal) => Promise<BlockRef | null>;
  /** The header of that hash if the node holds it and it is on the node's best chain, else null. */
  readonly headerByHash: (hash: string, signal: AbortSignal) => Promise<BlockRef | null>;
  /**
   * All value delivered in that block to any address. Reads by hash, so that a re-org between two calls yields null
   * instead of a wrong block. Transfers to keys of which `mayBeWatched` says no may be left out.
   */
  readonly readBlock: (
    block: BlockRef,
    signal: AbortSignal,
    mayBeWatched?: (watchKey: string) => boolean,
  ) => Promise<BlockContent | null>;
  /** Value in transactions that wait for a block; null on chains whose pending transactions promise nothing. */
  readonly pendingTransfers: ((signal: AbortSignal) => Promise<readonly Transfer[]>) | null;
  /**
   * Transactions that wait for a block and use up a claim of which `isOurs` says yes, as far as the node shows them. Null on
   * chains whose nodes show none.
   */
  readonly pendingSpends:
    | ((
        isOurs: (claim: string) => boolean,
        signal: AbortSignal,
      ) => Promise<readonly OutgoingTransaction[]>)
    | null;
  /** Origins of some transactions of one block (null: still outside any), keyed by transaction id; one batch to the node. */
  readonly senders: (
    txids: readonly string[],
    block: BlockRef | null,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, Senders>>;
  /** What became of a transaction seen before; `spends` is what its origin said. */
  readonly statusOf: (
    txid: string,
    spends: readonly string[],
    signal: AbortSignal,
  ) => Promise<TransactionStatus>;
  /**
   * What each of the addresses holds of the currency right after the block of that hash, in units; for reconciliation. Null where
   * the node does not know the block. Account chains answer for any recent block, however many follow it meanwhile;
   * chains of coins walk their set of unspent outputs, which costs minutes on a public network, and answer when the
   * block is the node's tip as the walk begins.
   */
  readonly balancesAt: (
    addresses: readonly string[],
    currency: CurrencyId,
    hash: string,
    signal: AbortSignal,
  ) => Promise<readonly bigint[] | null>;
  /**
   * What became, in that block, of transactions of our own: those of `txids` that are in it. The caller asks with every id
   * that might be; the block is read by hash (null: it is gone).
   */
  readonly receiptsIn: (
    txids: readonly string[],
    block: BlockRef,
    signal: AbortSignal,
  ) => Promise<readonly TransactionReceipt[] | null>;
  /**
   * Which of these outputs (`txid:vout`, 98 at most) nothing on the node's best chain has spent, all by one block of it. Null
   * where that moved meanwhile; there is no such question on account chains.
   */
  readonly unspentOutputs:
    | ((outpoints: readonly string[], signal: AbortSignal) => Promise<UnspentOutputs | null>)
    | null;
  /** Resolves when a new block may be there, or after `timeoutMs`: the follower's sleep between steps. */
  readonly waitForBlock: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  /** What this adapter cannot see on this node, in plain words for operators ("ether sent by contracts: the node has no tracing"). */
  readonly limitations: (signal: AbortSignal) => Promise<readonly string[]>;
};

/** Outputs that are there to be spent at that block, the node's newest; what waits for a block is not counted. */
export type UnspentOutputs = { readonly atHash: string; readonly outpoints: ReadonlySet<string> };

/**
 * What a token's contract made of a transfer that was asked of it, by the logs of the transaction itself. That it succeeded says
 * little: contracts answer false, do nothing, or keep a part.
 */
export type TokenDelivery = {
  readonly currency: CurrencyId;
  /** What the transaction asks it to move; never 0. */
  readonly requestedUnits: bigint;
  /** What went from the account that pays to the receiver. */
  readonly receivedUnits: bigint;
  /** What left the account that pays, to whomever: at least what arrived. */
  readonly sentUnits: bigint;
};

/** A transaction of our own, found in a block. */
export type TransactionReceipt = {
  readonly txid: string;
  /** False: the block holds it, the fee is burnt, and nothing else happened (EVM revert). */
  readonly hasSucceeded: boolean;
  /** Burnt, units of the chain's coin; null where the draft says it exactly (UTXO). */
  readonly feeUnits: bigint | null;
  /** Only of a token's transfer that succeeded and whose logs tell of anything but just what was asked. */
  readonly delivery?: TokenDelivery;
  /** Only of a sweep of many addresses: what left them, by its logs, and did not come to the hot account. */
  readonly lost?: readonly Money[];
};

/**
 * A node gave an answer that no honest node of the chain gives: an amount above the supply, one output twice. Nothing of the
 * answer is used, and another node is asked.
 */
export class ImpossibleAnswer extends Unavailable {}

/** A node of another network answered: never to be followed. */
export class WrongNetwork extends Error {
  override readonly name = "WrongNetwork";
}
