import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../support/database.ts";
import { fillPool } from "../support/deposit-world.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { arrangeTenant, setPrices, type Tenant } from "../support/whole-tenant.ts";

/** Two third-party JSON:API clients without adjustments: create, find, list, change and cancel a deposit. */

type Deposit = {
  readonly id: string;
  readonly label: string | null;
  readonly address: string | null;
  readonly status: number;
};
type Kitsu = {
  get: (path: string, options?: object) => Promise<{ data: Deposit & Deposit[]; meta: object }>;
  post: (type: string, body: object) => Promise<{ data: Deposit }>;
  patch: (type: string, body: object) => Promise<{ data: Deposit }>;
};
type Devour = {
  headers: Record<string, string>;
  define: (type: string, attributes: object) => void;
  findAll: (type: string, query?: object) => Promise<{ data: Deposit[]; meta: object }>;
  find: (type: string, id: string) => Promise<{ data: Deposit }>;
  create: (type: string, body: object) => Promise<{ data: Deposit }>;
};

const database = useDatabase();
const api = useWholeApi(database);
let shop: Tenant;
beforeAll(async () => {
  await fillPool(api.world(), "evm", "", 10);
  await setPrices(api, { ETH: 2000 });
  shop = await arrangeTenant(api);
});

describe("third-party JSON:API clients", () => {
  it("kitsu creates, finds, lists, changes and cancels a deposit", async () => {
    const { default: Client } = (await import("kitsu")) as unknown as {
      default: new (options: object) => Kitsu;
    };
    const client = new Client({
      baseURL: api.url(),
      pluralize: false,
      camelCaseTypes: false,
      resourceCase: "none",
      headers: { Authorization: `Bearer ${shop.token}` },
    });
    const created = await client.post("deposit", {
      label: "by kitsu",
      target_amount_requested: "10.5",
      wallet: { data: { type: "wallet", id: shop.wallets.merchant } },
      currency: { data: { type: "currency", id: "1002" } },
    });
    expect(created.data).toMatchObject({
      label: "by kitsu",
      status: 2,
      target_amount_requested: "10.50",
    });
    const { id } = created.data;
    expect((await client.get(`deposit/${id}`)).data.address).toBe(created.data.address);
    const listed = await client.get("deposit", {
      params: {
        filter: { label: "kitsu" },
        page: { size: 5 },
        sort: "-created_at",
        include: "wallet",
      },
    });
    expect([listed.data.map((one) => one.id), listed.meta]).toMatchObject([
      [id],
      { pagination: { count: 1 } },
    ]);
    expect((await client.patch("deposit", { id, label: "changed" })).data.label).toBe("changed");
    await expect(client.post("deposit", { label: "no wallet" })).rejects.toMatchObject({
      errors: [{ code: "1007", source: { pointer: "/data/relationships/wallet" } }],
    });
  });

  it("devour creates, finds and lists deposits", async () => {
    // It has no types; the used part is declared above.
    const Client = createRequire(import.meta.url)("devour-client") as new (
      options: object,
    ) => Devour;
    const trailingSlash = { resource: true, collection: true };
    const client = new Client({
      apiUrl: api.url(),
      pluralize: false,
      logger: false,
      trailingSlash,
    });
    client.headers["Authorization"] = `Bearer ${shop.token}`;
    client.define("wallet", { label: "" });
    client.define("deposit", {
      label: "",
      address: "",
      status: 0,
      wallet: { jsonApi: "hasOne", type: "wallet" },
    });
    const created = await client.create("deposit", {
      label: "by devour",
      wallet: { id: shop.wallets.ether, type: "wallet" },
    });
    expect(created.data).toMatchObject({ label: "by devour", status: 2 });
    expect((await client.find("deposit", created.data.id)).data.address).toBe(created.data.address);
    const listed = await client.findAll("deposit", {
      filter: { label: "devour" },
      page: { size: 2 },
    });
    expect(listed.data.map((one) => one.id)).toEqual([created.data.id]);
  });
});
