import { assert } from "../platform/kernel/assert.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { CurrencyId, Money } from "../platform/kernel/money.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";

/*
 * The chain port: everything the service knows about a blockchain. `addressing` is pure and says where payments go; `reader`
 * reads the chain for the follower (`follow/follower.ts`); the writer (`paying-port.ts`) quotes fees, drafts transactions and
 * broadcasts signed ones. Drafts are signed in the signer process (`src/signer/draft-signer.ts`), which decodes them
 * independently. A part that a chain does not have is null, never a method that throws.
 */

export type BlockRef = {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Instant;
};

/** A block that the network has locked: no node accepts another one at its height any more. */
export type LockedBlock = Pick<BlockRef, "height" | "hash">;

/** A payment's destination: an address in canonical form, and a tag where many receivers share one address. */
export type Destination = {
  readonly address: string;
  /** `legacy`, `p2sh-segwit`, `bech32`, ...; null on chains with one form of address. */
  readonly addressType: string | null;
  /** A destination tag, memo or comment, in its one spelling (`7`, never `007`). Null without one; `0` is one. */
  readonly tag: string | null;
};

/** Value that was delivered: failed transactions, bounced messages and partial payments never count in full. */
export type Transfer = {
  /** Stable across re-reads and reorgs: the transaction id and the position inside the transaction. */
  readonly key: { readonly txid: string; readonly index: number };
  /** The receiver's watch key, see `Addressing.watchKey`. */
  readonly to: string;
  /** `unlisted` is a token that the deployment does not list: shown as a wrong-asset payment, never credited. */
  readonly asset:
    | { readonly kind: "currency"; readonly amount: Money }
    | { readonly kind: "unlisted"; readonly locator: string; readonly units: bigint };
  /** For coinbase outputs, peg-outs and Monero unlock times; otherwise null. */
  readonly spendableFromHeight: number | null;
  /**
   * What of the amount arrives but can never be paid out, because it has to stay with tokens that came with it. `creditableUnits` is the
   * rest. Only on chains of coins; absent where everything can be paid out.
   */
  readonly withheldUnits?: bigint;
  /**
   * What makes it spendable, where two transfers may have the same and only one of them can be spent. Then only the first one ever counts.
   * Absent on chains where each transfer is money by itself.
   */
  readonly oneTimeKey?: string;
};

/** What a transfer is worth to its receiver: its units without the withheld ones. The books have both. */
export function creditableUnits({
  asset,
  withheldUnits = 0n,
}: Pick<Transfer, "asset" | "withheldUnits">): bigint {
  const units = asset.kind === "currency" ? asset.amount.units : asset.units;
  assert(withheldUnits <= units, "no more is withheld than arrives");
  return units - withheldUnits;
}

/** Who sent a transaction; asked only about transactions that pay a watched destination. */
export type Senders = {
  /** Sending addresses as far as the chain shows them; for screening. */
  readonly addresses: readonly string[];
  /**
   * What the transaction spends (`txid:vout` outpoints, or `sender#sequence`): once another transaction on the best chain has
   * spent one of these, this one can never confirm. Empty if the chain does not show it.
   */
  readonly claims: readonly string[];
};

/** A public address type; OPTIONS shows the same masks. */
export type AddressType = {
  readonly name: string | null;
  readonly masks: readonly string[];
  readonly isDefault: boolean;
};

/** Addresses of a chain, as far as no key is needed. Pure. */
export type PayeeAddressing = {
  readonly types: readonly AddressType[];
  /**
   * The form in which blocks name this destination, cheap to compute for every output: the output script in hex on UTXO
   * chains, the lower-case address on EVM chains, account and tag on shared accounts. The same for every spelling of an address
   * and its tag.
   */
  readonly watchKey: (destination: Destination) => string;
  /**
   * Validates checksum and network and returns the canonical form; null for anything that cannot be paid on this network. An
   * address that contains a tag parses with `tag` null or with that same tag, in any spelling.
   */
  readonly parse: (address: string, tag: string | null) => Destination | null;
  /**
   * The address in each of the types that spell it, by their wire names, where several types spell one address; a tag may be
   * part of it. Absent where every address has one spelling.
   */
  readonly spell?: (destination: Destination) => Readonly<Record<string, string>>;
  /** One address that contains the tag; null without a tag. Absent on chains without such addresses. */
  readonly combine?: (destination: Destination) => string | null;
  /** What a text is that looks like an address but cannot be paid, as a sentence for the payer; null if there is no more to say. */
  readonly explain?: (address: string) => string | null;
};

type OwnAddressing = PayeeAddressing & {
  /** Change address number `index` on UTXO chains; null on others. */
  readonly changeAt: ((index: number) => Destination) | null;
  /**
   * The deployment's own accounts on account chains: `hot` pays; `gas` pays sweeping fees, and is null if nothing is swept.
   * Null on UTXO chains.
   */
  readonly treasury: { readonly hot: Destination; readonly gas: Destination | null } | null;
};

/** Deposits have an address each, computed from public keys. The same index always gives the same address. */
export type DerivedAddressing = OwnAddressing & {
  readonly source: "derived";
  readonly treasury: { readonly hot: Destination; readonly gas: Destination } | null;
  /**
   * Deposit address number `index` (0-based) of the type (null: the default type). `rederiveDepositAt` derives it with
   * another library; callers compare the two before they show an address.
   */
  readonly depositAt: (index: number, addressType: string | null) => Destination;
  readonly rederiveDepositAt: (index: number, addressType: string | null) => Destination;
};

/** All deposits share the hot account, each under a tag of its own. Their money is the hot account's as soon as it arrives. */
export type SharedAddressing = OwnAddressing & {
  readonly source: "shared";
  readonly treasury: NonNullable<OwnAddressing["treasury"]>;
  /** The hot account with tag number `index` (0-based). */
  readonly depositAt: (index: number, addressType: string | null) => Destination;
  /** The index whose tag this is; null for every other tag, in particular for one of ours with a wrong digit. */
  readonly depositIndexOf: (tag: string) => number | null;
  /** The hot account with the tag under which the operator sends money of its own there. No deposit has that tag. */
  readonly ownFunds: Destination;
  /**
   * The tag under which a transfer with this watch key reached the hot account: null for none, otherwise as the chain shows it.
   * Null for transfers to other accounts.
   */
  readonly receivedUnder: (watchKey: string) => { readonly tag: string | null } | null;
};

/** Deposits have an address each, of a key that only the signer can derive (Ed25519, SLIP-10). */
export type CreatedAddressing = OwnAddressing & {
  readonly source: "created";
  /** The address of an Ed25519 public key of 32 bytes; `addressAgain` computes it with another library. */
  readonly addressOf: (publicKey: Uint8Array) => Destination;
  readonly addressAgain: (publicKey: Uint8Array) => Destination;
  /** The address with that watch key. */
  readonly withWatchKey: (watchKey: string) => Destination;
};

/** The addresses of a chain and of this deployment on it, by where the addresses of deposits come from. Pure. */
export type Addressing = DerivedAddressing | SharedAddressing | CreatedAddressing;

/** The status of a transaction that was seen outside a block. */
export type TransactionStatus =
  | { readonly kind: "pending" }
  | { readonly kind: "included"; readonly height: number }
  /** Another transaction in a block spent one of its claims: it cannot confirm while that block stands. */
  | { readonly kind: "conflicted"; readonly by: string | null; readonly height: number | null }
  /** The node does not know it, and nothing contradicts it: it may come back. */
  | { readonly kind: "unknown" };

/** The transfers and spends of one block, not yet matched against our addresses. */
export type BlockContent = {
  readonly block: BlockRef;
  readonly transfers: readonly Transfer[];
  /** The same by receiver, where `transfers` are made only when they are read. Absent: they are there anyway. */
  readonly byReceiver?: TransfersByReceiver;
  readonly spends: BlockSpends;
  /** Absent where an account's balance changes by transfers and by its own transactions alone. */
  readonly charges?: readonly AccountCharge[];
  /** What of it this node could not show, and another one may. Absent: nothing. */
  readonly lacks?: string;
};

/** Transfers of which only those to a few receivers are needed. */
export type TransfersByReceiver = {
  /** Every watch key that they pay, some of them several times. */
  readonly keys: readonly string[];
  /** Those to these keys, in the order of the block. */
  readonly to: (keys: ReadonlySet<string>) => readonly Transfer[];
};

/**
 * What a transaction took from an account of ours beside transfers and the fee of a transaction of its own: gas and rent for receiving, or a
 * payment that is on its way back. With it, the books equal the account's balance after every block.
 */
export type AccountCharge = {
  readonly txid: string;
  /** The account's watch key. */
  readonly account: string;
  /** Negative: it gave something back, such as a payment that bounced. */
  readonly amount: Money;
};

/**
 * What the transactions of a block spend from. Finds transactions that only our keys can have signed, even if no record of them
 * is left, and on chains whose transactions claim nothing.
 */
export type BlockSpends = {
  /** Outpoints `txid:vout`, or the sending accounts' watch keys. Without transactions that no key signed. */
  readonly sources: () => readonly string[];
  /** The transactions that spend from any of these. */
  readonly transactionsFrom: (sources: ReadonlySet<string>) => readonly OutgoingTransaction[];
};

/** A transaction with what it spends and whom it pays. */
export type OutgoingTransaction = {
  readonly txid: string;
  /** The sending account's watch key; null on UTXO chains. */
  readonly sender: string | null;
  /** Everything it spends, in the form of a draft's `claims`; empty if transactions claim nothing. */
  readonly claims: readonly string[];
  /** What it delivered, including change; for a pending transaction, what it states. */
  readonly payments: readonly OutgoingPayment[];
  /** On chains that hide receivers and amounts: the currency of what it paid to others. `payments` is then what came back to us. */
  readonly hides?: CurrencyId;
  /** Fee in units of the chain's coin; null if it follows from the claims (UTXO) and for pending transactions. */
  readonly feeUnits: bigint | null;
};

export type OutgoingPayment = {
  /** Watch key and canonical address of the receiver. */
  readonly to: string;
  readonly address: string;
  /** The tag, memo or comment that it carries, if any. Absent on chains without them. */
  readonly tag?: string | null;
  /** Null for a token that the deployment does not list. */
  readonly currency: CurrencyId | null;
  readonly units: bigint;
};

/** The spends of a block that spends nothing. */
export const noSpends: BlockSpends = { sources: () => [], transactionsFrom: () => [] };

/**
 * Reads the chain. The follower owns cursors, reorgs, retries and matching. Every method throws `Unavailable` when the node
 * cannot answer, and stops when `signal` aborts.
 */
/** Whether a key may be watched: never false for one that is. */
export type MayBeWatched = ((watchKey: string) => boolean) & {
  /** Whether any of these may be watched; several times as fast as asking for each of thousands. */
  readonly any?: (watchKeys: readonly string[]) => boolean;
};

export type ChainReader = {
  readonly finality:
    | { readonly kind: "final" }
    | { readonly kind: "probable"; readonly reorgLimit: number };
  /** Throws `WrongNetwork` if the node's genesis hash or chain id is not the configured one. */
  readonly verifyNetwork: (signal: AbortSignal) => Promise<void>;
  /**
   * What identifies the network of the node, in any form: the follower stores it at the first start and compares it at every later one.
   * Absent: the hash of block 0.
   */
  readonly networkIdentity?: (signal: AbortSignal) => Promise<string>;
  readonly tip: (signal: AbortSignal) => Promise<BlockRef>;
  /** The header at a height of the node's best chain; null above its tip. */
  readonly headerAt: (height: number, signal: AbortSignal) => Promise<BlockRef | null>;
  /** The header with that hash if it is on the node's best chain, else null. */
  readonly headerByHash: (hash: string, signal: AbortSignal) => Promise<BlockRef | null>;
  /**
   * All value delivered in that block to any address, and what it spends. Reads by hash, so a reorg between two calls gives
   * null instead of another block. Transfers to keys for which `mayBeWatched` returns false may be left out.
   */
  readonly readBlock: (
    block: BlockRef,
    signal: AbortSignal,
    mayBeWatched?: MayBeWatched,
  ) => Promise<BlockContent | null>;
  /**
   * Nodes forget the state of older blocks, and then show less of their content (coins moved by contracts). Absent where a node shows the
   * whole content of every block that it has.
   */
  readonly forgetsContent?: true;
  /**
   * What a block spends, on chains where finding its transfers takes longer; null when it is not on the node's best chain. Absent where
   * `readBlock` says it as fast.
   */
  readonly readSpends?: (block: BlockRef, signal: AbortSignal) => Promise<BlockSpends | null>;
  /**
   * The newest block of the node's best chain that the network has locked, so that its transactions count as settled before they have
   * the currency's count of confirmations; null while there is none. Absent on chains without locks. Blocks below a locked one
   * are locked too.
   */
  readonly newestLocked?: (signal: AbortSignal) => Promise<LockedBlock | null>;
  /** Value in pending transactions; null on chains whose pending transactions promise nothing. */
  readonly pendingTransfers: ((signal: AbortSignal) => Promise<readonly Transfer[]>) | null;
  /**
   * Pending transactions that spend from a source (as in `BlockSpends`) for which `isOurs` returns true, as far as the node
   * shows them. Null on chains whose nodes show none.
   */
  readonly pendingSpends:
    | ((
        isOurs: (source: string) => boolean,
        signal: AbortSignal,
      ) => Promise<readonly OutgoingTransaction[]>)
    | null;
  /** Senders by transaction id, for transactions of one block (null: pending ones), in one batch. */
  readonly senders: (
    txids: readonly string[],
    block: BlockRef | null,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, Senders>>;
  /** A pending transaction that the node has not known for so long, in seconds, is dead: it expired, or all nodes dropped it. */
  readonly forgottenAfterSeconds: number;
  /** The status of a transaction seen before, with the claims that `senders` returned for it. */
  readonly statusOf: (
    txid: string,
    spends: readonly string[],
    signal: AbortSignal,
  ) => Promise<TransactionStatus>;
  /**
   * What each address holds of the currency right after the block of that hash, in units; for reconciliation. Null if the
   * node does not know the block. Account chains answer for any recent block. UTXO chains scan the set of unspent outputs,
   * which takes minutes on a public network, and answer only if the block is the node's tip when the scan begins. Always null
   * where nodes know outputs but no balances.
   */
  readonly balancesAt: (
    addresses: readonly string[],
    currency: CurrencyId,
    hash: string,
    signal: AbortSignal,
  ) => Promise<readonly bigint[] | null>;
  /** Receipts of those of our own transactions that are in the block. The block is read by hash; null if it is gone. */
  readonly receiptsIn: (
    txids: readonly string[],
    block: BlockRef,
    signal: AbortSignal,
  ) => Promise<readonly TransactionReceipt[] | null>;
  /**
   * Which of these outputs (`txid:vout`, at most 98) are unspent on the node's best chain, all as of one block. Null when the tip
   * changed during the query. Account chains have no such method.
   */
  readonly unspentOutputs:
    | ((outpoints: readonly string[], signal: AbortSignal) => Promise<UnspentOutputs | null>)
    | null;
  /** Resolves when a new block may have arrived, or after `timeoutMs`. */
  readonly waitForBlock: (timeoutMs: number, signal: AbortSignal) => Promise<void>;
  /** Anyone can have the protocol credit any account with coin, without a transaction that blocks show. Absent where nobody can. */
  readonly creditsAnyAccount?: true;
  /** What this adapter cannot see on this node, for operators ("ether sent by contracts: the node has no tracing"). */
  readonly limitations: (signal: AbortSignal) => Promise<readonly string[]>;
};

/** Unspent outputs as of the node's newest block; pending transactions are ignored. */
export type UnspentOutputs = { readonly atHash: string; readonly outpoints: ReadonlySet<string> };

/**
 * What a token's transfer really moved, by the logs of our transaction. Success alone proves little: contracts return false,
 * do nothing, or keep a part.
 */
export type TokenDelivery = {
  readonly currency: CurrencyId;
  /** The amount in the call; never 0. */
  readonly requestedUnits: bigint;
  /** Moved from the paying account to the receiver. */
  readonly receivedUnits: bigint;
  /** Moved out of the paying account, to anyone: at least `receivedUnits`. */
  readonly sentUnits: bigint;
};

/** The delivery of the payment at that place of a transaction with several. */
export type PaymentDelivery = TokenDelivery & { readonly place: number };

/** The outcome of one of our own transactions in a block. */
export type TransactionReceipt = {
  readonly txid: string;
  /** False: it is in the block and cost its fee, but nothing else happened (EVM revert). */
  readonly hasSucceeded: boolean;
  /** Fee in units of the chain's coin; null if the draft states it exactly (UTXO), or where nodes report different fees. */
  readonly feeUnits: bigint | null;
  /** Only for a successful token transfer whose logs differ from the call. */
  readonly delivery?: TokenDelivery;
  /** In the order of the draft's payments, where their fates can differ. Absent: all succeeded or failed with the transaction. */
  readonly payments?: readonly PaymentOutcome[];
  /** Of several payments: the token transfers whose logs differ from the request, by their place in `payments`. */
  readonly deliveries?: readonly PaymentDelivery[];
  /** Only for a sweep: what left the addresses, by its logs, and did not reach the hot account. */
  readonly lost?: readonly Money[];
};

/** `refused`: the chain did not make this payment. `undone`: nor this one, but only because another one was refused. */
export type PaymentOutcome = "made" | "refused" | "undone";

/**
 * A node gave an answer that no honest node gives, such as an amount above the supply or one output twice. The whole answer
 * is discarded and another node is asked.
 */
export class ImpossibleAnswer extends Unavailable {}

/** The node belongs to another network; it is never followed. */
export class WrongNetwork extends Error {
  override readonly name = "WrongNetwork";
}
