import type { FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../accounts/principal.ts";
import { reject } from "../kernel/rejection.ts";
import { isAcceptable, isReadable, mediaType } from "./negotiate.ts";
import type { ThrottleBudget } from "./request-context.ts";
import type { ApiRoute } from "./route.ts";
import type { ServerOptions } from "./server-options.ts";

/** Everything that is refused by a request's head, before its body is read. */

declare module "fastify" {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Rejects with `notAcceptable`, and with `unsupportedMediaType` a body that the route would have to read. */
export function negotiate(request: FastifyRequest, route: ApiRoute, strict: boolean): void {
  requireAcceptable(request, strict);
  if (route.document === null) {
    ignoreBody(request);
    return;
  }
  const type = request.headers["content-type"];
  const hasBody =
    request.headers["transfer-encoding"] !== undefined ||
    Number(request.headers["content-length"] ?? 0) > 0;
  if ((type !== undefined || hasBody) && !isReadable(type, strict))
    reject("unsupportedMediaType", `Send ${mediaType} without media type parameters.`, {
      header: "content-type",
    });
}

/** A body that nobody reads may be of any type, also of one that is none, and of any length: without these nothing is read. */
export function ignoreBody(request: FastifyRequest): void {
  delete request.headers["content-type"];
  delete request.headers["content-length"];
  delete request.headers["transfer-encoding"];
}

/** Rejects with `notAcceptable` a request that takes no answer of ours. */
export function requireAcceptable(request: FastifyRequest, strict: boolean): void {
  if (!isAcceptable(request.headers.accept, strict))
    reject("notAcceptable", `Answers are ${mediaType}.`, { header: "accept" });
}

/** Sets `request.principal`. Rejects with `unauthenticated` or `addressNotAllowed`. */
export async function authenticate(request: FastifyRequest, options: ServerOptions): Promise<void> {
  const authorization = request.headers.authorization ?? null;
  request.principal = await options.authenticate({ authorization, ip: request.ip });
}

/** Counts the request and says what is left: draft-ietf-httpapi-ratelimit-headers. Rejects with `throttled`. */
export async function throttle(
  request: FastifyRequest,
  reply: FastifyReply,
  budget: ThrottleBudget,
  options: ServerOptions,
): Promise<void> {
  if (budget === "none") return;
  const { principal, ip } = request;
  const decision = await options.throttle({ budget, principal, ip });
  reply.headers({
    "ratelimit-policy": `"${budget}";q=${decision.limit};w=${decision.windowSeconds}`,
    ratelimit: `"${budget}";r=${decision.remaining};t=${decision.resetSeconds}`,
  });
  if (decision.isAllowed) return;
  const seconds = decision.resetSeconds;
  reply.header("retry-after", String(seconds));
  reject("throttled", `Request was throttled. Expected available in ${seconds} seconds.`);
}
