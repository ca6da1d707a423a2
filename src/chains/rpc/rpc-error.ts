import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** The node returned an error of its own; repeating the call would return the same. */
export class RpcError extends Error {
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

/**
 * The answer exceeds our limit. The node is healthy and would return the same again: callers request less where they can,
 * otherwise it is an outage.
 */
export class AnswerTooLarge extends Unavailable {
  constructor(bytesMax: number) {
    super("node", `answered with more than ${bytesMax} bytes`);
  }
}
