import type { RetrySettings } from "./decide-retry.ts";
import type { Fetch, FetchInit } from "./exchange.ts";

/** Address of the service and authentication. */
export type ClientSettings = {
  /** Such as `https://pay.example.com`. An empty string means the origin of the page that runs the client. */
  readonly baseUrl: string;
} & (
  | {
      /** API credential: the client logs in and renews its tokens automatically. */
      readonly login: string;
      readonly password: string;
    }
  | {
      /**
       * Returns a valid access token, or null for requests without one (authenticated by a cookie). `rejected` is a token that the
       * service just rejected with 401: return another one, or null to throw the error. `former` is the one with which the same request
       * was sent before; null at its first attempt. Throw if the next token would be of another user.
       */
      readonly getAccessToken: (
        rejected: string | null,
        former: string | null,
      ) => Promise<string | null>;
    }
);

export type ClientOptions = Partial<RetrySettings> & {
  /** Timeout of each attempt, default 30 000. */
  readonly timeoutMs?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: Fetch;
  /** Additional options for `fetch`, such as `{ credentials: "same-origin" }`. */
  readonly fetchInit?: FetchInit;
};

export const defaultRetries: RetrySettings = {
  retries: 4,
  delayMs: 250,
  delayMaxMs: 8_000,
  retryAfterMaxMs: 60_000,
};
