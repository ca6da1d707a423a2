import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { returnsMoney } from "./activity.ts";
import { walkBack } from "./history.ts";
import { readBody } from "./message-body.ts";
import { accountState } from "./questions.ts";
import type { AskToncenter } from "./toncenter-node.ts";
import type { ExecutedTransaction, InternalMessage } from "./transaction.ts";

/**
 * Whether a payment of ours arrived: its message is delivered in a later transaction of another account. `unsettled`: it is still on its way,
 * which takes seconds.
 */
export type Outcome = "arrived" | "returned" | "unsettled";

/** Follows the messages of our accounts to their receivers. An outcome never changes, so each is looked up once. */
export type Outcomes = {
  /** Of a message of the owner's order; `returned` also if it was never sent (null), since the money is still there. */
  readonly of: (ask: AskToncenter, message: InternalMessage | null) => Promise<Outcome>;
};

const rememberedMax = 50_000;

export function createOutcomes(network: TonNetworkKind): Outcomes {
  const settled = new Map<string, Outcome>();
  return {
    of: async (ask, message) => {
      if (message === null) return "returned";
      const known = settled.get(message.hash);
      if (known !== undefined) return known;
      const outcome = await follow(ask, network, message);
      if (outcome !== "unsettled") {
        if (settled.size >= rememberedMax) settled.clear();
        settled.set(message.hash, outcome);
      }
      return outcome;
    },
  };
}

async function follow(
  ask: AskToncenter,
  network: TonNetworkKind,
  message: InternalMessage,
): Promise<Outcome> {
  const isJetton = readBody(message.body, network).kind === "jettonTransfer";
  // What does not bounce is credited, whatever the receiver's contract does, or if there is none.
  if (!isJetton && !message.bounces) return "arrived";
  const delivered = await deliveryOf(ask, network, message);
  if (delivered === null) return "unsettled";
  if (!isJetton) return returnsMoney(delivered) ? "returned" : "arrived";
  if (delivered.isAborted) return "returned";
  const passed = delivered.sent.find(({ body }) => readBody(body, network).kind === "jettonMoves");
  if (passed === undefined) return "returned";
  const received = await deliveryOf(ask, network, passed);
  if (received === null) return "unsettled";
  return received.isAborted ? "returned" : "arrived";
}

/** The transaction in which the receiver processed the message; null if it has not yet. */
async function deliveryOf(
  ask: AskToncenter,
  network: TonNetworkKind,
  { createdLt, hash, to }: InternalMessage,
): Promise<ExecutedTransaction | null> {
  const { last } = await ask(accountState(to, null));
  // A message is processed after it was created.
  for await (const transaction of walkBack(ask, network, to, last, createdLt)) {
    const { input } = transaction;
    if (input?.kind === "internal" && input.message.hash === hash) return transaction;
  }
  return null;
}
