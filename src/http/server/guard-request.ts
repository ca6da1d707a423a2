import type { FastifyReply, FastifyRequest } from "fastify";
import type { Principal } from "../../accounts/principal.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { isAcceptable, isReadable, mediaType } from "./negotiate.ts";
import type { ThrottleBudget } from "./request-context.ts";
import type { ApiRoute } from "./route.ts";
import type { ServerOptions } from "./server-options.ts";

/** Everything that is decided by a request's head, before its body is read. */

declare module "fastify" {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Rejects with `parseError` an HTTP/1.1 request without a Host (RFC 9112, section 3.2), and with `expectationFailed`. */
export function requireHttpHead(request: FastifyRequest): void {
  const { host, expect } = request.headers;
  if (host === undefined && request.raw.httpVersion === "1.1")
    reject("parseError", "An HTTP/1.1 request needs a Host header.", { header: "host" });
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    reject("expectationFailed", "The only supported expectation is 100-continue.", {
      header: "expect",
    });
}

/** Rejects with `notAcceptable`, and with `unsupportedMediaType` if the route would read the body. */
export function negotiate(request: FastifyRequest, route: ApiRoute, strict: boolean): void {
  requireAcceptable(request, strict);
  if (route.document === null) {
    ignoreBody(request);
    return;
  }
  refuseEncodedBody(request);
  const type = request.headers["content-type"];
  const hasBody =
    request.headers["transfer-encoding"] !== undefined ||
    Number(request.headers["content-length"] ?? 0) > 0;
  if ((type !== undefined || hasBody) && !isReadable(type, strict))
    reject("unsupportedMediaType", `Send ${mediaType} without media type parameters.`, {
      header: "content-type",
    });
}

/** Rejects compressed or otherwise encoded bodies with `unsupportedMediaType` (RFC 9110, section 15.5.16). */
export function refuseEncodedBody(request: FastifyRequest): void {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    reject("unsupportedMediaType", "Send the body without a Content-Encoding.", {
      header: "content-encoding",
    });
}

/** On routes that take no body, bodies of any type and length are ignored; without these headers nothing is read. */
export function ignoreBody(request: FastifyRequest): void {
  delete request.headers["content-type"];
  delete request.headers["content-length"];
  delete request.headers["transfer-encoding"];
}

/** Rejects with `notAcceptable` when the client accepts none of our media types. */
export function requireAcceptable(request: FastifyRequest, strict: boolean): void {
  if (!isAcceptable(request.headers.accept, strict))
    reject("notAcceptable", `Responses are ${mediaType}.`, { header: "accept" });
}

/** Sets `request.principal`. Rejects with `unauthenticated` or `addressNotAllowed`. */
async function authenticate(request: FastifyRequest, options: ServerOptions): Promise<void> {
  const authorization = request.headers.authorization ?? null;
  const onlyReads = request.method === "GET" || request.method === "HEAD";
  request.principal = await options.authenticate({ authorization, ip: request.ip, onlyReads });
}

/**
 * Sets `request.principal`, or rejects as `authenticate` does. A failure counts for the caller's address, so that nobody can have tokens
 * verified without a limit.
 */
export async function requireCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): Promise<void> {
  try {
    await authenticate(request, options);
  } catch (error) {
    if (error instanceof Rejected) await throttle(request, reply, "read", options);
    throw error;
  }
}

/**
 * Counts the request and reports the remaining budget (draft-ietf-httpapi-ratelimit-headers). Returns a function that takes the
 * request off the count again. Rejects with `throttled`.
 */
export async function throttle(
  request: FastifyRequest,
  reply: FastifyReply,
  budget: ThrottleBudget,
  options: ServerOptions,
): Promise<() => void> {
  if (budget === "none") return () => undefined;
  const { principal, ip } = request;
  const decision = await options.throttle({ budget, principal, ip });
  reply.headers({
    "ratelimit-policy": `"${budget}";q=${decision.limit};w=${decision.windowSeconds}`,
    ratelimit: `"${budget}";r=${decision.remaining};t=${decision.resetSeconds}`,
  });
  if (decision.isAllowed) return decision.giveBack ?? (() => undefined);
  const seconds = decision.resetSeconds;
  reply.header("retry-after", String(seconds));
  reject("throttled", `Request was throttled. Expected available in ${seconds} seconds.`);
}
