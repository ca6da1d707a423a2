import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlainRoute } from "../server/plain-route.ts";

const file = join(import.meta.dirname, "../../../web/embed/embed.js");

/** `GET /embed.js`: the script that shops include to open payment pages in a dialog. Every site may load it. */
export function embedScriptRoute(): PlainRoute {
  const body = readFileSync(file);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return {
    kind: "plain",
    method: "GET",
    path: "/embed.js",
    isHidden: true,
    summary: "Get the script that embeds payment pages",
    handle: ({ header }) => {
      const isCurrent = header("if-none-match")?.includes(etag) === true;
      return {
        status: isCurrent ? 304 : 200,
        contentType: "text/javascript; charset=utf-8",
        body: isCurrent ? "" : body,
        headers: {
          etag,
          // Short, because shops get corrections of it without changing anything.
          "cache-control": "public, max-age=300",
          "access-control-allow-origin": "*",
          "cross-origin-resource-policy": "cross-origin",
          "x-content-type-options": "nosniff",
        },
      };
    },
  };
}
