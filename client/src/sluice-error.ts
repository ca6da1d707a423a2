/** One entry of an error document. */
export type ErrorEntry = {
  readonly status: string;
  /** Application code, or a stable word: `docs/errors.md` lists them. */
  readonly code: string;
  /** Constant per code. */
  readonly title: string;
  /** For people; may change. */
  readonly detail: string;
  readonly source?: {
    /** JSON pointer into the document that was sent. */
    readonly pointer?: string;
    /** Query parameter. */
    readonly parameter?: string;
    /** Request header. */
    readonly header?: string;
  };
  readonly id: string;
  readonly meta?: Readonly<Record<string, unknown>>;
};

export type Refusal = {
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** `Retry-After` in milliseconds. */
  readonly retryAfterMs: number | null;
};

/** The service answered, and refused. Decide by `status` and `code`; `errors` has every fault that was found. */
export class SluiceError extends Error {
  override readonly name = "SluiceError";
  readonly status: number;
  /** Code of the first error; `http` where the answer was no error document (a proxy's page). */
  readonly code: string;
  /** What is wrong and what would be right, for people. */
  readonly detail: string;
  /** Where the first fault lies in the document that was sent: `/data/attributes/amount`. */
  readonly pointer: string | null;
  readonly errors: readonly ErrorEntry[];
  /** Of the whole document, `payout_id` of a used key among it. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Name it when asking for support. */
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor({ status, errors, meta, requestId, retryAfterMs }: Refusal) {
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
 * No answer came: the network failed or the time ran out. What was asked may have happened all the same. `cause` is what
 * `fetch` threw.
 */
export class SluiceUnreachable extends Error {
  override readonly name = "SluiceUnreachable";
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly isTimeout: boolean }) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout;
  }
}
