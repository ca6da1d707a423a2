import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../support/database.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { arrangeTenant, newWallet, type Tenant } from "../support/whole-tenant.ts";

const database = useDatabase();
const api = useWholeApi(database);

let tenant: Tenant;
beforeAll(async () => {
  tenant = await arrangeTenant(api);
});

const get = (path: string) => api.exchange({ method: "GET", path, as: tenant.token });
const readiness = async () => {
  const { status, body } = await get("/readyz");
  return { status, ...(JSON.parse(body) as { clock_ahead_seconds: number }) };
};

describe("an api whose clock differs from the database server's", () => {
  it("answers 503 on every route that reads or writes data until the clocks agree again", async () => {
    api.clock.advance(-5);
    const found = await readiness();
    expect(found).toMatchObject({ status: 503, ready: false, database: "ok" });
    expect(found.clock_ahead_seconds).toBeCloseTo(-5, 0);

    const refused = await Promise.all([
      api.ask({ method: "GET", path: "/wallet/", as: tenant.token }),
      api.ask({ method: "POST", path: "/wallet/", as: tenant.token, body: newWallet(1, "840") }),
      api.ask({ method: "GET", path: "/currency/" }),
    ]);
    for (const { status, headers } of refused) {
      expect(status).toBe(503);
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
    }
    const page = await get("/pay/00000000-0000-4000-8000-000000000000/state/");
    const served = await Promise.all(["/healthz", "/openapi.json", "/docs"].map(get));
    expect([page, ...served].map(({ status }) => status)).toEqual([503, 200, 200, 200]);

    api.clock.advance(5);
    expect(await readiness()).toMatchObject({ status: 200, ready: true });
    expect((await get("/wallet/")).status).toBe(200);
  });
});
