import type { Principal } from "../accounts/principal.ts";
import type { Instant } from "../platform/kernel/clock.ts";

/** How a deposit is paid: exactly, less, more, after its end, once more, or in another currency. */
export type Story = "exact" | "under" | "over" | "late" | "second" | "wrong_token";

/** How the sandbox's callback receiver behaves: answers 200, answers 500, times out, or closes the connection. */
export type ReceiverAnswer = "ok" | "error" | "slow" | "closed";

/** An action in the simulator. */
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
  /** What happened and what to do next. */
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
  /** Why verification failed; null if it succeeded. */
  readonly fault: string | null;
  readonly objectType: string | null;
  readonly objectId: string | null;
  /** The body as received; empty if it was too long. */
  readonly body: string;
};

/**
 * Simulates payments for the Owner of the sandbox's demo account. Deployments have none. Rejects with permissionDenied, and
 * with invalidValue for actions that cannot be done.
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
  /** The newest 200. */
  readonly actions: (principal: Principal) => readonly SimulatorAction[];
  readonly receiver: (principal: Principal) => Receiver;
  readonly setReceiver: (principal: Principal, answer: ReceiverAnswer) => Receiver;
  /** The newest 100. */
  readonly deliveries: (principal: Principal) => readonly ReceivedDelivery[];
};
