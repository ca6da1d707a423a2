import { Unavailable } from "../../platform/kernel/unavailable.ts";

/** The node understood the question and answered with an error of its own: asking again would answer the same. */
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
 * The answer was larger than we take. The node is well and asking again would answer the same: whoever can asks for less,
 * for all others it is an outage.
 */
export class AnswerTooLarge extends Unavailable {
  constructor(bytesMax: number) {
    super("node", `answered with more than ${bytesMax} bytes`);
  }
}
