import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { deleteRoute } from "./delete-route.ts";

// DELETE over the real server: 204 without a body, 404 for missing objects, and a refused request removes nothing.

const thing = defineResource({
  type: "thing",
  description: "Something that can be taken away.",
  attributes: {},
});

const things = new Set<string>();
beforeEach(() => {
  things.clear();
  things.add("7");
});

const api = apiServer([
  deleteRoute({
    path: "/thing/{id}/",
    summary: "Take a thing away",
    resource: thing,
    remove: ({ id }) => Promise.resolve(things.delete(id)),
  }),
]);

describe("DELETE", () => {
  it("removes an object and answers without a body", async () => {
    const answer = await api.ask("DELETE", "/thing/7/");
    expect([answer.status, answer.text, answer.headers["content-type"]]).toEqual([
      204,
      "",
      undefined,
    ]);
    expect(things.size).toBe(0);
    const again = await api.ask("DELETE", "/thing/7/");
    expect([again.status, again.errors[0]?.code]).toEqual([404, "404"]);
  });

  it("removes nothing when the request is refused", async () => {
    expect((await api.ask("DELETE", "/thing/7/?nope=1")).status).toBe(400);
    expect((await api.ask("DELETE", "/thing/7/", { as: null })).status).toBe(401);
    expect((await api.ask("DELETE", "/thing/seven/")).status).toBe(404);
    expect(things.size).toBe(1);
  });

  it("is described in OpenAPI", async () => {
    const { document } = await api.ask("GET", "/openapi.json");
    const paths = document["paths"] as Record<string, Record<string, { responses: object }>>;
    expect(Object.keys(paths["/thing/{id}/"]?.["delete"]?.responses ?? {})).toContain("204");
    const { data } = (await api.ask("OPTIONS", "/thing/7/")).document as {
      data: { allowed_methods: string[] };
    };
    expect(data.allowed_methods).toContain("DELETE");
  });
});
