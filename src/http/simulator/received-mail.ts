import { timingSafeEqual } from "node:crypto";
import { reject } from "../../platform/kernel/rejection.ts";
import type { PlainRoute } from "../server/plain-route.ts";

/**
 * `GET /sandbox/mail/{key}/`: the emails that the sandbox's mail server received, as JSON. They contain links that sign people in, so
 * the address contains a random key, which only the owner of `sandbox.json` can read.
 */
export function receivedMailRoute(
  key: string,
  received: () => readonly Readonly<Record<string, unknown>>[],
): PlainRoute {
  const expected = Buffer.from(key);
  return {
    kind: "plain",
    method: "GET",
    path: "/sandbox/mail/{key}/",
    isHidden: true,
    summary: "List the emails that the sandbox received",
    handle: ({ params }) => {
      const given = Buffer.from(params["key"] ?? "");
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        reject("notFound", "There is nothing at this address.");
      return {
        status: 200,
        contentType: "application/json",
        body: JSON.stringify(received()),
        headers: { "cache-control": "no-store" },
      };
    },
  };
}
