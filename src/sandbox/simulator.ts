import type { Principal } from "../accounts/principal.ts";
import type { Instant } from "../platform/kernel/clock.ts";

/** How a deposit is paid: as asked, less, more, after its end, once more, or with something else. */
export type Story = "exact" | "under" | "over" | "late" | "second" | "wrong_token";

/** How the sandbox's receiver of callbacks behaves: answers 200, answers 500, answers after too long, hangs up. */
export type ReceiverAnswer = "ok" | "error" | "slow" | "closed";

/** Something that was done in the simulator. */
export type SimulatorAction = {
  readonly id: string;
  readonly at: Instant;
  readonly kind: "payment" | "block" | "reorg";
  readonly chain: string;
  readonly story: Story | null;
  readonly depositId: string | null;
  /** Alpha code. */
  readonly currency: string | null;
  /** Decimal text. */
  readonly amount: string | null;
  readonly txid: string | null;
  /** The chain's newest block afterwards. */
  readonly height: number;
  /** What happened, and what to do next. */
  readonly text: string;
};

export type Receiver = { readonly url: string; readonly answer: ReceiverAnswer };

/** A callback that the receiver got. */
export type ReceivedDelivery = {
  readonly id: string;
  readonly at: Instant;
  readonly answer: ReceiverAnswer;
  readonly webhookId: string | null;
  readonly isGenuine: boolean;
  /** Why it is not; null where it is. */
  readonly fault: string | null;
  readonly objectType: string | null;
  readonly objectId: string | null;
  /** The body as it came; empty for one that is too long. */
  readonly body: string;
};

/**
 * What a sandbox offers to whoever wants to see a payment go right or wrong, for the Owner of its demo account. A deployment has
 * none. Rejects with permissionDenied, and with invalidValue for what cannot be done.
 */
export type Simulator = {
  /** Null: the account has no such deposit. */
  readonly pay: (
    principal: Principal,
    request: {
      readonly depositId: string;
      readonly story: Story;
      readonly amount: string | null;
    },
  ) => Promise<SimulatorAction | null>;
  readonly mine: (principal: Principal, chain: string, count: number) => Promise<SimulatorAction>;
  readonly reorg: (
    principal: Principal,
    chain: string,
    depth: number,
    transactions: "wait" | "include",
  ) => Promise<SimulatorAction>;
  /** The newest two hundred. */
  readonly actions: (principal: Principal) => readonly SimulatorAction[];
  readonly receiver: (principal: Principal) => Receiver;
  readonly setReceiver: (principal: Principal, answer: ReceiverAnswer) => Receiver;
  /** The newest hundred. */
  readonly deliveries: (principal: Principal) => readonly ReceivedDelivery[];
};
