import type { FastifyReply, FastifyRequest } from "fastify";
import { Rejected, type RejectionName, rejection } from "../../platform/kernel/rejection.ts";
import { errorAnswer } from "../jsonapi/error-document.ts";
import { mediaType } from "./negotiate.ts";
import type { RetryDelays } from "./retry-delays.ts";
import type { ServerOptions } from "./server-options.ts";

/**
 * With a serializer of ours, since Fastify's own adds a charset to the media type. As text, which leaves in one piece with
 * the head of the answer where bytes would follow it in a second one.
 */
export function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header("content-type", mediaType).serializer(JSON.stringify).send(body);
}

/** Answers whatever was thrown below a route. What is not the caller's fault is logged, and only there explained. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
  retryDelays: RetryDelays,
): void {
  const answer = errorAnswer(refusedByFramework(thrown) ?? thrown, request.id);
  if (answer.status >= 500) {
    const asked = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
    };
    // Whoever asks for a chain that is paused comes here: it is told to be so, and nothing of ours went wrong.
    if (answer.name === "feeUnavailable" && thrown instanceof Rejected)
      options.logger.warn("request refused", { ...asked, error: thrown.message });
    else options.logger.error("request failed", { ...asked, error: describe(thrown) });
  }
  if (answer.name === "bodyTooLarge") discardBody(request, reply);
  if (answer.status === 401) reply.header("www-authenticate", 'Bearer realm="api"');
  // Where nothing better is known: what counts otherwise than the request budgets does so for this long.
  if (answer.name === "throttled" && !reply.hasHeader("retry-after"))
    reply.header("retry-after", "900");
  // The worker that fills the pools looks at them every second.
  if (answer.name === "addressUnavailable") reply.header("retry-after", "2");
  if (answer.name === "serviceUnavailable")
    reply.header("retry-after", String(retryDelays.failed(routeOf(request))));
  void send(reply, answer.status, answer.body);
}

/** The method and the pattern of its address, never the concrete one. */
export function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? ""}`;
}

/**
 * Reads the rest of a body and drops it. A connection that is closed while its client still sends is reset, and the client sees
 * a broken pipe instead of the answer; the server's requestTimeout bounds how long this takes.
 */
function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader("connection");
  request.raw.resume();
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** What Fastify itself finds wrong with a request, before any of our code sees it. */
const refusals = new Map<unknown, readonly [RejectionName, string]>([
  ["FST_ERR_CTP_BODY_TOO_LARGE", ["bodyTooLarge", "A body has at most 64 KiB."]],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", ["unsupportedMediaType", `Send ${mediaType}.`]],
  [
    "FST_ERR_CTP_INVALID_CONTENT_LENGTH",
    ["parseError", "The body is not as long as its headers say."],
  ],
  ["FST_ERR_BAD_URL", ["notFound", "There is nothing at this address."]],
  ["FST_ERR_MAX_PARAM_LENGTH", ["notFound", "There is nothing at this address."]],
  ["ECONNRESET", ["parseError", "The body ended early."]],
]);

function refusedByFramework(thrown: unknown): Rejected | null {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
  const [name, detail] = refusals.get(code) ?? [];
  return name === undefined || detail === undefined ? null : new Rejected(rejection(name, detail));
}
