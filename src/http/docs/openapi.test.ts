import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { boxApi } from "../../../test/support/box-api.ts";
import { box } from "../../../test/support/box-definitions.ts";
import { useDatabase } from "../../../test/support/database.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/** The OpenAPI description. Every other test of this folder checks its responses against it (test/support/api-check.ts). */

const database = useDatabase();
const { server } = boxApi(database);

async function description(): Promise<JsonObject> {
  const answer = await server.inject("/openapi.json");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/json"]);
  return answer.json<JsonObject>();
}

describe("the OpenAPI description", () => {
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(await description());
    expect(errors ?? []).toEqual([]);
    expect([valid, validator.version]).toEqual([true, "3.1"]);
  });

  it("has every route with its method, and OPTIONS if there is metadata", async () => {
    const { paths } = (await description()) as { paths: Record<string, JsonObject> };
    const methods = Object.entries(paths).map(
      ([path, item]) => `${path} ${Object.keys(item).join()}`,
    );
    expect(methods).toEqual(
      expect.arrayContaining([
        "/box/ get,post,options",
        "/box/{id}/ get,patch,options",
        "/box/{id}/close/ post,options",
        "/token/ post,options",
        "/ping get",
        "/openapi.json get",
        "/docs get",
      ]),
    );
  });

  it("describes each filter as a parameter, each writable field, and each error by its code", async () => {
    const described = await description();
    const list = described["paths"] as Record<
      string,
      Record<string, { parameters: { name: string }[] }>
    >;
    const names = list["/box/"]?.["get"]?.parameters.map((parameter) => parameter.name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...Object.keys(box.filters).map((name) => `filter[${name}]`),
        "sort",
        "ordering",
        "page[number]",
        "page[size]",
        "page[after]",
        "include",
        "fields[box]",
      ]),
    );
    const pointer = [
      "paths",
      "/box/",
      "post",
      "requestBody",
      "content",
      "application/vnd.api+json",
      "schema",
      "properties",
      "data",
    ];
    expect(described).toHaveProperty(
      [...pointer, "properties", "attributes", "properties", "label", "maxLength"],
      5,
    );
    expect(described).toHaveProperty(
      [...pointer, "properties", "relationships", "required"],
      ["currency"],
    );
    expect(described).toHaveProperty(
      ["components", "responses", "Error400", "description"],
      expect.stringContaining("1007: Invalid value"),
    );
  });

  it("gives every operation an id of letters and digits", async () => {
    const { paths } = (await description()) as {
      paths: Record<string, Record<string, JsonObject>>;
    };
    for (const [path, item] of Object.entries(paths))
      for (const { operationId } of Object.values(item))
        expect([path, operationId]).toEqual([path, expect.stringMatching(/^[a-z][A-Za-z0-9]+$/)]);
    expect(paths["/box/{id}/close/"]?.["options"]?.["operationId"]).toBe("describeBoxIdClose");
  });

  it("allows whole and sparse resources, and has a fields parameter for each type", async () => {
    const described = (await description()) as {
      paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
    };
    const names = described.paths["/box/"]?.["get"]?.parameters.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name.startsWith("fields["))).toEqual([
      "fields[box]",
      "fields[currency]",
    ]);
    expect(described).toHaveProperty(
      [
        ...[
          "paths",
          "/box/{id}/",
          "get",
          "responses",
          "200",
          "content",
          "application/vnd.api+json",
        ],
        ...["schema", "properties", "data", "anyOf"],
      ],
      [{ $ref: "#/components/schemas/Box" }, { $ref: "#/components/schemas/SparseBox" }],
    );
  });

  it("refuses two routes with the same summary", async () => {
    const hidden = {
      kind: "plain",
      method: "GET",
      summary: "Same",
      handle: () => ({ status: 200, contentType: "text/plain", body: "" }),
    } as const;
    const { server: other } = apiServer([
      { ...hidden, path: "/a" },
      { ...hidden, path: "/b" },
    ]);
    expect((await other.inject("/openapi.json")).statusCode).toBe(500);
  });

  it("renders every operation, field and error as HTML that loads from this origin only", async () => {
    const page = async (path: string) => {
      const answer = await server.inject(path);
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
        200,
        "text/html; charset=utf-8",
      ]);
      expect(answer.headers["content-security-policy"]).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      return answer.body;
    };
    const overview = await page("/docs/");
    expect(overview).toContain("<code>/box/{id}/close/</code>");
    const box = await page("/docs/box/");
    for (const part of ["filter[help_email]", "callback_url", "needs_activation"])
      expect(box).toContain(part);
    expect(await page("/docs/errors/")).toContain("Insufficient funds");
    expect((await server.inject("/docs/assets/search.json")).json()).toContainEqual({
      title: "Insufficient funds",
      route: "Error 400 4008",
      href: "/docs/errors/#e400-4008",
      words: "",
    });
    for (const asset of ["docs.css", "docs.js", "search.json"])
      expect((await server.inject(`/docs/assets/${asset}`)).statusCode).toBe(200);
    for (const other of ["/docs/nothing/", "/docs/assets/nothing.js", "/docs/assets/..%2Fdocs.js"])
      expect((await server.inject(other)).statusCode).toBe(404);
  });

  it("answers ping without a token", async () => {
    const answer = await server.inject("/ping/");
    expect([answer.statusCode, answer.body]).toEqual([200, "pong"]);
  });
});
