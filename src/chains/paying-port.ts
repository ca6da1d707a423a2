import type { JsonObject } from "../platform/kernel/json.ts";
import type { CurrencyId, Money } from "../platform/kernel/money.ts";
import { Unavailable } from "../platform/kernel/unavailable.ts";
import type { Validity } from "../platform/kernel/validity.ts";
import type { BlockRef, Destination, OutgoingTransaction, TransactionReceipt } from "./port.ts";

/*
 * The paying part of the chain port: quotes, drafts, broadcasts, the status of our own transactions, and sweeping deposit
 * addresses on account chains. Drafts are signed in the signer process (`src/signer/draft-signer.ts`), which decodes them
 * independently.
 */

/** One payment of a transaction. `amount` is what the receiver gets. */
export type Payment = { readonly destination: Destination; readonly amount: Money };

/** An output that can be spent; `claim` is its outpoint `txid:vout`, or its key image where the chain names it by that. */
export type Coin = {
  readonly claim: string;
  readonly units: bigint;
  readonly addressType: string;
  /** BIP-44: 0 deposits, 1 change. */
  readonly branch: 0 | 1;
  readonly keyIndex: number;
  /** Where the claim is a key image: the outpoint. */
  readonly outpoint?: string;
};

/** An output of ours whose key image is not known yet. */
export type UnclaimedCoin = Pick<Coin, "branch" | "keyIndex"> & { readonly outpoint: string };

/** So often, coins whose key images the signer's wallet does not find are asked about before the others are spent without them. */
export const unansweredMax = 3;

/** An unused change address of ours. */
export type ChangeTarget = {
  readonly address: string;
  readonly addressType: string;
  readonly keyIndex: number;
};

/**
 * What a draft may spend. UTXO chains: which coins, and where change goes. Account chains: the sender and the sequence number of
 * its transaction (a nonce); null if the chain numbers no transactions.
 */
export type Funds =
  | {
      readonly kind: "coins";
      readonly coins: readonly Coin[];
      readonly change: ChangeTarget;
      /**
       * Further change addresses, so that change may be split and later payments find a coin each. Without them it comes back
       * in one output. Splitting never lowers the fee rate, and a replacement does not split.
       */
      readonly extraChange?: readonly ChangeTarget[];
    }
  | ({ readonly kind: "account"; readonly address: string } & SequenceRange);

/** The sequence numbers that a transaction uses. */
export type SequenceRange = {
  /** Its own; null if the chain numbers no transactions. */
  readonly sequence: bigint | null;
  /** The last number that it uses if it succeeds; if it fails, it uses only its own. Absent: its own. See `AccountBatching.isAtomic`. */
  readonly through?: bigint;
  /** Whose numbers they are, if not those of the paying account; see `AccountLenders`. */
  readonly lender?: string;
};

/** Current fees for one payment, in units of the chain's coin, including what it costs to create the receiver's account. */
export type FeeQuote = {
  readonly low: bigint;
  readonly medium: bigint;
  readonly high: bigint;
  /** Smaller payments are not relayed; in units of the paid currency. 0 where there is no limit. */
  readonly dust: bigint;
  /**
   * 1: the fee is large relative to the amount. 2: the payout may fail because of a low balance or too little change. 3: the
   * remainder may be below the lowest fee (EVM coins).
   */
  readonly warning: 1 | 2 | 3 | null;
  /** What keeps the receiver from taking this payment, found with its fees. Absent: as `ChainWriter.account.receiver` says. */
  readonly receiver?: ReceiverState;
};

/** The network asks more than the signer is allowed to pay, so nothing is paid until that changes. `detail` is a sentence for clients. */
export class FeesTooHigh extends Unavailable {
  readonly detail: string;

  constructor(chain: string, detail: string) {
    super(chain, detail);
    this.detail = detail;
  }
}

export type QuoteRequest = {
  readonly payment: Payment;
  /**
   * The funds in reach: available coins on UTXO chains, the hot account on account chains. `balance` is the paying wallet's
   * available balance in units of the paid currency, or its value in it.
   */
  readonly funds: Funds;
  readonly balance: bigint;
};

/**
 * A transaction ready for signing. `body` is the adapter's own JSON (decimal strings for amounts); with the key, it
 * determines the signed bytes. `claims` are what it spends, in a fixed order: outpoints, or `sender#sequence`. The first one stays
 * in every replacement. Without claims, nothing but the end of its validity rules it out.
 */
export type Draft = {
  readonly body: JsonObject;
  readonly claims: readonly string[];
  /** Maximum fee in units of the chain's coin; exact on UTXO chains. */
  readonly feeUnits: bigint;
  /**
   * Null: valid for as long as its claims are unspent. Never null without claims. At least a minute or ten blocks long, because a
   * draft that is about to expire is not signed.
   */
  readonly validity: Validity | null;
};

export type DraftRequest = {
  /**
   * Account chains: at most one, or as `AccountBatching` says. Empty: send everything to the change address (consolidation), or nothing at all (to use up a
   * sequence number).
   */
  readonly payments: readonly Payment[];
  readonly funds: Funds;
  /** The fee charged for these payments together, which the draft aims at, in units of the chain's coin. Null: the medium quote. */
  readonly feeTarget: bigint | null;
  /** Maximum fee, in units of the chain's coin. */
  readonly feeCeiling: bigint;
  /** The newest attempt of the same spend, to be replaced: same payments, all of its claims, a higher fee. */
  readonly replaces: Draft | null;
  /** See `AccountPayment`. */
  readonly reference?: string;
};

export type DraftOutcome =
  | { readonly kind: "draft"; readonly draft: Draft }
  /** The funds do not cover payments and fee; at least `missing` units of `currency` are needed. */
  | { readonly kind: "insufficient"; readonly currency: CurrencyId; readonly missing: bigint }
  /** The current minimum fee is above the ceiling. */
  | { readonly kind: "tooExpensive"; readonly feeUnits: bigint }
  /** The chain would reject it at any fee (a token's transfer reverts, an output is below dust); the reason is for operators. */
  | { readonly kind: "impossible"; readonly reason: string };

/** Maximum fee of a transaction: units of the chain's coin, or a multiple of its high quote. */
export type FeeCeiling = { readonly units: bigint } | { readonly timesHigh: bigint };

/**
 * One of several payments of an account, each in its own transaction. `reference` names what is paid, the same in every draft of it (the
 * payout's id): chains that can refuse a second transaction with the same mark derive the mark from it.
 */
export type AccountPayment = {
  readonly payment: Payment;
  readonly feeTarget: bigint | null;
  readonly reference?: string;
};

/** The payments of one transaction of an account; the fee's target is their sum. */
export type AccountBatch = Omit<AccountPayment, "payment"> & {
  readonly payments: readonly Payment[];
  /** The target of each payment alone; null for one that aims at none. Absent: their sum is all that is known. */
  readonly feeTargets?: readonly (bigint | null)[];
  /** How many sequence numbers it claims. Absent: as many as it has payments, see `AccountBatching.isAtomic`. */
  readonly numbers?: number;
  /** Whose numbers these are, if that is known already, and they are not the account's. Absent: the account's, or those of one of its lenders. */
  readonly lender?: string;
};

/** As `DraftOutcome`, for one of several transactions. Sequence numbers are assigned once it is known which of them are made. */
export type AccountDraftOutcome =
  | {
      readonly kind: "draft";
      readonly feeUnits: bigint;
      readonly withSequence: (sequence: bigint | null, through?: bigint, lender?: string) => Draft;
    }
  | Exclude<DraftOutcome, { readonly kind: "draft" }>
  /** The node has no answer for this transaction; the others are unaffected. */
  | { readonly kind: "unanswered"; readonly cause: Unavailable };

/** Whether an account can make several payments in one transaction now. */
export type BatchingState =
  /** `pendingMax`: how many transactions of the account nodes keep waiting for a block. Null: no limit that matters. */
  | { readonly kind: "ready"; readonly pendingMax: number | null }
  /**
   * It has to make a transaction first: the draft without payments that uses the account's next two sequence numbers. Nothing else of the
   * account may wait for a block at the same time.
   */
  | { readonly kind: "needsSetUp" };

/** How an account makes several payments in one transaction, at most `paymentsMax`. */
export type AccountBatching = {
  readonly state: (address: string, signal: AbortSignal) => Promise<BatchingState>;
  /**
   * For each payment a key: payments with the same key may share a transaction. Null: it is paid alone. A payment that the node has no
   * answer for is paid alone.
   */
  readonly keysOf: (
    address: string,
    payments: readonly Payment[],
    signal: AbortSignal,
  ) => Promise<readonly (string | null)[]>;
  /**
   * A payment that the chain refuses undoes the others of its transaction. Such a transaction claims one sequence number for each of its
   * payments: it uses all of them if it succeeds, and its own, the first, if it fails. So what was undone can be paid again with the
   * other numbers, by transactions that can never be valid together with it.
   */
  readonly isAtomic: boolean;
  /**
   * As `ChainWriter.account.draftEach`, for transactions of several payments. `impossible` for several payments: they cannot be made
   * together.
   */
  readonly draftEach: (
    address: string,
    batches: readonly AccountBatch[],
    ceiling: FeeCeiling,
    signal: AbortSignal,
  ) => Promise<readonly AccountDraftOutcome[]>;
};

/**
 * Accounts of ours without money that lend the paying account their sequence numbers: transactions with the numbers of different accounts need
 * not wait for each other. Each lends the number of one transaction at a time.
 */
export type AccountLenders = {
  /** How many there are to be. */
  readonly count: number;
  /** Those that exist at a height, and the next number of each. */
  readonly list: (signal: AbortSignal) => Promise<{
    readonly height: number;
    readonly accounts: readonly { readonly address: string; readonly next: bigint }[];
  }>;
  /** Whether a draft of the account without payments would make some of those that are missing. */
  readonly canBeMade: (address: string, signal: AbortSignal) => Promise<boolean>;
};

export type BroadcastOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "alreadyKnown" }
  /** The node takes it once an earlier transaction of the account is in a block. */
  | { readonly kind: "waits" }
  /** Not final: the node may lack a parent, or accept it later. */
  | { readonly kind: "rejected"; readonly reason: string };

/** The status of one of our broadcast transactions. */
export type SpendStatus =
  | { readonly kind: "pending" }
  | ({ readonly kind: "mined"; readonly block: BlockRef } & TransactionReceipt)
  /**
   * Another transaction on the node's best chain spent a claim, in that block; on UTXO chains never one that makes the same
   * payments. The block is null if the node does not know it. `by` is null where nodes do not tell: then it may have made the same payments,
   * in that block or an earlier one.
   */
  | {
      readonly kind: "conflicted";
      readonly by: string | null;
      readonly block: Pick<BlockRef, "height" | "hash"> | null;
    }
  | { readonly kind: "unknown" };

/** An account's balance at the tip, and at the currency's confirmation count. */
export type AccountFunds = {
  readonly latest: bigint;
  readonly final: bigint;
  /**
   * What of it the chain does not let the account spend: its reserve, minimum balance, or stake. It stays the account's money, and
   * is part of `latest` and `final`.
   */
  readonly reserved: bigint;
};

/** Whether an address can receive a currency now. */
export type ReceiverState =
  | { readonly kind: "ready" }
  /**
   * The payment creates the receiver's account, and must bring at least `minimumUnits` of the paid currency. Quotes and drafts
   * for this receiver include what that costs. `createdOnce`: a transaction that was drafted to create it fails if it exists by then.
   */
  | {
      readonly kind: "needsActivation";
      readonly minimumUnits: bigint;
      readonly createdOnce?: true;
    }
  /** `member` is what the payer has to change; `reason` is a sentence for the payer ("The receiver has no trust line for ..."). */
  | {
      readonly kind: "impossible";
      readonly member: "address" | "tag";
      readonly reason: string;
    };

/**
 * `missing`: the account does not exist, and a first payment that is too small to create it fails. `needsFunds`: it has less than what setting
 * it up reserves. `needsSetUp`: it has to make the transaction of a draft without payments first, which also sets it up. `unauthorized`: the issuer
 * of a token does not let it hold or pay that token, which nothing of ours changes; everything else arrives.
 */
export type AccountReadiness = "missing" | "needsFunds" | "needsSetUp" | "unauthorized" | "ready";

/**
 * Quotes, drafts and broadcasts payments. Every method throws `Unavailable` when the node cannot answer, and stops when
 * `signal` aborts. The pipeline (`src/payouts`) decides which coins and sequence numbers are free; a writer only caches quotes.
 */
export type ChainWriter = {
  readonly funding: "coins" | "account";
  readonly coin: CurrencyId;
  /** Maximum payments per transaction: 1 on account chains without `batching`. */
  readonly paymentsMax: number;
  readonly quote: (request: QuoteRequest, signal: AbortSignal) => Promise<FeeQuote>;
  readonly draft: (request: DraftRequest, signal: AbortSignal) => Promise<DraftOutcome>;
  /** Sending the same bytes again gives `alreadyKnown`, even once they are in a block. */
  readonly broadcast: (raw: Uint8Array, signal: AbortSignal) => Promise<BroadcastOutcome>;
  readonly status: (txid: string, draft: Draft, signal: AbortSignal) => Promise<SpendStatus>;
  /**
   * Whether the node's chain contains the block, has made it final where blocks become final, and has the transaction of the draft in none of
   * its blocks up to that one. The node is asked for the block first, then for the transaction. The draft's validity says which blocks may contain it,
   * however far they are below the block. False if the node cannot tell: it has not reached the block, follows another branch, or has no longer what it
   * knew of those blocks. Null on chains whose drafts have no validity.
   */
  readonly isMissingUpTo:
    | ((
        txid: string,
        draft: Draft,
        block: Pick<BlockRef, "height" | "hash">,
        signal: AbortSignal,
      ) => Promise<boolean>)
    | null;
  /**
   * The key images of coins, by outpoint, on chains whose blocks name by them what they spend: asks the signer, which alone can compute
   * them, and shows it the coins that its drafts will spend. Coins that the node does not show are left out. Absent on other chains.
   */
  readonly keyImagesOf?: (
    coins: readonly UnclaimedCoin[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>;
  /**
   * Whether a transaction spends the same coins as the draft's and pays the same outputs, so that at most its signatures differ. Absent on
   * chains where nobody else can give our transactions another id.
   */
  readonly isEquivalent?: (draft: Draft, transaction: OutgoingTransaction) => boolean;
  /** UTXO chains: the change outputs of a draft's transaction. Null on account chains. */
  readonly changeOf: ((txid: string, draft: Draft) => readonly Coin[]) | null;
  /**
   * Account chains: the next sequence number (null if the chain has none), the balance, the state of receivers (null if
   * every valid address can be paid), and `draft` and `broadcast` for many payments in few round trips, in the given order. Null
   * on UTXO chains.
   */
  readonly account: {
    readonly nextSequence: ((address: string, signal: AbortSignal) => Promise<bigint>) | null;
    /**
     * From now on, nodes that have not reached that height are not asked for numbers, balances and drafts: they know less of our transactions
     * than we do. Where blocks are final, a height lower than an earlier one changes nothing; elsewhere it is the new limit, since a reorg may leave
     * the best chain with fewer blocks. Absent where nodes are not asked how far they are.
     */
    readonly excludeBehind?: (height: number) => void;
    /**
     * Its numbers have no order: each is used once, unused ones hold nothing up, and the chain forgets after a while which were used. So a number
     * that one of our spends ever claimed is given to no other, also if it was never used. Absent: numbers are used one after the other.
     */
    readonly numbersOnce?: true;
    readonly funds: (
      address: string,
      currency: CurrencyId,
      confirmations: number,
      signal: AbortSignal,
    ) => Promise<AccountFunds>;
    readonly receiver:
      | ((
          destination: Destination,
          currency: CurrencyId,
          signal: AbortSignal,
        ) => Promise<ReceiverState>)
      | null;
    /** Absent: a transaction makes one payment. */
    readonly batching?: AccountBatching;
    /** Absent: it has only its own numbers. */
    readonly lenders?: AccountLenders;
    /** How many of its transactions may wait for a block at once, unless the configuration says otherwise. Absent: as on other chains. */
    readonly inFlightMax?: number;
    /** What the account lacks before payers may be sent to it. Absent where accounts need nothing. */
    readonly readiness?: (address: string, signal: AbortSignal) => Promise<AccountReadiness>;
    /** Accounts need nothing, but keep some coin back (`AccountFunds.reserved`). Absent where `readiness` says so, or nothing is kept back. */
    readonly keepsReserve?: true;
    readonly draftEach: (
      address: string,
      payments: readonly AccountPayment[],
      ceiling: FeeCeiling,
      signal: AbortSignal,
    ) => Promise<readonly AccountDraftOutcome[]>;
    readonly broadcastEach: (
      raws: readonly Uint8Array[],
      signal: AbortSignal,
    ) => Promise<readonly BroadcastOutcome[]>;
  } | null;
};

/** A deposit address that may hold some of these currencies. */
export type SweepAddress = {
  readonly keyIndex: number;
  /** Canonical spelling. */
  readonly address: string;
  readonly currencies: readonly CurrencyId[];
};

/** What a deposit address needs before it can move an asset by itself. */
export type SweepPreparation =
  /** Coin from the gas account. */
  | { readonly kind: "topUp"; readonly units: bigint }
  /** The use of resources that so much staked coin of the gas account provides, until the address is released. */
  | { readonly kind: "lend"; readonly units: bigint };

/** One asset held by a deposit address. */
export type SweepAsset = {
  readonly currency: CurrencyId;
  /**
   * Units at the tip, and of those, units at the currency's confirmation count. `latest` is null, and `final` zero, if the token's contract does
   * not tell.
   */
  readonly latest: bigint | null;
  readonly final: bigint;
  /** What its transfer takes in the chain's own measure (gas, energy), for the limits of drafts; null: the transfer fails. */
  readonly work: bigint | null;
  /** What moving it is expected to burn, in units of the coin. */
  readonly feeUnits: {
    /** In a batch, beside the parts of its address and of the transaction. */
    readonly inBatch: bigint;
    /** By the address itself, with its preparation. */
    readonly alone: bigint;
  };
  /** Null: the address can move it by itself now. */
  readonly preparation: SweepPreparation | null;
};

/** The on-chain state of a deposit address. */
export type SweepState = {
  readonly keyIndex: number;
  readonly address: string;
  /** Of its next transaction; null if the chain has none. */
  readonly sequence: bigint | null;
  /** It still has what an earlier sweep gave it and `release` ends: a delegation to our contract (EIP-7702), lent resources. */
  readonly isPrepared: boolean;
  /** The address's part of a batch's expected fee, in units of the coin. */
  readonly batchFeeUnits: bigint;
  readonly assets: readonly SweepAsset[];
};

/** What deposit addresses hold, and what sweeping them is expected to burn now, in units of the coin. */
export type SweepSurvey = {
  /**
   * `batch`: one transaction of the gas account sweeps many addresses. `single`: each address sends by itself, after its
   * preparation.
   */
  readonly mode: "batch" | "single";
  /** The fee of the transaction that must precede the first batch; null if none must. */
  readonly setUpFeeUnits: bigint | null;
  /** The part of a batch's fee that does not depend on its addresses. */
  readonly batchFeeUnits: bigint;
  /** Ending the preparation of one address. */
  readonly releaseFeeUnits: bigint;
  /** Moving coin, or a common token, from an address that has not been surveyed; without a batch's own part. */
  readonly usualFeeUnits: { readonly coin: bigint; readonly token: bigint };
  /** Whether one transaction can sweep these addresses, whatever their tokens do, and nodes let it pay for that. */
  readonly fitsOneTransaction: (sources: readonly SweepSourceState[]) => boolean;
  readonly states: readonly SweepState[];
};

/** What a sweeping transaction does. */
export type SweepPlan =
  /** Makes batches possible. */
  | { readonly kind: "setUp" }
  /** Sweeps the named currencies of many addresses, paid by the gas account. */
  | { readonly kind: "batch"; readonly sources: readonly SweepSourceState[] }
  /** One address sends one asset itself. */
  | { readonly kind: "single"; readonly state: SweepState; readonly currency: CurrencyId }
  /** The gas account gives an address what it needs to send. */
  | {
      readonly kind: "prepare";
      readonly state: SweepState;
      readonly preparation: SweepPreparation;
    }
  /** Ends the preparation of addresses. */
  | { readonly kind: "release"; readonly states: readonly SweepState[] };

export type SweepSourceState = {
  readonly state: SweepState;
  readonly currencies: readonly CurrencyId[];
};

export type SweepDraftRequest = {
  readonly plan: SweepPlan;
  /** Of the sender's transaction: the gas account's, or that of the address of a `single`. Null if the chain has none. */
  readonly sequence: bigint | null;
  readonly feeCeiling: bigint;
};

/**
 * Sweeps deposit addresses into the hot account. Every method throws `Unavailable` when the node cannot answer. Balances
 * afterwards show what moved: a transaction's success alone proves nothing.
 */
export type ChainSweeper = {
  /** How prepared addresses are released; null if nothing remains to be released. */
  readonly release: {
    /** The most addresses in one transaction. */
    readonly addressesMax: number;
    /** For how long an address must have moved nothing; null: the operator's setting. */
    readonly idleSeconds: number | null;
  } | null;
  readonly survey: (
    addresses: readonly SweepAddress[],
    signal: AbortSignal,
  ) => Promise<SweepSurvey>;
  /** Answers `insufficient` only if the sender's coin alone is missing: with more of it, it would not be `tooExpensive`. */
  readonly draft: (request: SweepDraftRequest, signal: AbortSignal) => Promise<DraftOutcome>;
  /**
   * The same transaction with fees high enough to replace `draft`, which this sweeper made. Null if drafts claim nothing: both
   * could be mined.
   */
  readonly replace:
    | ((draft: Draft, feeCeiling: bigint, signal: AbortSignal) => Promise<DraftOutcome>)
    | null;
};
