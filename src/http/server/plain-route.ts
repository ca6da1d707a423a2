import type { RejectionName } from "../../platform/kernel/rejection.ts";
import type { JsonSchema } from "../../platform/resources/json-schema.ts";
import type { RequestContext, ThrottleBudget } from "./request-context.ts";
import type { StreamAnswer } from "./stream-answer.ts";

/** A route outside JSON:API: `/ping`, `/metrics`, a page. It is answered as it says, without authentication. */
export type PlainRoute = {
  readonly kind: "plain";
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  /** Left out of the OpenAPI description. */
  readonly isHidden?: boolean;
  /** What the OpenAPI description says of its request and its answer. */
  readonly described?: {
    readonly description: string;
    readonly tag: string;
    /** Schema of a request body of application/json. */
    readonly body?: JsonSchema;
    readonly contentType: string;
    readonly answer: JsonSchema;
    /** The rows of the error table that it may answer, beside an internal error. */
    readonly rows: readonly RejectionName[];
  };
  readonly throttle?: ThrottleBudget;
  /** What a browser shows of a request too many, instead of the API's error document. */
  readonly throttledPage?: (retryAfterSeconds: number) => PlainAnswer;
  readonly handle: (
    request: PlainRequest,
  ) => Promise<PlainAnswer | StreamAnswer> | PlainAnswer | StreamAnswer;
};

export type PlainRequest = RequestContext & { readonly url: string; readonly body: Uint8Array };

export type PlainAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};
