import type { RetrySettings } from "./decide-retry.ts";
import type { Fetch, FetchInit } from "./exchange.ts";

/** Where the service is, and who asks. */
export type ClientSettings = {
  /** `https://pay.example.com`. An empty text is the origin of the page that runs the client. */
  readonly baseUrl: string;
} & (
  | {
      /** An API credential: the client logs in by itself and renews its tokens. */
      readonly login: string;
      readonly password: string;
    }
  | {
      /**
       * An access token that holds, or null: requests carry none (a cookie says who asks). `rejected` is the token that the
       * service has just refused with 401: answer another one, or null to have the refusal thrown.
       */
      readonly getAccessToken: (rejected: string | null) => Promise<string | null>;
    }
);

export type ClientOptions = Partial<RetrySettings> & {
  /** For each attempt; default 30 000. */
  readonly timeoutMs?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the runtime's. */
  readonly fetch?: Fetch;
  /** What `fetch` is told beside the request: `{ credentials: "same-origin" }`. */
  readonly fetchInit?: FetchInit;
};

export const defaultRetries: RetrySettings = {
  retries: 4,
  delayMs: 250,
  delayMaxMs: 8_000,
  retryAfterMaxMs: 60_000,
};
