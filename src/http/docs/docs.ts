import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { contentPolicy } from "../jsonapi/page-answer.ts";
import type { PlainAnswer, PlainRoute } from "../server/plain-route.ts";
import { type DocsSite, docsPages } from "./docs-pages.ts";
import type { Examples } from "./example.ts";

const examplesFile = new URL("./examples.gen.json", import.meta.url);
const guideFile = new URL("../../../docs/integration.md", import.meta.url);
const assetsFolder = join(import.meta.dirname, "../../../web/docs");
const assets: Readonly<Record<string, string>> = {
  "docs.css": "text/css; charset=utf-8",
  "docs.js": "text/javascript; charset=utf-8",
};

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

/** The API reference: `/docs`, a page per kind of resource, and the search index. */
function docsRoutes(description: () => JsonObject): readonly PlainRoute[] {
  const site = once((): DocsSite => {
    const examples = JSON.parse(readFileSync(examplesFile, "utf8")) as Examples;
    return docsPages(description(), examples, readFileSync(guideFile, "utf8"));
  });
  const answer = (name: string): PlainAnswer => {
    const page = site().pages.get(name);
    if (page === undefined) reject("notFound", "No such page in the reference.");
    return {
      status: 200,
      contentType: "text/html; charset=utf-8",
      body: page.html,
      headers: { "content-security-policy": contentPolicy(), "cache-control": "no-cache" },
    };
  };
  return [
    {
      kind: "plain",
      method: "GET",
      path: "/docs",
      summary: "Get the API reference",
      handle: () => answer(""),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/docs/{page}",
      isHidden: true,
      summary: "Get a page of the API reference",
      handle: ({ params }) => answer(params["page"] ?? ""),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/docs/assets/{file}",
      isHidden: true,
      summary: "Get an asset of the API reference",
      handle: ({ params }) => assetAnswer(params["file"] ?? "", site),
    },
  ];
}

function assetAnswer(name: string, site: () => DocsSite): PlainAnswer {
  const headers = { "cache-control": "no-cache", "cross-origin-resource-policy": "same-origin" };
  if (name === "search.json") {
    const body = JSON.stringify(site().entries);
    return { status: 200, contentType: "application/json", body, headers };
  }
  const contentType = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (contentType === undefined) reject("notFound", "No such path.");
  return { status: 200, contentType, body: readFileSync(join(assetsFolder, name)), headers };
}

function once<Value>(create: () => Value): () => Value {
  let cached: { readonly value: Value } | null = null;
  return () => (cached ??= { value: create() }).value;
}
