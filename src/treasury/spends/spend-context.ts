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

/** What of the signer the pipeline asks; see `SignerClient`. Throws `Unavailable` when it does not answer. */
export type SpendSigner = {
  readonly sign: (request: SignRequest) => Promise<SignOutcome>;
  /** A page of its journal after that sequence, oldest first; empty at the end. */
  readonly signedSpends: (chain: string, afterSequence: number) => Promise<readonly SignedSpend[]>;
};

/** What spends have to know of payouts. */
export type PaidPayouts = {
  /** The payouts that each of the spends carries, as the signer is asked about them; a spend without any is left out. */
  readonly intents: (
    db: Executor,
    spendIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly ApprovedPayout[]>>;
  /**
   * What paying takes that the signer is asked about in these words, and the own count of its currency; null where the
   * deployment has no such currency or cannot read the address.
   */
  readonly paymentOf: (intent: PayoutIntent) => {
    readonly payment: Payment;
    readonly confirmations: number;
  } | null;
  /** Those of the payouts that exist just as the signer was asked about them, by id. */
  readonly existing: (
    db: Executor,
    intents: readonly PayoutIntent[],
  ) => Promise<ReadonlySet<string>>;
  /** The spends that carry any of them now. */
  readonly carriers: (
    db: Executor,
    payoutIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
  /** Whether the chain's payouts are paused: then none is signed that was not yet shown to the signer. */
  readonly arePaused: (db: Executor, chain: string, now: Instant) => Promise<boolean>;
  /** Those of the spends that carry a payout whose wallet's payouts somebody stopped. */
  readonly ofStoppedWallets: (
    db: Executor,
    spendIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
};

/** Our own coins; null on account chains. */
export type OwnCoins = {
  /** Outputs deep enough to be spent and claimed by no live spend, the most worth first. */
  readonly spendable: (db: Executor, limit: number) => Promise<readonly Coin[]>;
  /** A change address of its own for a draft. */
  readonly nextChange: (
    tx: Executor,
    now: Instant,
  ) => Promise<Extract<Funds, { readonly kind: "coins" }>["change"]>;
  /** Outputs to change addresses of ours of a transaction that is in no block yet. */
  readonly changeOf: (db: Executor, txid: string) => Promise<readonly Coin[]>;
};

export type SpendSettings = {
  /** A transaction is handed to the node again after this, and then ever more rarely. */
  readonly rebroadcastMinSeconds: number;
  readonly rebroadcastMaxSeconds: number;
  /** So often is looked after what is under way (`watchSpends`). */
  readonly watchSeconds: number;
  /** A transaction that no block was seen to hold for so long is asked about. */
  readonly checkAfterSeconds: number;
  /** One that waits for a block so long is replaced by a dearer one. */
  readonly stuckAfterSeconds: number;
  /** One that the node refused all the time since, already then. */
  readonly refusedAfterSeconds: number;
  /** Most that one transaction may burn, units of the chain's coin; null: ten times the high quote. */
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

/** Everything that carrying out spends of one chain takes. */
export type SpendContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly chain: string;
  readonly writer: ChainWriter;
  /** The chain's nodes one by one: where there are several, two of them have to say that a spend can never be mined. */
  readonly nodes?: readonly Pick<NodeReader, "node" | "status">[];
  /** Where deposits are swept: makes those transactions dearer that wait too long. */
  readonly sweeper?: Pick<ChainSweeper, "replace"> | null;
  /** The own count of the chain's coin. */
  readonly coinConfirmations: number;
  /** The currency that the signer's name for an asset means on the chain; null for one that this deployment does not list. */
  readonly currencyOf: (asset: IntendedAsset) => CurrencyId | null;
  readonly signer: SpendSigner;
  readonly listener: SpendListener;
  readonly payouts: PaidPayouts;
  readonly coins: OwnCoins | null;
  readonly settings: SpendSettings;
};
