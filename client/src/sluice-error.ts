/** One entry of an error document. */
export type ErrorEntry = {
  readonly status: string;
  /** Application code or a stable name, see `docs/errors.md`. */
  readonly code: string;
  /** Constant per code. */
  readonly title: string;
  /** Explanation for people; may change. */
  readonly detail: string;
  readonly source?: {
    /** JSON pointer into the request document. */
    readonly pointer?: string;
    /** Query parameter. */
    readonly parameter?: string;
    /** Request header. */
    readonly header?: string;
  };
  readonly id: string;
  readonly meta?: Readonly<Record<string, unknown>>;
};

export type ErrorResponse = {
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs: number | null;
};

/** The service rejected the request. Handle it by `status` and `code`; `errors` contains every error. */
export class SluiceError extends Error {
  override readonly name = "SluiceError";
  readonly status: number;
  /** Code of the first error; `http` if the response was not an error document, such as a proxy's page. */
  readonly code: string;
  /** Explanation of the first error for people. */
  readonly detail: string;
  /** Location of the first error in the request document, such as `/data/attributes/amount`. */
  readonly pointer: string | null;
  readonly errors: readonly ErrorEntry[];
  /** Metadata of the document, such as `payout_id` for a used key. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Include it in support requests. */
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor({ status, errors, meta, requestId, retryAfterMs }: ErrorResponse) {
    const [first] = errors;
    super(
      first === undefined
        ? `HTTP ${status} without an error document`
        : `${first.status}/${first.code} ${first.title}: ${first.detail}`,
    );
    this.status = status;
    this.code = first?.code ?? "http";
    this.detail = first?.detail ?? "";
    this.pointer = first?.source?.pointer ?? null;
    this.errors = errors;
    this.meta = meta;
    this.requestId = requestId ?? first?.id ?? null;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * No response: the network failed or the request timed out. The request may have been executed. `cause` is the error that `fetch`
 * threw.
 */
export class SluiceUnreachable extends Error {
  override readonly name = "SluiceUnreachable";
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly isTimeout: boolean }) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout;
  }
}
