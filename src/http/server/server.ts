import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { Rejected, reject } from "../../platform/kernel/rejection.ts";
import { allowedMethods, describeOptions } from "../docs/describe-options.ts";
import { serviceRoutes } from "../docs/docs.ts";
import { openApi } from "../docs/openapi.ts";
import { canonicalUrl, fastifyPath, pathAt } from "../jsonapi/paths.ts";
import { type AnswerSetting, answerCall, queryVocabulary } from "./answer-call.ts";
import {
  ignoreBody,
  negotiate,
  refuseEncodedBody,
  requireAcceptable,
  requireCaller,
  requireHttpHead,
  throttle,
} from "./guard-request.ts";
import { createOutageLog } from "./outage-log.ts";
import type { PlainAnswer, PlainRoute } from "./plain-route.ts";
import type { RequestContext } from "./request-context.ts";
import { createRetryDelays } from "./retry-delays.ts";
import type { ApiRoute, Call, Route } from "./route.ts";
import { answerError, refuseBrokenConnection, routeOf, send } from "./send-answer.ts";
import { sendStream } from "./send-stream.ts";
import type { ServerOptions } from "./server-options.ts";
import { traceRequests } from "./trace-requests.ts";

export type Server = FastifyInstance;

const probes: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics", "/ping"]);
const bodyBytesMax = 64 * 1024;
const noBody = new Uint8Array();
const securityHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  vary: "Accept",
} as const;

/**
 * The HTTP server with these routes and its own (`/ping`, `/openapi.json`, `/docs`), not yet listening. `close()` lets running
 * requests finish and accepts no new ones.
 */
export function createServer(options: ServerOptions, featureRoutes: readonly Route[]): Server {
  const app = bareServer(options);
  const setting = answerSetting(options, featureRoutes);
  const routes: readonly Route[] = [
    ...featureRoutes,
    ...serviceRoutes(() =>
      openApi(routes, setting.loaders, setting.baseUrl, options.webhooks ?? null),
    ),
  ];
  const groups = Map.groupBy(routes, (route) => route.path);
  refuseUnserved(app, groups);
  for (const [path, group] of groups) {
    const url = fastifyPath(path);
    for (const route of group)
      if (route.kind === "api") addApiRoute(app, url, route, setting, options);
      else addPlainRoute(app, url, route, options);
    addOptions(app, url, group, options);
    refuseOtherMethods(app, url, allowedMethods(group));
  }
  return app;
}

/** No route has a schema. Without this, Fastify loads the two compilers of schemas, which take 4 MB. */
function noSchemas(): never {
  throw new InvariantViolation("routes have no schemas of Fastify");
}

function bareServer(options: ServerOptions): Server {
  const outages = { retryDelays: createRetryDelays(options), log: createOutageLog(options) };
  const app: Server = Fastify({
    bodyLimit: bodyBytesMax,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // requireHttpHead checks this instead, because Node's own response has no body.
    http: { requireHostHeader: false },
    trustProxy: (_address, hop) => hop < (options.trustedProxies ?? 0),
    genReqId: () => options.random.uuid(),
    routerOptions: { maxParamLength: 256 },
    rewriteUrl: (request) => canonicalUrl(request.url ?? "/"),
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    clientErrorHandler: (error, socket) => {
      refuseBrokenConnection(error, socket, options.random.uuid());
    },
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply, options);
      answerError(error, request, reply, options, outages);
    },
  });
  app.decorateRequest("principal", null);
  // Every body arrives as bytes: guard-request.ts decides before it is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
  // Node answers expectations other than 100-continue without a body; requireHttpHead refuses them.
  app.server.on("checkExpectation", (request, response) => {
    app.routing(request, response);
  });
  app.addHook("onRequest", (request, reply, done) => {
    setHeaders(request, reply, options);
    requireHttpHead(request);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (reply.statusCode < 400)
      for (const told of Object.values(outages)) told.succeeded(routeOf(request));
    observe(request, reply, options);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    answerError(error, request, reply, options, outages);
  });
  app.setNotFoundHandler(() => reject("notFound", "No such path."));
  return app;
}

function answerSetting(options: ServerOptions, routes: readonly Route[]): AnswerSetting {
  const loaders = new Map(options.loaders.map((loader) => [loader.resource.type, loader]));
  const readers = readersByPath(routes);
  const types = routes.flatMap((route) => (route.kind === "api" ? [route.resource.type] : []));
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    loaders,
    vocabulary: queryVocabulary(new Set([...types, ...loaders.keys()]), loaders),
    readerOf: (path) => readers.get(path) ?? null,
  };
}

/** The routes that read one resource, by path. */
function readersByPath(routes: readonly Route[]) {
  return new Map(
    routes.flatMap((route) => {
      if (route.kind !== "api" || route.method !== "GET" || route.handle.answers !== "one")
        return [];
      const { run } = route.handle;
      return [[route.path, (call: Call) => run(call, {}, new Set())] as const];
    }),
  );
}

function addApiRoute(
  app: Server,
  url: string,
  route: ApiRoute,
  setting: AnswerSetting,
  options: ServerOptions,
): void {
  const taken = new WeakMap<object, () => void>();
  app.route({
    method: route.method,
    url,
    onRequest: async (request, reply) => {
      negotiate(request, route, options.strictMediaTypes ?? true);
      options.assertServing?.();
      if (!route.isPublic) await requireCaller(request, reply, options);
      taken.set(request, await throttle(request, reply, route.throttle, options));
      route.beforeBody?.(contextOf(request, options));
    },
    handler: traceRequests(route.path, async (request, reply) => {
      const call = { context: contextOf(request, options), principal: request.principal };
      const answer = await onBehalfOf(request, reply, route, options, () =>
        answerCall(route, call, request.url, bodyOf(request), setting),
      );
      // Programs that log in for each request are not guessing passwords: only failed logins count.
      if (route.provesSecret && answer.status < 400) taken.get(request)?.();
      reply.headers(answer.headers);
      return answer.body === null
        ? reply.code(answer.status).send()
        : send(reply, answer.status, answer.body);
    }),
  });
}

/**
 * Runs the work of a read for its account, until the client closes the connection. What changes something is never interrupted. Lists,
 * which reports and statistics are as well, may come from a replica.
 */
function onBehalfOf<Result>(
  { method, principal }: FastifyRequest,
  { raw }: FastifyReply,
  { handle }: ApiRoute,
  { callers }: ServerOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  if (callers === undefined || method !== "GET" || principal === null) return work();
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort();
  });
  const mayLag = handle.answers === "page";
  return callers.run({ key: principal.accountId, signal: gone.signal, mayLag }, work);
}

function addPlainRoute(app: Server, url: string, route: PlainRoute, options: ServerOptions): void {
  app.route({
    method: route.method,
    url,
    onRequest: async (request, reply) => {
      if (route.method === "POST") refuseEncodedBody(request);
      // Routes without a budget serve files, descriptions and the process's own health.
      if (route.throttle !== undefined) options.assertServing?.();
      try {
        await throttle(request, reply, route.throttle ?? "none", options);
      } catch (error) {
        if (!(error instanceof Rejected) || route.throttledPage === undefined) throw error;
        if (request.headers.accept?.includes("text/html") !== true) throw error;
        return sendPlain(reply, route.throttledPage(Number(reply.getHeader("retry-after"))));
      }
    },
    handler: async (request, reply) => {
      const context = contextOf(request, options);
      const answer = await route.handle({ ...context, url: request.url, body: bodyOf(request) });
      return "stream" in answer ? sendStream(request, reply, answer) : sendPlain(reply, answer);
    },
  });
}

function sendPlain(reply: FastifyReply, answer: PlainAnswer): FastifyReply {
  return reply
    .code(answer.status)
    .header("content-type", answer.contentType)
    .headers(answer.headers ?? {})
    .send(Buffer.from(answer.body));
}

/**
 * A preflight is answered to everyone, the interface's metadata to those who may use the path. A path outside JSON:API has no
 * metadata and lists only its methods. Bodies are ignored.
 */
function addOptions(
  app: Server,
  url: string,
  routes: readonly Route[],
  options: ServerOptions,
): void {
  const allowed = allowedMethods(routes);
  const described = routes.filter((route) => route.kind === "api");
  app.route({
    method: "OPTIONS",
    url,
    onRequest: async (request, reply) => {
      ignoreBody(request);
      if (isPreflight(request) || described.length === 0) return;
      requireAcceptable(request, options.strictMediaTypes ?? true);
      if (described.some((route) => !route.isPublic)) await requireCaller(request, reply, options);
      await throttle(request, reply, "read", options);
    },
    handler: async (request, reply) => {
      if (!isPreflight(request)) {
        reply.header("allow", allowed.join(", "));
        if (described.length === 0) return reply.code(204).send();
        return send(reply, 200, await describeOptions(described, allowed));
      }
      return reply
        .headers({
          "access-control-allow-methods": allowed.join(", "),
          "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key",
          "access-control-max-age": "600",
        })
        .code(204)
        .send();
    },
  });
}

function isPreflight(request: FastifyRequest): boolean {
  return request.headers["access-control-request-method"] !== undefined;
}

/** A route of its own, so that `GET /payout/calculate/` is not read as `GET /payout/{id}/`. */
function refuseOtherMethods(app: Server, url: string, allowed: readonly string[]): void {
  app.route({
    method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter(
      (method) => !allowed.includes(method),
    ),
    url,
    exposeHeadRoute: false,
    onRequest: (request, reply) => refuseMethod(request, reply, allowed),
    handler: () => null,
  });
}

/** Requests that no route takes, before their body is read: 405 for methods that Fastify has no routes for, else 404. */
function refuseUnserved(app: Server, groups: ReadonlyMap<string, readonly Route[]>): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = pathAt([...groups.keys()], request.url);
    if (path === null) reject("notFound", "No such path.");
    refuseMethod(request, reply, allowedMethods(groups.get(path) ?? []));
  });
}

function refuseMethod(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): never {
  reply.header("allow", allowed.join(", "));
  return reject("methodNotAllowed", `${request.method} is not supported here.`);
}

function setHeaders(request: FastifyRequest, reply: FastifyReply, options: ServerOptions): void {
  reply.headers(securityHeaders).header("x-request-id", request.id);
  if (options.baseUrl.startsWith("https:"))
    reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
  const { origin } = request.headers;
  if (origin !== undefined && options.corsOrigins?.includes(origin) === true)
    reply.header("access-control-allow-origin", origin).header("vary", "Accept, Origin");
}

function contextOf(request: FastifyRequest, options: ServerOptions): RequestContext {
  return {
    requestId: request.id,
    logger: options.logger.with({ requestId: request.id }),
    ip: request.ip,
    params: request.params as Record<string, string>,
    header: (name) => {
      const value = request.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    },
  };
}

function bodyOf(request: FastifyRequest): Uint8Array {
  return request.body instanceof Uint8Array ? request.body : noBody;
}

function observe(request: FastifyRequest, reply: FastifyReply, options: ServerOptions): void {
  const answer = {
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1000,
  };
  options.observe?.(answer);
  // A load balancer asks every second or two.
  const level = probes.has(answer.route) && answer.status < 400 ? "debug" : "info";
  options.logger[level]("answered", { requestId: request.id, ...answer });
}
