import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** The node answered with an error of its own; asking again would give the same. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** What some nodes add, such as the revert data of a call. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * The answer exceeds our limit. The node is healthy and would answer the same again: callers ask for less where they can,
 * otherwise it is an outage.
 */
export class AnswerTooLarge extends Unavailable {
  constructor(bytesMax: number) {
    super("node", `answered with more than ${bytesMax} bytes`);
  }
}
