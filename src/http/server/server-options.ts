import type { Authenticate } from "../../accounts/tokens/authenticate.ts";
import type { Throttle } from "../../accounts/tokens/throttle.ts";
import type { CallerScope } from "../../platform/kernel/caller.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { Loader } from "../jsonapi/compose-document.ts";

export type ServerOptions = {
  /** Public URL of the service; links start with it, never with the Host header. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly authenticate: Authenticate;
  readonly throttle: Throttle;
  /** Learns who makes each request, and when the client is gone. */
  readonly callers?: CallerScope;
  /** Throws `Unavailable` while this process must not serve requests that read or write data. */
  readonly assertServing?: () => void;
  /** Requests that the service itself sends, for the `webhooks` of the OpenAPI description. */
  readonly webhooks?: JsonObject;
  /** Loaders of related resources for `include`, one per type. */
  readonly loaders: readonly Loader[];
  /** False accepts media type parameters that JSON:API forbids. Default true. */
  readonly strictMediaTypes?: boolean;
  /** Reverse proxies whose `X-Forwarded-For` is trusted. Default none. */
  readonly trustedProxies?: number;
  /** Origins whose pages may call the API. Default none. */
  readonly corsOrigins?: readonly string[];
  /** Receives every response, for metrics. `route` is the pattern, never the concrete path. */
  readonly observe?: (answer: ObservedAnswer) => void;
};

export type ObservedAnswer = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
};
