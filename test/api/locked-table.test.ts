import { beforeAll, describe, expect, it } from "vitest";
import { statement } from "../../src/platform/db/database.ts";
import { useDatabase } from "../support/database.ts";
import { fillPool } from "../support/deposit-world.ts";
import { useWholeApi } from "../support/whole-api.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  setPrices,
  type Tenant,
} from "../support/whole-tenant.ts";

const database = useDatabase();
const api = useWholeApi(database, {
  database: { url: database.url, lock_timeout_seconds: 1 },
});

const lockDeposits = statement<never>(
  "test.lock-deposits",
  "lock table deposit in access exclusive mode",
);

let tenant: Tenant;
let depositPath = "";

beforeAll(async () => {
  await fillPool(api.world(), "evm", "", 20);
  await setPrices(api, { ETH: 2000, USDT: 1 });
  tenant = await arrangeTenant(api);
  const id = await arrangeDepositOf(api, tenant.token, newDeposit(tenant.wallets.ether));
  depositPath = `/deposit/${id}/`;
});

const get = (path: string) => api.ask({ method: "GET", path, as: tenant.token });
const statusOf = async (path: string) =>
  (await api.exchange({ method: "GET", path, as: tenant.token })).status;

/** Requests that read or write the locked table, by every kind of connection. */
function askForDeposits() {
  return Promise.all([
    ...Array.from({ length: 6 }, () => get(depositPath)),
    get("/deposit/"),
    get("/deposit/?page[size]=10&page[after]="),
    api.ask({
      method: "POST",
      path: "/deposit/",
      as: tenant.token,
      body: newDeposit(tenant.wallets.ether),
    }),
  ]);
}

const unrelated = ["/currency/", "/wallet/", "/rates/", "/readyz", "/currency/1002/"];

/** Runs `work` while another connection holds the table; resolves once the lock is released. */
async function whileDepositsAreLocked(work: () => Promise<void>): Promise<void> {
  await database.db.transaction(async (tx) => {
    await tx.query(lockDeposits);
    await work();
  });
}

describe("an api whose deposit table is locked by another session", () => {
  it("answers requests on other tables, answers 503 on deposits, and recovers once the lock is gone", async () => {
    await whileDepositsAreLocked(async () => {
      const onDeposits = askForDeposits();
      for (let round = 0; round < 3; round += 1) {
        const statuses = await Promise.all(unrelated.map(statusOf));
        expect(statuses).toEqual(unrelated.map(() => 200));
      }
      for (const { status, headers, errors } of await onDeposits) {
        expect([status, errors[0]?.status]).toEqual([503, "503"]);
        expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
      }
    });
    const statuses = (await askForDeposits()).map(({ status }) => status);
    expect(statuses).toEqual([...Array.from({ length: 8 }, () => 200), 201]);
  });
});
