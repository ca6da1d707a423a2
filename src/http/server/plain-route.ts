import type { RejectionName } from "../../platform/kernel/rejection.ts";
import type { JsonSchema } from "../../platform/resources/json-schema.ts";
import type { RequestContext, ThrottleBudget } from "./request-context.ts";
import type { StreamAnswer } from "./stream-answer.ts";

/** A route outside JSON:API, such as `/ping`, `/metrics` or a page. It needs no authentication. */
export type PlainRoute = {
  readonly kind: "plain";
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  /** Omitted from the OpenAPI description. */
  readonly isHidden?: boolean;
  /** Its request and response in the OpenAPI description. */
  readonly described?: {
    readonly description: string;
    readonly tag: string;
    /** Schema of a request body of application/json. */
    readonly body?: JsonSchema;
    readonly contentType: string;
    readonly answer: JsonSchema;
    /** The rows of the error table that it may answer, besides an internal error. */
    readonly rows: readonly RejectionName[];
  };
  readonly throttle?: ThrottleBudget;
  /** What a browser shows for a throttled request, instead of the API's error document. */
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
