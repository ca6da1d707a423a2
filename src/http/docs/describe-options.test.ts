import { describe, expect, it } from "vitest";
import { boxApi } from "../../../test/support/box-api.ts";
import { box } from "../../../test/support/box-definitions.ts";
import { useDatabase } from "../../../test/support/database.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/** OPTIONS responses, made from the same records that validate requests. */

type Metadata = {
  readonly renders: readonly string[];
  readonly parses: readonly string[];
  readonly allowed_methods: readonly string[];
  readonly actions: Readonly<Record<"GET" | "POST", Readonly<Record<string, JsonObject>>>>;
  readonly custom: JsonObject;
};

const database = useDatabase();
const { ask, server } = boxApi(database);

describe("OPTIONS", () => {
  it.each([
    ["OPTIONS", "/box/", 200],
    ["OPTIONS", "/box/1/", 200],
    ["GET", "/box/", 200],
  ])("%s %s reads no body, however long it is", async (method, url, status) => {
    const body = "x".repeat(200_000);
    expect((await ask(method, url, { body })).status).toBe(status);
  });

  it("describes filters and fields as the interface does, whatever the body", async () => {
    const answer = await ask("OPTIONS", "/box/", {
      body: "--x\r\n\r\nanything\r\n--x--",
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    expect(answer.status).toBe(200);
    const { renders, parses, allowed_methods, actions, custom } = answer.document[
      "data"
    ] as Metadata;
    expect({ renders, parses, allowed_methods }).toEqual({
      renders: ["application/vnd.api+json"],
      parses: ["multipart/form-data", "application/vnd.api+json"],
      allowed_methods: ["GET", "POST", "HEAD", "OPTIONS"],
    });
    expect(Object.keys(actions.GET)).toEqual(Object.keys(box.filters));
    expect(actions.GET["id"]).toEqual({
      lookup_expr: "exact",
      regexp: "^[1-9][0-9]*$",
      max_length: 8,
      required: false,
    });
    expect(actions.GET["status"]?.["choices"]).toEqual([
      { value: 1, display_name: "Inactive" },
      { value: 3, display_name: "Active" },
    ]);
    expect(actions.POST).toMatchObject({
      label: { type: "String", required: false, read_only: false, label: "Label", max_length: 5 },
      limit: { type: "Integer", min_value: 0, max_value: 100 },
      share: { type: "Decimal", min_value: 0, max_length: 36 },
      callback_url: { type: "URL", label: "Callback url", max_length: 256 },
      extra: { type: "GenericField" },
      page: { read_only: true },
      currency: { type: "Relationship", required: true, relationship_resource: "currency" },
    });
    expect(custom).toHaveProperty(["POST", "address_masks", "1002", "length"], 1);
  });

  it("describes a single object and an action", async () => {
    expect((await ask("OPTIONS", "/box/1/")).document).toHaveProperty("data.actions.PATCH.label");
    expect((await ask("OPTIONS", "/box/quote/")).document).toHaveProperty("data.allowed_methods", [
      "POST",
      "OPTIONS",
    ]);
    expect((await ask("OPTIONS", "/token/", { as: null })).status).toBe(200);
  });

  it("lists only the methods of a path outside JSON:API, whatever the Accept header", async () => {
    const headers = { accept: "text/html" };
    const answer = await server.inject({ method: "OPTIONS", url: "/ping", headers });
    expect([answer.statusCode, answer.headers["allow"], answer.body]).toEqual([
      204,
      "GET, HEAD, OPTIONS",
      "",
    ]);
  });
});
