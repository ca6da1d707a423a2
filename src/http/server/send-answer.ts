import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Rejected, type RejectionName, rejection } from "../../platform/kernel/rejection.ts";
import { errorAnswer } from "../jsonapi/error-document.ts";
import { serializeDocument } from "../jsonapi/serialize.ts";
import { mediaType } from "./negotiate.ts";
import type { OutageLog } from "./outage-log.ts";
import type { RetryDelays } from "./retry-delays.ts";
import type { ServerOptions } from "./server-options.ts";

/**
 * With our own serializer, because Fastify's adds a charset to the media type. Sent as text, which leaves in one packet with the
 * response's head; bytes would follow in a second one.
 */
export function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .header("content-type", mediaType)
    .serializer(serializeDocument)
    .send(body);
}

/** What the server remembers of requests that could not be served. */
export type Outages = { readonly retryDelays: RetryDelays; readonly log: OutageLog };

/** Answers whatever was thrown below a route. Failures that are not the caller's are logged and explained only there. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
  outages: Outages,
): void {
  const answer = errorAnswer(refusedByFramework(thrown) ?? thrown, request.id);
  if (answer.status >= 500) {
    const logged = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
    };
    // A paused chain is reported as such; it is not a failure of the service.
    if (answer.name === "feeUnavailable" && thrown instanceof Rejected)
      options.logger.warn("request refused", { ...logged, error: thrown.message });
    else if (answer.name === "serviceUnavailable")
      outages.log.failed(routeOf(request), thrown, { ...logged, error: describe(thrown) });
    else options.logger.error("request failed", { ...logged, error: describe(thrown) });
  }
  if (answer.name === "bodyTooLarge") discardBody(request, reply);
  if (answer.status === 401) reply.header("www-authenticate", 'Bearer realm="api"');
  // Fallback for limits other than the request budgets, which count over this time.
  if (answer.name === "throttled" && !reply.hasHeader("retry-after"))
    reply.header("retry-after", "900");
  // The worker that fills the pools checks them every second.
  if (answer.name === "addressUnavailable") reply.header("retry-after", "2");
  // Quotes are as fresh as blocks, and a pause can end at any time.
  if (answer.name === "feeUnavailable") reply.header("retry-after", "5");
  if (answer.name === "serviceUnavailable")
    reply.header("retry-after", String(outages.retryDelays.failed(routeOf(request))));
  void send(reply, answer.status, answer.body);
}

/** The method and the route pattern, never the concrete path. */
export function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? ""}`;
}

/**
 * Reads the rest of a body and drops it. Closing the connection while the client still sends would reset it, and the client would
 * see a broken pipe instead of the response. The server's requestTimeout bounds how long this takes.
 */
function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader("connection");
  request.raw.resume();
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** What Fastify itself refuses before our code runs. */
const refusals = new Map<unknown, readonly [RejectionName, string]>([
  ["FST_ERR_CTP_BODY_TOO_LARGE", ["bodyTooLarge", "The body must not exceed 64 KiB."]],
  ["FST_ERR_CTP_INVALID_MEDIA_TYPE", ["unsupportedMediaType", `Send ${mediaType}.`]],
  [
    "FST_ERR_CTP_INVALID_CONTENT_LENGTH",
    ["parseError", "The body's length differs from its headers."],
  ],
  ["FST_ERR_BAD_URL", ["notFound", "No such path."]],
  ["FST_ERR_MAX_PARAM_LENGTH", ["notFound", "No such path."]],
  ["ECONNRESET", ["parseError", "The body ended early."]],
]);

function refusedByFramework(thrown: unknown): Rejected | null {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : null;
  const [name, detail] = refusals.get(code) ?? [];
  return name === undefined || detail === undefined ? null : new Rejected(rejection(name, detail));
}

const brokenRequests = new Map<string, readonly [RejectionName, string]>([
  ["HPE_HEADER_OVERFLOW", ["headersTooLarge", "The request's headers are too large."]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["requestTimeout", "The request took too long to arrive."]],
]);
const malformed = ["parseError", "The request is not well-formed HTTP."] as const;

/** Answers a malformed HTTP request (or one with oversized headers, or one that came too slowly), then closes the connection. */
export function refuseBrokenConnection(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  requestId: string,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [row, detail] = brokenRequests.get(error.code ?? "") ?? malformed;
  const answer = errorAnswer(new Rejected(rejection(row, detail)), requestId);
  const body = JSON.stringify(answer.body);
  socket.end(
    `HTTP/1.1 ${answer.status} Refused\r\nContent-Type: ${mediaType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}
