import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { owner } from "../../../test/support/api-server.ts";
import { arrangeBoxes, boxApi } from "../../../test/support/box-api.ts";
import { useDatabase } from "../../../test/support/database.ts";

/** Two JSON:API clients that integrators use, unmodified, over a real connection. */

type Kitsu = {
  get: (
    path: string,
    options?: object,
  ) => Promise<{ data: Resource & Resource[]; meta: object; included?: object[] }>;
  post: (type: string, body: object) => Promise<{ data: Resource }>;
  patch: (type: string, body: object) => Promise<{ data: Resource }>;
};
type Devour = {
  headers: Record<string, string>;
  define: (type: string, attributes: object) => void;
  findAll: (type: string, query?: object) => Promise<{ data: Resource[]; meta: object }>;
  find: (type: string, id: string) => Promise<{ data: Resource }>;
  create: (type: string, body: object) => Promise<{ data: Resource }>;
};
type Resource = { readonly id: string; readonly label: string; readonly currency?: unknown };

const database = useDatabase();
const { server } = boxApi(database, {
  authenticate: ({ authorization }) =>
    authorization === "Bearer good" ? Promise.resolve(owner) : Promise.reject(new Error("unknown")),
});
let baseURL = "";
beforeAll(async () => {
  await server.listen({ port: 0, host: "127.0.0.1" });
  baseURL = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe("published JSON:API clients", () => {
  it("include kitsu, which lists, reads, creates and changes resources", async () => {
    await arrangeBoxes(database, 12);
    const { default: Client } = (await import("kitsu")) as unknown as {
      default: new (options: object) => Kitsu;
    };
    const api = new Client({
      baseURL,
      pluralize: false,
      camelCaseTypes: false,
      resourceCase: "none",
      headers: { Authorization: "Bearer good" },
    });
    const page = await api.get("box", {
      params: {
        page: { size: 5, number: 2 },
        filter: { label: "box" },
        sort: "-created_at",
        include: "currency",
      },
    });
    expect([page.data.map((one) => one.id), page.meta]).toMatchObject([
      ["7", "6", "5", "4", "3"],
      { pagination: { page: 2, pages: 3, count: 12 } },
    ]);
    expect((await api.get("box/3")).data).toMatchObject({ id: "3", label: "box 3" });
    const created = await api.post("box", {
      label: "new",
      currency: { data: { type: "currency", id: "1002" } },
    });
    expect(created.data).toMatchObject({ id: "77", label: "new" });
    expect((await api.patch("box", { id: "3", label: "x" })).data.id).toBe("3");
    await expect(api.post("box", { label: "too long" })).rejects.toMatchObject({
      errors: [{ code: "1007" }, { code: "1007" }],
    });
  });

  it("include devour, which lists, reads and creates resources", async () => {
    await arrangeBoxes(database, 3);
    // It has no types; the parts used are declared above.
    const Client = createRequire(import.meta.url)("devour-client") as new (
      options: object,
    ) => Devour;
    const api = new Client({
      apiUrl: baseURL,
      pluralize: false,
      logger: false,
      trailingSlash: { resource: true, collection: true },
    });
    api.headers["Authorization"] = "Bearer good";
    api.define("currency", { alpha: "" });
    api.define("box", { label: "", status: 0, currency: { jsonApi: "hasOne", type: "currency" } });
    const all = await api.findAll("box", { page: { size: 2 }, filter: { label: "box" } });
    expect([all.data.map((one) => one.id), all.meta]).toMatchObject([
      ["3", "2"],
      { pagination: { count: 3 } },
    ]);
    expect((await api.find("box", "2")).data).toMatchObject({ id: "2", label: "box 2" });
    const created = await api.create("box", {
      label: "new",
      currency: { id: "1002", type: "currency" },
    });
    expect(created.data).toMatchObject({ id: "77", label: "new" });
  });
});
