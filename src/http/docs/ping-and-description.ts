import type { JsonObject } from "../../platform/kernel/json.ts";
import type { PlainRoute } from "../server/plain-route.ts";
import { docsRoutes } from "./docs.ts";

/**
 * `/ping`, and the description of all other routes: `/openapi.json` for programs, `/docs` for people. Both are rendered once,
 * because a server's routes do not change.
 */
export function serviceRoutes(description: () => JsonObject): readonly PlainRoute[] {
  const forMachines = once(() => Buffer.from(JSON.stringify(description())));
  return [
    {
      kind: "plain",
      method: "GET",
      path: "/ping",
      summary: "Check that the service runs",
      handle: () => ({ status: 200, contentType: "text/plain; charset=utf-8", body: "pong" }),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/openapi.json",
      summary: "Get the OpenAPI 3.1 description",
      handle: () => ({
        status: 200,
        contentType: "application/json",
        body: forMachines(),
        headers: { "cache-control": "no-cache", "access-control-allow-origin": "*" },
      }),
    },
    ...docsRoutes(description),
  ];
}

function once(make: () => Buffer): () => Buffer {
  let cached: Buffer | null = null;
  return () => (cached ??= make());
}
