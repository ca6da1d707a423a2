import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { describeApi } from "../../../scripts/describe-api.ts";
import { createApiCheck, type HttpAnswer } from "../../../test/support/api-check.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import type { Simulator } from "../../sandbox/simulator.ts";
import { simulatorRoutes } from "../simulator/simulator.ts";
import { type DocsSite, docsPages } from "./docs-pages.ts";
import type { Example, Examples } from "./example.ts";
import { type Operation, type Reference, readDescription } from "./read-description.ts";

// Tests that the API reference is complete, has no broken links, and shows examples that match the current API.

const examples = JSON.parse(
  readFileSync(new URL("examples.gen.json", import.meta.url), "utf8"),
) as Examples;
const guide = readFileSync(new URL("../../../docs/integration.md", import.meta.url), "utf8");
let description: JsonObject;
let sandbox: JsonObject;
let reference: Reference;
let site: DocsSite;
beforeAll(async () => {
  description = await describeApi();
  // The description only needs the routes; the simulator is never called.
  sandbox = await describeApi(simulatorRoutes({} as Simulator));
  reference = readDescription(description);
  site = docsPages(description, examples, guide);
});

const operationsOf = (described: JsonObject): readonly Operation[] =>
  readDescription(described).groups.flatMap((group) => group.operations);
const operations = () => reference.groups.flatMap((group) => group.operations);
const htmlOf = (name: string): string => site.pages.get(name)?.html ?? "";

describe("pages of the API reference", () => {
  it("contain every operation, with a search entry", () => {
    expect(operations().length).toBeGreaterThan(40);
    for (const { name, operations: members } of reference.groups) {
      for (const { id, path } of members) {
        expect(htmlOf(name)).toContain(`<section class="operation" id="${id}"`);
        expect(htmlOf("")).toContain(`href="/docs/${name}/#${id}"`);
        expect(site.entries.map(({ href }) => href)).toContain(`/docs/${name}/#${id}`);
        expect(path.startsWith("/")).toBe(true);
      }
    }
  });

  it("contain no broken links and no duplicate ids", () => {
    const ids = new Map(
      [...site.pages].map(([name, { html }]) => [
        name,
        [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id),
      ]),
    );
    for (const [name, { html }] of site.pages) {
      const own = ids.get(name) ?? [];
      expect(own.filter((id, index) => own.indexOf(id) !== index)).toEqual([]);
      for (const [, href = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const [, page, anchor] = /^(?:\/docs\/(?:([\w-]+)\/)?)?(?:#(.+))?$/.exec(href) ?? [];
        if (href === "/openapi.json") continue;
        const target = href.startsWith("#") ? name : (page ?? "");
        expect(site.pages.has(target), `${name}: ${href}`).toBe(true);
        if (anchor !== undefined) expect(ids.get(target), `${name}: ${href}`).toContain(anchor);
      }
    }
  });

  it("contain nothing that the content security policy blocks, and no external resources", () => {
    for (const { html } of site.pages.values()) {
      expect(html).not.toMatch(/ style="| on\w+="|<style|<script(?! src="\/docs\/assets\/)/);
      expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it("include the guide, and what the service sends with headers, a body and its verification", () => {
    expect(htmlOf("guide")).toContain('<h2 id="verifying-a-callback">');
    expect(htmlOf("guide")).not.toContain("](#");
    for (const part of ["webhook-signature", "depositCallback", "payoutCallback", "HMAC-SHA256"])
      expect(htmlOf("webhooks")).toContain(part);
  });

  it("escape HTML in descriptions", () => {
    const evil = JSON.parse(
      JSON.stringify(description).replaceAll("Create a deposit", "<img src=x onerror=alert(1)>"),
    ) as JsonObject;
    const html = [...docsPages(evil, examples, guide).pages.values()]
      .map((page) => page.html)
      .join();
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img");
  });

  it("list the errors of each operation", () => {
    const codes = (id: string) =>
      operations()
        .find((operation) => operation.id === id)
        ?.errors.map(({ code }) => code) ?? [];
    expect(codes("createAPayout")).toEqual(
      expect.arrayContaining(["1003", "1004", "4008", "4018"]),
    );
    expect(codes("createADeposit")).toEqual(
      expect.arrayContaining(["1007", "5005", "5006", "5007"]),
    );
    expect(codes("createADeposit")).not.toContain("4008");
    expect(codes("listDeposits")).not.toContain("409");
  });
});

/** Operations without an example, with the reason. */
const unrecorded: Readonly<Record<string, string>> = {
  metricsInThePrometheusTextFormat: "hundreds of lines of text, described in docs/operations.md",
  getTheOpenapi31Description: "the source of these pages",
  getTheApiReference: "these pages themselves",
  getTheStateOfAPaymentPage: "called by the payer's browser; the schema is complete",
  streamChangesOfAPaymentPage: "called by the payer's browser",
  chooseTheCurrencyOfAPayment: "called by the payer's browser",
  renewAnExpiredRate: "called by the payer's browser",
  saveARefundAddress: "called by the payer's browser",
  sendAReceiptByEmail: "called by the payer's browser",
  startAPaymentByAPaymentLink: "called by the payer's browser",
  listUnattributedFunds: "no chain of the sandbox has an account that deposits share",
  assignAnUnattributedPaymentToADeposit:
    "no chain of the sandbox has an account that deposits share",
  returnAnUnattributedPayment: "no chain of the sandbox has an account that deposits share",
  calculateTheFeesOfReturningAnUnattributedPayment:
    "no chain of the sandbox has an account that deposits share",
  getAnUnattributedPayment: "no chain of the sandbox has an account that deposits share",
  findTheDepositOfAnUnattributedPayment:
    "no chain of the sandbox has an account that deposits share",
};

describe("examples of the API reference", () => {
  // To fix a failure, add the operation to one of the stories and run scripts/record-docs-examples.ts on a fresh sandbox.
  it("exist for every operation, and only for existing ones", () => {
    const known = operationsOf(sandbox).map(({ id }) => id);
    const shown = [...Object.keys(examples), ...Object.keys(unrecorded)];
    expect(shown.toSorted()).toEqual(known.toSorted());
  });

  it("match the request and response schemas", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ ...sandbox, $id: "api" });
    const check = createApiCheck(sandbox);
    for (const operation of operationsOf(sandbox)) {
      const { id, method, request } = operation;
      const example = examples[id];
      if (example === undefined) continue;
      expect([id, example.request === null]).toEqual([id, request === null]);
      if (request !== null) {
        const rebased = JSON.parse(
          JSON.stringify(request).replaceAll('"#/', '"api#/'),
        ) as JsonObject;
        const validate = ajv.compile(rebased);
        expect([id, validate(example.request), validate.errors]).toEqual([id, true, null]);
      }
      check({ method, url: example.path }, answered(operation, example));
    }
  });

  it("contain no secrets", () => {
    const text = JSON.stringify(examples);
    expect(text).not.toMatch(/whsec_\w|eyJ[\w-]{40}|127\.0\.0\.1|localhost/);
    expect(text).not.toMatch(/secret=\w|"(?:initial_)?password":"(?!\.\.\.")/);
    for (const [id, { answer, request }] of Object.entries(examples))
      for (const [name, value] of secretsIn({ answer, request }))
        expect([id, name, value]).toEqual([id, name, expect.stringMatching(/\.\.\.$|^$/)]);
  });
});

/** The recorded response as an HTTP response, with the headers that every response has. */
function answered({ resource, status }: Operation, { answer }: Example): HttpAnswer {
  const media = { "content-type": "application/vnd.api+json", vary: "Accept" };
  return {
    status: Number(status),
    headers: {
      ...(resource === null ? {} : media),
      ...(status === "201" ? { location: "/" } : {}),
      "x-request-id": "1",
    },
    body: answer === null ? "" : JSON.stringify(answer),
  };
}

/** Lists the string values of members with the names of secrets. */
function secretsIn(value: JsonValue, name = ""): readonly (readonly [string, string])[] {
  if (typeof value === "string") return secretNames.test(name) ? [[name, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => secretsIn(one, name));
  return Object.entries(value as JsonObject).flatMap(([key, one]) => secretsIn(one, key));
}
const secretNames =
  /^(?:access|refresh|password|initial_password|secret|codes|challenge|signature|clientDataJSON)$/;
