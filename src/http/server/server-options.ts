import type { Authenticate } from "../../accounts/tokens/authenticate.ts";
import type { Throttle } from "../../accounts/tokens/throttle.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import type { Random } from "../../platform/kernel/random.ts";
import type { Loader } from "../jsonapi/compose-document.ts";

export type ServerOptions = {
  /** Absolute URL under which callers reach the service; links are built from it, never from the Host header. */
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly authenticate: Authenticate;
  readonly throttle: Throttle;
  /** Throws `Unavailable` while this process must not serve requests that read or write data. */
  readonly assertServing?: () => void;
  /** What the service sends by itself, for the OpenAPI description: its `webhooks`. */
  readonly webhooks?: JsonObject;
  /** Related resources that `include` can bring, one loader per type. */
  readonly loaders: readonly Loader[];
  /** False: media type parameters that JSON:API forbids are let through. Default true. */
  readonly strictMediaTypes?: boolean;
  /** Reverse proxies in front whose `X-Forwarded-For` is believed. Default none. */
  readonly trustedProxies?: number;
  /** Origins whose browsers may call the API. Default none. */
  readonly corsOrigins?: readonly string[];
  /** Told of every answer, for metrics. `route` is the pattern, never the concrete path. */
  readonly observe?: (answer: ObservedAnswer) => void;
};

export type ObservedAnswer = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
};
