import type { JsonObject } from "../../platform/kernel/json.ts";
import type { PlainRoute } from "../server/plain-route.ts";
import { docsRoutes } from "./docs.ts";

/**
 * `/ping`, and the description of all other routes: for machines at `/openapi.json`, for people at `/docs`. The routes of a
 * server do not change: what anybody may ask for without a token is made once.
 */
export function serviceRoutes(description: () => JsonObject): readonly PlainRoute[] {
  const forMachines = once(() => Buffer.from(JSON.stringify(description())));
  return [
    {
      kind: "plain",
      method: "GET",
      path: "/ping",
      summary: "Answer that the service runs",
      handle: () => ({ status: 200, contentType: "text/plain; charset=utf-8", body: "pong" }),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/openapi.json",
      summary: "Describe the API in OpenAPI 3.1",
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
  let made: Buffer | null = null;
  return () => (made ??= make());
}
