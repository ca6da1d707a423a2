/** Errors of rippled's methods: their number and, without one of its own, their text (ErrorCodes.cpp). */
const errors = {
  actMalformed: [35, "Account malformed."],
  actNotFound: [19, "Account not found."],
  badSyntax: [1, "Syntax error."],
  invalidParams: [31, "Invalid parameters."],
  invalidTransaction: [0, ""],
  invalid_API_version: [6, "Invalid API version."],
  lgrNotFound: [21, "ledgerNotFound"],
  notSupported: [75, "Operation not supported."],
  txnNotFound: [29, "Transaction not found."],
  unknownCmd: [32, "Unknown method."],
} as const;

export type RpcErrorCode = keyof typeof errors;

/** A request that a node answers with an error. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: RpcErrorCode;

  constructor(code: RpcErrorCode, message: string = errors[code][1]) {
    super(message);
    this.code = code;
  }

  /** The members of the answer. */
  members(): Readonly<Record<string, string | number>> {
    return this.code === "invalidTransaction"
      ? { error: this.code, error_exception: this.message }
      : { error: this.code, error_code: errors[this.code][0], error_message: this.message };
  }
}
