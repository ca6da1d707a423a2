import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../test/support/database.ts";
import { fillPool } from "../../test/support/deposit-world.ts";
import { useWholeApi } from "../../test/support/whole-api.ts";
import { arrangeTenant, setPrices, type Tenant } from "../../test/support/whole-tenant.ts";
import { type Client, createClient } from "./create-client.ts";

// Runs the client against the whole API over HTTP.

const database = useDatabase();
const api = useWholeApi(database);
let shop: Tenant;
let client: Client;
beforeAll(async () => {
  await fillPool(api.world(), "evm", "", 20);
  await setPrices(api, { ETH: 2000 });
  shop = await arrangeTenant(api);
  const { login, password } = shop.owner;
  client = createClient({ baseUrl: `${api.url()}/`, login, password });
});

const wallet = () => ({ type: "wallet", id: shop.wallets.merchant }) as const;

describe("client", () => {
  it("creates, reads (with includes), updates and cancels a deposit", async () => {
    const created = await client.post("/deposit/", {
      attributes: { tracking_id: "first", target_amount_requested: "10.5" },
      relationships: { wallet: wallet(), currency: { type: "currency", id: "1002" } },
    });
    expect([created.response.status, created.response.attempts]).toEqual([201, 1]);
    const { id } = created.data;
    const { data } = await client.get("/deposit/{id}/", {
      id,
      include: ["wallet.currency", "currency"],
    });
    expect(data.attributes).toEqual(created.data.attributes);
    expect(data.relationships.currency.resource?.attributes.alpha).toBe("ETH");
    expect(data.relationships.wallet).toMatchObject({
      data: wallet(),
      resource: { relationships: { currency: { resource: { attributes: { alpha: "USD" } } } } },
    });
    const changed = await client.patch("/deposit/{id}/", { id, attributes: { label: "Chair" } });
    expect(changed.data.attributes).toMatchObject({ label: "Chair", tracking_id: "first" });
    expect((await client.post("/deposit/{id}/cancel/", { id })).data.attributes.status).toBe(4);
  });

  it("lists with filters, sorting, fields and pagination", async () => {
    for (const tracking_id of ["a1", "a2", "a3"]) {
      await client.post("/deposit/", {
        attributes: { tracking_id },
        relationships: { wallet: wallet(), currency: { type: "currency", id: 1002 } },
      });
    }
    const { data, pagination } = await client.list("/deposit/", {
      filter: { tracking_id: "a", status: 2 },
      sort: ["-tracking_id"],
      fields: { deposit: ["tracking_id"] },
      page: { number: 1, size: 2 },
    });
    expect(data.map(({ attributes }) => attributes)).toEqual([
      { tracking_id: "a3" },
      { tracking_id: "a2" },
    ]);
    expect(pagination).toEqual({ page: 1, pages: 2, count: 3 });
    const all: (string | null)[] = [];
    for await (const { attributes } of client.each("/deposit/", {
      filter: { tracking_id: "a" },
      sort: ["tracking_id"],
      pageSize: 2,
    })) {
      all.push(attributes.tracking_id);
    }
    expect(all).toEqual(["a1", "a2", "a3"]);
  });
});
