import { queryOptions } from "@tanstack/react-query";
import { SluiceError, SluiceUnreachable } from "../../../../../client/src/sluice-error.ts";
import { session } from "../../api/api.ts";

/* Only a sandbox serves the simulator's routes, so the OpenAPI description and the typed client leave them out. */

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

/** Pays a deposit as the story says. `amount` is a decimal, or empty for the amount that fits the story. */
export function playPayment(
  depositId: string,
  story: Story,
  amount: string,
): Promise<SimulatorAction> {
  return request<SimulatorAction>("POST", "payment", {
    type: "simulator-payment",
    attributes: { story, amount },
    relationships: { deposit: { data: { type: "deposit", id: depositId } } },
  });
}

export function mineBlocks(chain: string, count: number): Promise<SimulatorAction> {
  return request<SimulatorAction>("POST", "block", {
    type: "simulator-block",
    attributes: { chain, count },
  });
}

export function reorgChain(
  chain: string,
  depth: number,
  transactions: string,
): Promise<SimulatorAction> {
  return request<SimulatorAction>("POST", "reorg", {
    type: "simulator-reorg",
    attributes: { chain, depth, transactions },
  });
}

export function setReceiver(answer: ReceiverAnswer): Promise<SimulatorReceiver> {
  return request<SimulatorReceiver>("POST", "receiver", {
    type: "simulator-receiver",
    attributes: { answer },
  });
}

function readReceiver(signal: AbortSignal): Promise<SimulatorReceiver> {
  return request<SimulatorReceiver>("GET", "receiver", null, signal);
}

export const receiverQuery = queryOptions({
  queryKey: ["simulator", "receiver"],
  queryFn: ({ signal }) => readReceiver(signal),
});

/** The simulator's latest actions, newest first. */
export function readActions(signal: AbortSignal): Promise<readonly SimulatorAction[]> {
  return request<readonly SimulatorAction[]>("GET", "action", null, signal);
}

/** The latest callbacks that the test endpoint received, newest first. */
export function readDeliveries(signal: AbortSignal): Promise<readonly SimulatorDelivery[]> {
  return request<readonly SimulatorDelivery[]>("GET", "delivery", null, signal);
}

async function request<Data>(
  method: "GET" | "POST",
  path: string,
  data: object | null,
  signal?: AbortSignal,
): Promise<Data> {
  const token = await session.getToken();
  const response = await fetch(
    `/simulator/${path}/${method === "GET" && path !== "receiver" ? "?page[size]=50" : ""}`,
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
  const document = (await response.json()) as { readonly data: Data } & Pick<SluiceError, "errors">;
  if (response.ok) return document.data;
  throw new SluiceError({
    status: response.status,
    errors: document.errors,
    meta: {},
    requestId: response.headers.get("x-request-id"),
    retryAfterMs: null,
  });
}
