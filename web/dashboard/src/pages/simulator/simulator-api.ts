import { queryOptions } from "@tanstack/react-query";
import { SluiceError, SluiceUnreachable } from "../../../../../client/src/sluice-error.ts";
import { session } from "../../api/api.ts";

/*
 * The simulator's routes: only a sandbox serves them, so they are not in the description that the client is made from.
 */

export type Story = "exact" | "under" | "over" | "late" | "second" | "wrong_token";
export type ReceiverAnswer = "ok" | "error" | "slow" | "closed";

export type SimulatorAction = {
  readonly id: string;
  readonly attributes: {
    readonly kind: "payment" | "block" | "reorg";
    readonly story: Story | null;
    readonly chain: string;
    readonly currency: string | null;
    readonly amount: string | null;
    readonly txid: string | null;
    readonly height: number;
    readonly text: string;
    readonly created_at: string;
  };
  readonly relationships: { readonly deposit: { readonly data: { readonly id: string } | null } };
};

export type SimulatorReceiver = {
  readonly attributes: { readonly url: string; readonly answer: ReceiverAnswer };
};

export type SimulatorDelivery = {
  readonly id: string;
  readonly attributes: {
    readonly answer: ReceiverAnswer;
    readonly webhook_id: string | null;
    readonly is_genuine: boolean;
    readonly fault: string | null;
    readonly object_type: string | null;
    readonly object_id: string | null;
    readonly body: string;
    readonly created_at: string;
  };
};

/** Pays a deposit as the story has it. */
export function playPayment(
  depositId: string,
  story: Story,
  amount: string,
): Promise<SimulatorAction> {
  return ask<SimulatorAction>("POST", "payment", {
    type: "simulator-payment",
    attributes: { story, amount },
    relationships: { deposit: { data: { type: "deposit", id: depositId } } },
  });
}

export function mineBlocks(chain: string, count: number): Promise<SimulatorAction> {
  return ask<SimulatorAction>("POST", "block", {
    type: "simulator-block",
    attributes: { chain, count },
  });
}

export function reorgChain(
  chain: string,
  depth: number,
  transactions: string,
): Promise<SimulatorAction> {
  return ask<SimulatorAction>("POST", "reorg", {
    type: "simulator-reorg",
    attributes: { chain, depth, transactions },
  });
}

export function setReceiver(answer: ReceiverAnswer): Promise<SimulatorReceiver> {
  return ask<SimulatorReceiver>("POST", "receiver", {
    type: "simulator-receiver",
    attributes: { answer },
  });
}

function readReceiver(signal: AbortSignal): Promise<SimulatorReceiver> {
  return ask<SimulatorReceiver>("GET", "receiver", null, signal);
}

export const receiverQuery = queryOptions({
  queryKey: ["simulator", "receiver"],
  queryFn: ({ signal }) => readReceiver(signal),
});

/** What was done, newest first. */
export function readActions(signal: AbortSignal): Promise<readonly SimulatorAction[]> {
  return ask<readonly SimulatorAction[]>("GET", "action", null, signal);
}

/** What the receiver got, newest first. */
export function readDeliveries(signal: AbortSignal): Promise<readonly SimulatorDelivery[]> {
  return ask<readonly SimulatorDelivery[]>("GET", "delivery", null, signal);
}

async function ask<Data>(
  method: "GET" | "POST",
  what: string,
  data: object | null,
  signal?: AbortSignal,
): Promise<Data> {
  const token = await session.ensure();
  const answer = await fetch(
    `/simulator/${what}/${method === "GET" && what !== "receiver" ? "?page[size]=50" : ""}`,
    {
      method,
      headers: {
        accept: "application/vnd.api+json",
        "content-type": "application/vnd.api+json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(data === null ? {} : { body: JSON.stringify({ data }) }),
      ...(signal === undefined ? {} : { signal }),
    },
  ).catch((error: unknown) => {
    throw new SluiceUnreachable("no answer", { cause: error, isTimeout: false });
  });
  const document = (await answer.json()) as { readonly data: Data } & Pick<SluiceError, "errors">;
  if (answer.ok) return document.data;
  throw new SluiceError({
    status: answer.status,
    errors: document.errors,
    meta: {},
    requestId: answer.headers.get("x-request-id"),
    retryAfterMs: null,
  });
}
