import { beforeAll, describe, expect, it } from "vitest";
import { setOperator } from "../../src/accounts/operator.ts";
import { canonicalUrl } from "../../src/http/jsonapi/paths.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { useDatabase } from "../support/database.ts";
import { hostileSources } from "../support/mutate-json.ts";
import { fc } from "../support/property.ts";
import { seed } from "../support/seed.ts";
import { sendAll } from "../support/send-all.ts";
import { arrangeTwoTenants, type TwoTenants } from "../support/two-tenants.ts";
import { databaseDigest, useWholeApi } from "../support/whole-api.ts";
import { openPerson } from "../support/whole-person.ts";

/*
 * Sends random queries, headers and paths over persistent connections to a service with objects of every kind. Every response is
 * well-formed and never a 5xx, and nothing changes. A failure prints the seed; SLUICE_TEST_SEED repeats it.
 */

const database = useDatabase();
const api = useWholeApi(database);

let tenants: TwoTenants;
/** Of the shop's Owner as a person and operator, because some lists are only for them. */
let person: string;

beforeAll(async () => {
  console.log(`requests with seed ${seed}`);
  tenants = await arrangeTwoTenants(api);
  await setOperator({ db: database.db, clock: api.clock }, tenants.shop.accountId, true);
  person = (await openPerson(api, tenants.shop.owner)).token;
});

describe(`requests with seed ${seed}`, () => {
  it("answers 2,000 random queries of every list without an internal error", async () => {
    const lists = Object.entries(api.description()["paths"] as Record<string, JsonObject>)
      .map(([path, item]) => ({
        path,
        parameters: (item["get"] as JsonObject | undefined)?.["parameters"],
      }))
      .filter(({ parameters }) => JSON.stringify(parameters ?? []).includes("page[after]")) as {
      path: string;
      parameters: { name: string; in: string }[];
    }[];
    expect(lists.length).toBeGreaterThan(5);
    const value = fc.oneof(
      fc.constantFrom(
        "1",
        "2",
        "1002",
        "2026-01-01",
        "2026-01-01T00:00:00 02:00",
        "label",
        "-created_at,id",
        "wallet.currency",
        "%",
        "\\",
        "1e5",
        "0.5",
        "true",
        "last",
        "",
      ),
      fc
        .constantFrom(...hostileSources.filter((text) => text.length < 500))
        .map((text) => text.replace(/^"(.*)"$/, "$1")),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    );
    const query = fc.constantFrom(...lists).chain(({ path, parameters }) => {
      const names = parameters
        .filter((parameter) => parameter.in === "query")
        .map((parameter) => parameter.name);
      const name = fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...names) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            "filter[__proto__]",
            "filter[constructor]",
            "page[size",
            "sort[]",
            "fields[__proto__]",
          ),
        },
        { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
      );
      return fc
        .array(fc.tuple(name, value), { maxLength: 3 })
        .map(
          (given) =>
            `${path}?${given.map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join("=")).join("&")}`,
        );
    });
    const statuses = await sendAll(
      fc.sample(query, { numRuns: 2_000, seed }),
      String,
      async (path) => {
        const { status, text } = await api.ask({ method: "GET", path, as: person });
        if (![200, 400, 404].includes(status)) throw new Error(`${status} ${text}`);
        return status;
      },
    );
    expect(api.failures()).toEqual([]);
    for (const status of [200, 400])
      expect(statuses.filter((known) => known === status).length).toBeGreaterThan(100);
  });

  it("answers random headers without an internal error", async () => {
    const before = await databaseDigest(database);
    const printable = fc.string({ unit: "grapheme-ascii", maxLength: 60 });
    const header = fc.oneof(
      fc.tuple(
        fc.constantFrom("accept", "content-type"),
        fc.oneof(
          printable,
          fc.constantFrom(
            "*/*",
            "application/vnd.api+json",
            "application/vnd.api+json;",
            'application/vnd.api+json;profile="a, b"',
            "application/vnd.api+json;q=0.5, text/html",
            "APPLICATION/VND.API+JSON",
            "application/*;q=x",
            ",",
            ";",
            '"',
          ),
        ),
      ),
      fc.tuple(
        fc.constant("authorization"),
        fc.oneof(
          printable,
          printable.map((text) => `Bearer ${text}`),
          fc.constantFrom(
            "Bearer",
            "Bearer  ",
            `Bearer ${"a".repeat(8_000)}`,
            "Bearer eyJhbGciOiJub25lIn0.e30.",
            "bearer \u00e9",
          ),
        ),
      ),
      fc.tuple(
        fc.constantFrom(
          "origin",
          "x-forwarded-for",
          "x-http-method-override",
          "idempotency-key",
          "range",
          "cookie",
          "accept-encoding",
          "access-control-request-method",
          "forwarded",
          "if-none-match",
          "x-request-id",
          "content-encoding",
        ),
        printable,
      ),
    );
    const request = fc.record({
      method: fc.constantFrom("GET", "POST", "PATCH", "OPTIONS", "HEAD", "DELETE"),
      path: fc.constantFrom(
        "/deposit/",
        "/wallet/",
        "/token/",
        "/ping",
        "/openapi.json",
        "/deposit/1/",
        "/payout/",
        "/payout/calculate/",
        "/payout/99999999/cancel/",
      ),
      headers: fc
        .array(header, { minLength: 1, maxLength: 4 })
        .map((pairs) => Object.fromEntries(pairs)),
      isKnown: fc.boolean(),
    });
    const sent = fc.sample(request, { numRuns: 1_000, seed });
    await sendAll(
      sent,
      (item) => JSON.stringify(item),
      async ({ method, path, headers, isKnown }) => {
        const { status, text } = await api.ask({
          method,
          path,
          as: isKnown ? tenants.shop.token : null,
          headers,
          ...(method === "POST" || method === "PATCH" ? { body: "{}" } : {}),
        });
        if (status >= 500 || status === 201) throw new Error(`${status} ${text}`);
      },
    );
    expect(await databaseDigest(database)).toEqual(before);
    expect(api.failures()).toEqual([]);
  });

  it("answers random paths without an internal error", async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "deposit",
        "wallet",
        "payout",
        "calculate",
        "travel-rule",
        "token",
        "refresh",
        "1",
        "..",
        ".",
        "",
        "%2e%2e",
        "%2f",
        "%00",
        "%",
        "%zz",
        "%ff%fe",
        "ping",
        "docs",
        "openapi.json",
        "healthz",
        "__proto__",
        "constructor",
        ";a=b",
        "x".repeat(300),
      ),
      fc.string({ maxLength: 10 }).map((text) => encodeURIComponent(text.toWellFormed())),
    );
    const path = fc
      .tuple(
        fc.array(piece, { maxLength: 5 }),
        fc.constantFrom("", "/", "//", "?", "?a", "?%", "?%ff=%00", "?=", "?&&"),
      )
      .map(([pieces, end]) => `/${pieces.join("/")}${end}`);
    await sendAll(fc.sample(path, { numRuns: 1_500, seed }), String, async (one) => {
      const request = { method: "GET", path: one, as: tenants.shop.token };
      if (isForBrowsers(one)) {
        const { status, body } = await api.exchange(request);
        if (![200, 302, 400, 404].includes(status)) throw new Error(`${status} ${body}`);
        return;
      }
      const { status, text } = await api.ask(request);
      if (![200, 400, 404, 405].includes(status)) throw new Error(`${status} ${text}`);
    });
    expect(api.failures()).toEqual([]);
  });
});

/** Pages for browsers are not in the description. */
function isForBrowsers(url: string): boolean {
  const [path = ""] = canonicalUrl(url).split("?", 1);
  return /^\/$|^\/(?:ui|pay)(?:\/|$)|^\/docs\/./.test(path);
}
