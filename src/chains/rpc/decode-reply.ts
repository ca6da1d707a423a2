import { NodeFault } from "./node-error.ts";

export type RpcCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  /** See `CallOptions`; not part of the request. */
  readonly accept?: (result: unknown) => void;
};

/** A node's answer to one call. */
export type RpcAnswer =
  | { readonly result: unknown }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

/** Parses the reply to the call numbered `id`; throws `NodeFault` for a reply to anything else. */
export function decodeReply(reply: unknown, id: number): RpcAnswer {
  const answer = isObject(reply) ? decodeOne(reply) : null;
  if (answer === null || !isObject(reply)) throw new NodeFault("garbage", "answered no JSON-RPC");
  // A node that could not read the request returns an error without an id.
  const isNameless = "error" in answer && (reply["id"] === null || reply["id"] === undefined);
  if (!isNameless && !isId(reply["id"], id))
    throw new NodeFault("garbage", "answered a question that was not asked");
  return answer;
}

/**
 * Parses the reply to the `count` calls numbered from `firstId`, as pairs of position and answer, in any order; some may be
 * missing, none may repeat. Throws `NodeFault` for anything but a batch of answers to these calls.
 */
export function decodeReplies(
  reply: unknown,
  firstId: number,
  count: number,
): ReadonlyMap<number, RpcAnswer> {
  if (!Array.isArray(reply)) {
    const refusal = isObject(reply) ? decodeOne(reply) : null;
    const reason = refusal !== null && "error" in refusal ? `: ${refusal.error.message}` : "";
    throw new NodeFault("garbage", `answered no batch${reason}`);
  }
  const answers = new Map<number, RpcAnswer>();
  for (const item of reply) {
    const answer = isObject(item) ? decodeOne(item) : null;
    if (answer === null || !isObject(item))
      throw new NodeFault("garbage", "answered no JSON-RPC inside a batch");
    const position = Number(item["id"]) - firstId;
    if (!Number.isInteger(position) || position < 0 || position >= count || answers.has(position))
      throw new NodeFault("garbage", "answered a question that was not asked");
    answers.set(position, answer);
  }
  return answers;
}

/** JSON-RPC 1.0 sends both members, one of them null; 2.0 sends one. */
function decodeOne(reply: Readonly<Record<string, unknown>>): RpcAnswer | null {
  const error = reply["error"];
  if (error === undefined || error === null)
    return "result" in reply ? { result: reply["result"] } : null;
  if (!isObject(error)) return null;
  const { code, message, data } = error;
  return {
    error: {
      code: typeof code === "number" ? code : 0,
      message: typeof message === "string" ? message : "error without a message",
      ...(data === undefined ? {} : { data }),
    },
  };
}

function isId(value: unknown, id: number): boolean {
  return value === id || value === String(id);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
