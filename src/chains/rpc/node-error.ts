import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** The node answered with an error of its own; repeating the request would return the same. */
export class NodeError extends Error {
  override readonly name: string = "NodeError";
}

/** A JSON-RPC error. */
export class RpcError extends NodeError {
  override readonly name = "RpcError";
  readonly code: number;
  /** Data that some nodes add, such as the revert data of a call. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A node gave no usable answer. `timeout`: it accepted the request and stayed silent. */
export class NodeFault extends Error {
  override readonly name = "NodeFault";
  readonly kind: "transport" | "timeout" | "busy" | "denied" | "garbage";

  constructor(kind: NodeFault["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/**
 * The answer exceeds our limit. The node is healthy and would return the same again: callers request less where they can,
 * otherwise it is an outage.
 */
export class AnswerTooLarge extends Unavailable {
  constructor(bytesMax: number) {
    super("node", `answered with more than ${bytesMax} bytes`);
  }
}

/** Every node that was asked accepted the request and stayed silent until the time limit. */
export class NoAnswerInTime extends Unavailable {}
