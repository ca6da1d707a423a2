import { describe, expect, it } from "vitest";
import { useDatabase } from "../support/database.ts";
import { fillPool } from "../support/deposit-world.ts";
import { manualClock } from "../support/manual-clock.ts";
import { describeResponse, useWholeApi } from "../support/whole-api.ts";
import { arrangeTenant, newDeposit, setPrices } from "../support/whole-tenant.ts";

/* Payment pages have their own budgets, so an address that uses them up can still use the API. */

const database = useDatabase();
const throttle = {
  read: 1e6,
  create: 1e6,
  calculate: 1e6,
  token: 1e6,
  page: 4,
  page_action: 2,
  payment_link: 1,
};
// The clock does not advance, so that all requests are in the same window.
const api = useWholeApi(database, { throttle }, manualClock());

describe("budgets of the payment page", () => {
  it("count reads and actions per address, separately from each other and from the API", async () => {
    await fillPool(api.world(), "evm", "", 20);
    await setPrices(api, { ETH: 2000, BTC: 100_000, USDT: 1 });
    const { token, wallets } = await arrangeTenant(api);
    const created = await api.ask({
      method: "POST",
      path: "/deposit/",
      as: token,
      body: newDeposit(wallets.merchant, { target_amount_requested: "10" }),
    });
    const page = new URL(created.one.attributes["payment_page"] as string).pathname;
    const state = () => api.exchange({ method: "GET", path: `${page}/state/` });
    const choose = (currency: string) =>
      api.exchange({
        method: "POST",
        path: `${page}/choose/`,
        body: JSON.stringify({ currency }),
        headers: { "content-type": "application/json" },
      });
    for (let asked = 0; asked < 4; asked += 1) expect((await state()).status).toBe(200);
    const refused = await state();
    expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
    const shown = (accept: string) =>
      api.exchange({ method: "GET", path: page, headers: { accept } });
    const seen = await shown("text/html,application/xhtml+xml,*/*;q=0.8");
    const seconds = Number(seen.headers["retry-after"]);
    expect([seen.status, seconds > 0 && seconds <= 60]).toEqual([429, true]);
    expect(seen.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(seen.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(seen.body).toContain(`{"failure":"throttled","retryAfterSeconds":${seconds}}`);
    const told429 = await shown("application/json");
    expect([told429.status, JSON.parse(told429.body)]).toMatchObject([
      429,
      { errors: [{ code: "throttled" }] },
    ]);
    expect((await choose("99")).status).toBe(400);
    expect((await choose("99")).status).toBe(400);
    expect((await choose("99")).status).toBe(429);
    const read = await api.ask({ method: "GET", path: `/deposit/${created.one.id}/`, as: token });
    expect(describeResponse(read)).toBe("200");
    expect(read.one.attributes["address"]).toBeNull();
  });
});
