import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createOutageLog } from "../../http/server/outage-log.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { ReadinessContext } from "../../reports/operations/check-readiness.ts";
import type { Teardown } from "../processes/teardown.ts";
import type { Metrics } from "./metrics.ts";
import { operationsRoutes, queryOf } from "./operations-routes.ts";

/**
 * Serves a worker's health, readiness and metrics, because a worker has no API. Resolves with the port once it listens. An outage
 * of the database is logged as the API's server logs it: once, however often monitoring asks.
 */
export async function serveOperations(
  context: ReadinessContext & { readonly logger: Logger },
  metrics: Metrics,
  listen: { readonly host: string; readonly port: number },
  teardown: Teardown,
): Promise<number> {
  const routes = new Map(
    operationsRoutes(context, metrics).map((route) => [route.path, route] as const),
  );
  const outages = createOutageLog(context);
  const server = createServer((request, response) => {
    const route = routes.get(pathOf(request.url ?? ""));
    if (route === undefined || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(route === undefined ? 404 : 405).end();
      return;
    }
    void Promise.resolve(route.answer(queryOf(request.url ?? ""))).then(
      ({ status, contentType, body }) => {
        outages.succeeded(route.path);
        response.writeHead(status, { "content-type": contentType }).end(body);
      },
      (error: unknown) => {
        const line = { route: route.path, error: errorMessage(error) };
        const isOutage = error instanceof Unavailable;
        if (isOutage) outages.failed(route.path, error, line);
        else context.logger.error("request failed", line);
        response.writeHead(isOutage ? 503 : 500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen.port, listen.host, resolve);
  });
  teardown.add(
    "operations server",
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** The raw request target: an unknown path need not be a URL. */
function pathOf(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
