import type { NodeReader } from "../../chains/chain-adapter.ts";
import type { ChainSweeper, ChainWriter, Coin, Funds, Payment } from "../../chains/paying-port.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type {
  ApprovedPayout,
  IntendedAsset,
  PayoutIntent,
  SignedSpend,
  SignOutcome,
  SignRequest,
} from "../../signer/intent.ts";
import type { SpendListener } from "./spend-listener.ts";

/** The pipeline's part of the signer; see `SignerClient`. Rejects with `Unavailable` if it does not respond. */
export type SpendSigner = {
  readonly sign: (request: SignRequest) => Promise<SignOutcome>;
  /** A page of its journal after that sequence, oldest first; empty at the end. */
  readonly signedSpends: (chain: string, afterSequence: number) => Promise<readonly SignedSpend[]>;
};

/** The pipeline's view of payouts. */
export type PaidPayouts = {
  /**
   * The payouts of each spend, as the signer is asked about them; left out are spends without any, and those of which a payout was
   * never approved: a person has settled it with a transaction that only its chain knows.
   */
  readonly intents: (
    db: Executor,
    spendIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly ApprovedPayout[]>>;
  /**
   * The payment that the intent describes, and its currency's confirmation count; null if the deployment has no such currency
   * or cannot read the address.
   */
  readonly paymentOf: (intent: PayoutIntent) => {
    readonly payment: Payment;
    readonly confirmations: number;
  } | null;
  /** The ids of those payouts that exist exactly as the signer was asked about them. */
  readonly existing: (
    db: Executor,
    intents: readonly PayoutIntent[],
  ) => Promise<ReadonlySet<string>>;
  /** The spend that carries each of the payouts now. */
  readonly carriers: (
    db: Executor,
    payoutIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
  /** The traces that each spend's payouts continue (W3C `traceparent`); empty unless tracing was configured. */
  readonly traces: (
    db: Executor,
    spendIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Whether the chain's payouts are paused: then none is signed that the signer has not seen yet. */
  readonly arePaused: (db: Executor, chain: string, now: Instant) => Promise<boolean>;
  /** Those of the spends that carry a payout of a wallet whose payouts are stopped. */
  readonly ofStoppedWallets: (
    db: Executor,
    spendIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
};

/** Our own coins; null on account chains. */
export type OwnCoins = {
  /** Outputs that are deep enough and claimed by no live spend, the largest first. */
  readonly spendable: (db: Executor, limit: number) => Promise<readonly Coin[]>;
  /** A new change address for a draft. */
  readonly nextChange: (
    tx: Executor,
    now: Instant,
  ) => Promise<Extract<Funds, { readonly kind: "coins" }>["change"]>;
  /** Outputs to our change addresses of a transaction that is in no block yet. */
  readonly changeOf: (db: Executor, txid: string) => Promise<readonly Coin[]>;
};

export type SpendSettings = {
  /** The first delay before a transaction is broadcast again; it doubles each time, up to the maximum. */
  readonly rebroadcastMinSeconds: number;
  readonly rebroadcastMaxSeconds: number;
  /** The interval of `watchSpends`. */
  readonly watchSeconds: number;
  /** After this long in no block, the nodes are asked about a transaction. */
  readonly checkAfterSeconds: number;
  /** After this long in no block, a transaction is replaced by one with a higher fee. */
  readonly stuckAfterSeconds: number;
  /** The same for a transaction that the node has refused all the time. */
  readonly refusedAfterSeconds: number;
  /** The most that one transaction may burn, in units of the chain's coin; null: ten times the high quote. */
  readonly feeCeiling: bigint | null;
};

export const defaultSpendSettings: SpendSettings = {
  watchSeconds: 10,
  rebroadcastMinSeconds: 10,
  rebroadcastMaxSeconds: 600,
  checkAfterSeconds: 60,
  stuckAfterSeconds: 1_800,
  refusedAfterSeconds: 60,
  feeCeiling: null,
};

/** Everything needed to carry out the spends of one chain. */
export type SpendContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: string;
  readonly writer: ChainWriter;
  /** The chain's nodes. With several, two of them must agree that a spend can never be mined. */
  readonly nodes?: readonly Pick<NodeReader, "node" | "status" | "isMissingUpTo">[];
  /** For swept chains: raises the fee of stuck sweeps. */
  readonly sweeper?: Pick<ChainSweeper, "replace"> | null;
  /** The confirmation count of the chain's coin. */
  readonly coinConfirmations: number;
  /** The currency of an asset as the signer names it; null if this deployment does not list it. */
  readonly currencyOf: (asset: IntendedAsset) => CurrencyId | null;
  readonly signer: SpendSigner;
  readonly listener: SpendListener;
  readonly payouts: PaidPayouts;
  readonly coins: OwnCoins | null;
  readonly settings: SpendSettings;
};
