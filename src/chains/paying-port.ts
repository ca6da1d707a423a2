import type { JsonObject } from "../platform/kernel/json.ts";
import type { CurrencyId, Money } from "../platform/kernel/money.ts";
import type { Unavailable } from "../platform/kernel/unavailable.ts";
import type { BlockRef, Destination, TransactionReceipt } from "./port.ts";

/*
 * The paying part of the chain port: quotes, drafts, broadcasts, and what became of our own transactions; emptying deposit
 * addresses on account chains. What signs a draft lives in the signer process (`src/signer/draft-signer.ts`) and reads it anew
 * by itself.
 */

/** One payment that a transaction is to make. `amount` is what the receiver gets. */
export type Payment = { readonly destination: Destination; readonly amount: Money };

/** An output that can be spent; `claim` is its outpoint `txid:vout`. */
export type Coin = {
  readonly claim: string;
  readonly units: bigint;
  readonly addressType: string;
  /** BIP-44: 0 deposits, 1 change. */
  readonly branch: 0 | 1;
  readonly keyIndex: number;
};

/** A change address of ours that nothing was sent to yet. */
export type ChangeTarget = {
  readonly address: string;
  readonly addressType: string;
  readonly keyIndex: number;
};

/** What a draft may use. On chains of coins: which coins, and where change goes; on account chains: from where, with which nonce. */
export type Funds =
  | {
      readonly kind: "coins";
      readonly coins: readonly Coin[];
      readonly change: ChangeTarget;
      /**
       * Change may be split among the first one and these, in their order, so that payments which follow find a coin each. Left out: it
       * comes back as one. Splitting never lowers the rate of a fee, and a replacement does not split.
       */
      readonly extraChange?: readonly ChangeTarget[];
    }
  | { readonly kind: "account"; readonly address: string; readonly nonce: number };

/** Live fees for one payment, in units of the chain's coin. */
export type FeeQuote = {
  readonly low: bigint;
  readonly medium: bigint;
  readonly high: bigint;
  /** A smaller payment of this kind is not relayed; units of the currency paid. 0 where there is no such bound. */
  readonly dust: bigint;
  /**
   * 1 the fee is large beside the amount; 2 the payout may fail for a low final balance or a change too small; 3 what remains
   * may be below the least fee (EVM coins).
   */
  readonly warning: 1 | 2 | 3 | null;
};

export type QuoteRequest = {
  readonly payment: Payment;
  /**
   * What could pay: on chains of coins those in reach (the wallet's share of the pooled coins is its balance); on account
   * chains the hot account. `balance` is the paying wallet's available money, units of the currency paid (or worth so much).
   */
  readonly funds: Funds;
  readonly balance: bigint;
};

/**
 * A transaction that can be signed. `body` is the adapter's own JSON (decimal strings for amounts): together with the key
 * it determines the signed bytes. `claims` are what it uses up, in a fixed order; the first one stays in every replacement.
 */
export type Draft = {
  readonly body: JsonObject;
  readonly claims: readonly string[];
  /** Most that it can burn, units of the chain's coin; exact on chains of coins. */
  readonly feeUnits: bigint;
  readonly expiresAfterHeight: number | null;
};

export type DraftRequest = {
  /** Account chains: exactly one. Empty: everything to the change address (consolidation) or nothing at all (a gap's nonce). */
  readonly payments: readonly Payment[];
  readonly funds: Funds;
  /** What the payments' payers are charged together: what the draft aims at, units of the chain's coin. Null: the medium quote. */
  readonly feeTarget: bigint | null;
  /** Never more than this, units of the chain's coin. */
  readonly feeCeiling: bigint;
  /** The newest attempt of the same spend, to be replaced: same payments, all of its claims, a fee that nodes accept instead. */
  readonly replaces: Draft | null;
};

export type DraftOutcome =
  | { readonly kind: "draft"; readonly draft: Draft }
  /** The funds do not cover payments and fee; `missing` in units of `currency`, at least. */
  | { readonly kind: "insufficient"; readonly currency: CurrencyId; readonly missing: bigint }
  /** What nodes take now is above the ceiling. */
  | { readonly kind: "tooExpensive"; readonly feeUnits: bigint }
  /** The chain would refuse it whatever the fee (a token's transfer reverts, an output below dust), in words for operators. */
  | { readonly kind: "impossible"; readonly reason: string };

/** Most that a transaction may burn: so many units of the chain's coin, or so many times what the high quote for it is. */
export type FeeCeiling = { readonly units: bigint } | { readonly timesHigh: bigint };

/** One of several payments that an account is to make, each by a transaction of its own. */
export type AccountPayment = { readonly payment: Payment; readonly feeTarget: bigint | null };

/** As `DraftOutcome`, of one of several; which nonce its transaction takes is said once it is known which of them come to be. */
export type AccountDraftOutcome =
  | {
      readonly kind: "draft";
      readonly feeUnits: bigint;
      readonly withNonce: (nonce: number) => Draft;
    }
  | Exclude<DraftOutcome, { readonly kind: "draft" }>
  /** The node cannot say of this one, which is no matter of the others. */
  | { readonly kind: "unanswered"; readonly cause: Unavailable };

export type BroadcastOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "alreadyKnown" }
  /** Says nothing for ever: the node may have lost a parent, or take it later. */
  | { readonly kind: "rejected"; readonly reason: string };

/** What the network makes of a transaction that was handed to it. `claims` is what its draft names. */
export type SpendStatus =
  | { readonly kind: "pending" }
  | ({ readonly kind: "mined"; readonly block: BlockRef } & TransactionReceipt)
  /**
   * Another transaction of the node's best chain used a claim, in that block; on chains of coins never one that makes the same
   * payments. The block is null where the node does not say.
   */
  | {
      readonly kind: "conflicted";
      readonly by: string | null;
      readonly block: Pick<BlockRef, "height" | "hash"> | null;
    }
  | { readonly kind: "unknown" };

/** What an account holds for payments: at the tip, and at the depth of the currency's own count. */
export type AccountFunds = { readonly latest: bigint; readonly final: bigint };

/**
 * Paying. Every method throws `Unavailable` when the node cannot say, and stops when `signal` aborts. The pipeline
 * (`src/payouts`) owns which coins and nonces are free; a writer remembers nothing but quotes of the current block.
 */
export type ChainWriter = {
  readonly funding: "coins" | "account";
  readonly coin: CurrencyId;
  /** Most outputs that one transaction pays: 1 on account chains. */
  readonly paymentsMax: number;
  readonly quote: (request: QuoteRequest, signal: AbortSignal) => Promise<FeeQuote>;
  readonly draft: (request: DraftRequest, signal: AbortSignal) => Promise<DraftOutcome>;
  /** Twice the same bytes is `alreadyKnown`, also once they are in a block. */
  readonly broadcast: (raw: Uint8Array, signal: AbortSignal) => Promise<BroadcastOutcome>;
  readonly status: (txid: string, draft: Draft, signal: AbortSignal) => Promise<SpendStatus>;
  /** Chains of coins: what of a draft's transaction comes back to change addresses of ours. Null on account chains. */
  readonly changeOf: ((txid: string, draft: Draft) => readonly Coin[]) | null;
  /**
   * Account chains: the first nonce that no block has used, what the account holds, and, in few round trips for all of them, what
   * `draft` and `broadcast` do. Transactions are handed over in their order. Null on chains of coins.
   */
  readonly account: {
    readonly nextNonce: (address: string, signal: AbortSignal) => Promise<number>;
    readonly funds: (
      address: string,
      currency: CurrencyId,
      confirmations: number,
      signal: AbortSignal,
    ) => Promise<AccountFunds>;
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

/** One asset at a deposit address, as the chain has it. */
export type SweepAsset = {
  readonly currency: CurrencyId;
  /** At the tip; and, of that, what is as deep as the currency's own count. */
  readonly latest: bigint;
  readonly final: bigint;
  /** What moving it costs beside the address's own cost, in gas; null: the chain refuses to move it. */
  readonly gas: bigint | null;
  /** Coin that the address lacks to move it by itself, smallest units; 0 where it has enough. */
  readonly topUpUnits: bigint;
};

/** A deposit address, as the chain has it. */
export type SweepState = {
  readonly keyIndex: number;
  readonly address: string;
  readonly nonce: number;
  /** It runs the delegate's code (EIP-7702): a batch moves what it holds without another authorization. */
  readonly isDelegated: boolean;
  readonly assets: readonly SweepAsset[];
};

/** What some deposit addresses hold, and what emptying them would cost now. */
export type SweepSurvey = {
  /** `batch`: one transaction of the gas account empties many. `single`: each sends by itself, from coin that it is given. */
  readonly mode: "batch" | "single";
  /** False: the delegate is not on the chain yet, and has to be put there before the first batch. */
  readonly isDelegateDeployed: boolean;
  /** Coin units per gas, as one expects to pay. */
  readonly gasPrice: bigint;
  /** Gas of a transaction whatever is in it, and of an address in a batch: with an authorization, or delegated already. */
  readonly transactionGas: bigint;
  readonly addressGas: { readonly authorized: bigint; readonly delegated: bigint };
  /** Whether one transaction may have gas enough for all of these, whatever their tokens do with it. */
  readonly fitsOneTransaction: (sources: readonly SweepSourceState[]) => boolean;
  readonly states: readonly SweepState[];
};

/** What a transaction is to do for sweeping. */
export type SweepPlan =
  /** Puts the delegate on the chain. */
  | { readonly kind: "deploy" }
  /** Empties many, of the currencies named, by the gas account. */
  | { readonly kind: "batch"; readonly sources: readonly SweepSourceState[] }
  /** One address sends one asset by itself. */
  | { readonly kind: "single"; readonly state: SweepState; readonly currency: CurrencyId }
  /** The gas account brings coin to an address. */
  | { readonly kind: "topUp"; readonly state: SweepState; readonly units: bigint }
  /** Ends delegations. */
  | { readonly kind: "undelegate"; readonly states: readonly SweepState[] };

export type SweepSourceState = {
  readonly state: SweepState;
  readonly currencies: readonly CurrencyId[];
};

export type SweepDraftRequest = {
  readonly plan: SweepPlan;
  /** Of the account that sends: the gas account, or the address of a `single`. */
  readonly nonce: number;
  readonly feeCeiling: bigint;
};

/**
 * Emptying deposit addresses into the hot account. Every method throws `Unavailable` when the node cannot say. What a sweep
 * really moved is seen in balances afterwards: an authorization that does not hold is skipped in silence (EIP-7702).
 */
export type ChainSweeper = {
  readonly survey: (
    addresses: readonly SweepAddress[],
    signal: AbortSignal,
  ) => Promise<SweepSurvey>;
  readonly draft: (request: SweepDraftRequest, signal: AbortSignal) => Promise<DraftOutcome>;
  /** The same with fees that nodes accept instead of those of `draft`, which this sweeper made. */
  readonly replace: (
    draft: Draft,
    feeCeiling: bigint,
    signal: AbortSignal,
  ) => Promise<DraftOutcome>;
};
