import type { TonNetworkKind } from "../../currencies/ton-address.ts";
import { returnsMoney } from "./activity.ts";
import { createDeliverySearch, type DeliverySearch, isDelivery } from "./delivery-search.ts";
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
  const context = { network, search: createDeliverySearch(network) };
  return {
    of: async (ask, message) => {
      if (message === null) return "returned";
      const known = settled.get(message.hash);
      if (known !== undefined) return known;
      const outcome = await follow(ask, context, message);
      if (outcome !== "unsettled") {
        if (settled.size >= rememberedMax) settled.clear();
        settled.set(message.hash, outcome);
      }
      return outcome;
    },
  };
}

type Context = { readonly network: TonNetworkKind; readonly search: DeliverySearch };

async function follow(
  ask: AskToncenter,
  context: Context,
  message: InternalMessage,
): Promise<Outcome> {
  const { network } = context;
  const isJetton = readBody(message.body, network).kind === "jettonTransfer";
  // What does not bounce is credited, whatever the receiver's contract does, or if there is none.
  if (!isJetton && !message.bounces) return "arrived";
  const delivered = await deliveryOf(ask, context, message);
  if (delivered === null) return "unsettled";
  if (!isJetton) return returnsMoney(delivered) ? "returned" : "arrived";
  if (delivered.isAborted) return "returned";
  const passed = delivered.sent.find(({ body }) => readBody(body, network).kind === "jettonMoves");
  if (passed === undefined) return "returned";
  const received = await deliveryOf(ask, context, passed);
  if (received === null) return "unsettled";
  return received.isAborted ? "returned" : "arrived";
}

/** A message that its receiver's history cannot show is searched when it is so old, in seconds: most are processed before that. */
const searchedAfterSeconds = 20;
/** The receiver's transactions that are read, one answer of a node: to search its blocks takes about ten. */
const readMax = 100;

/**
 * The transaction in which the receiver processed the message; null if it has not yet. It is in the receiver's history unless the account was
 * deleted since: that history is gone, or has begun again.
 */
async function deliveryOf(
  ask: AskToncenter,
  { network, search }: Context,
  message: InternalMessage,
): Promise<ExecutedTransaction | null> {
  const { createdAt, createdLt, to } = message;
  const { last, time } = await ask(accountState(to, null));
  let reached = last;
  let read = 0;
  // A message is processed after it was created.
  for await (const transaction of walkBack(ask, network, to, last, createdLt)) {
    if (isDelivery(transaction, message)) return transaction;
    reached = transaction.previous;
    read += 1;
    if (read === readMax) return await search(ask, message);
  }
  const reachesBack = reached.lt > 0n;
  return reachesBack || time < createdAt + searchedAfterSeconds ? null : await search(ask, message);
}
