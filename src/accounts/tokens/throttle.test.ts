import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { type ManualClock, manualClock } from "../../../test/support/manual-clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { deleteExpired } from "../delete-expired.ts";
import type { Principal } from "../principal.ts";
import { createThrottle, type ThrottleDecision, type ThrottleLimits } from "./throttle.ts";

const database = useDatabase();
const limits: ThrottleLimits = {
  read: 600,
  create: 50,
  calculate: 7,
  token: 15,
  page: 9,
  page_action: 3,
  payment_link: 3,
};
let nextCredential = 1;

function someone(): Principal {
  nextCredential += 1;
  return {
    accountId: "1",
    memberId: "1",
    credentialId: String(nextCredential),
    role: "owner",
    accountIsReady: true,
    wallets: "all",
  };
}

/** A process that counts the statements it sends. */
function process(clock: ManualClock): {
  take: ReturnType<typeof createThrottle>;
  statements: () => number;
} {
  let statements = 0;
  const db: Database = {
    ...database.db,
    query: (statement, values) => {
      statements += 1;
      return database.db.query(statement, values);
    },
  };
  const take = createThrottle({ db, clock, logger: silentLogger }, limits);
  return { take, statements: () => statements };
}

const allowed = (decisions: readonly ThrottleDecision[]): number =>
  decisions.filter((decision) => decision.isAllowed).length;

describe("createThrottle", () => {
  it("allows exactly the limit in a window of sequential requests", async () => {
    const clock = manualClock();
    const { take } = process(clock);
    const principal = someone();
    const decisions: ThrottleDecision[] = [];
    for (let index = 0; index < 60; index += 1) {
      decisions.push(await take({ budget: "create", principal, ip: "192.0.2.1" }));
      clock.advance(0.5);
    }
    expect(decisions.map((decision) => decision.isAllowed)).toEqual(
      Array.from({ length: 60 }, (_, index) => index < 50),
    );
    expect(decisions.map((decision) => decision.remaining)).toEqual(
      Array.from({ length: 60 }, (_, index) => Math.max(0, 49 - index)),
    );
    expect(decisions[0]).toMatchObject({ limit: 50, windowSeconds: 60, resetSeconds: 60 });
    expect(decisions[59]).toMatchObject({ limit: 50, windowSeconds: 60, resetSeconds: 31 });
  });

  it("begins a window with the first request, and the next one when it has ended", async () => {
    const clock = manualClock();
    const { take } = process(clock);
    const principal = someone();
    const burst = (): Promise<readonly ThrottleDecision[]> =>
      Promise.all(
        Array.from({ length: 10 }, () => take({ budget: "calculate", principal, ip: "192.0.2.1" })),
      );
    expect(allowed(await burst())).toBe(7);
    clock.advance(59.999);
    expect(allowed(await burst())).toBe(0);
    clock.advance(0.001);
    expect(allowed(await burst())).toBe(7);
  });

  it("allows exactly the limit across three processes that each receive it", async () => {
    const clock = manualClock();
    const processes = [process(clock), process(clock), process(clock)];
    const principal = someone();
    const decisions = await Promise.all(
      Array.from({ length: 1800 }, (_, index) =>
        processes[index % 3]!.take({ budget: "read", principal, ip: "192.0.2.1" }),
      ),
    );
    expect(allowed(decisions)).toBe(600);
  });

  it("never exceeds the limit across processes that receive requests in turn, and wastes little of it", async () => {
    const clock = manualClock();
    const processes = [process(clock), process(clock), process(clock)];
    const principal = someone();
    let passed = 0;
    for (let index = 0; index < 900; index += 1) {
      const { take } = processes[(index * index) % 3]!;
      passed += (await take({ budget: "read", principal, ip: "192.0.2.1" })).isAllowed ? 1 : 0;
    }
    expect(passed).toBeLessThanOrEqual(600);
    expect(passed).toBeGreaterThan(500);
  });

  it("leaves almost the whole limit to the others after one request to a process", async () => {
    const clock = manualClock();
    const [busy, idle] = [process(clock), process(clock)];
    const principal = someone();
    await idle.take({ budget: "read", principal, ip: "192.0.2.1" });
    let passed = 0;
    for (let index = 0; index < 620; index += 1)
      passed += (await busy.take({ budget: "read", principal, ip: "192.0.2.1" })).isAllowed ? 1 : 0;
    expect(passed).toBe(600 - 4);
  });

  it("needs no statement for most allowed requests, and none for a refused one", async () => {
    const clock = manualClock();
    const { take, statements } = process(clock);
    const principal = someone();
    for (let index = 0; index < 600; index += 1)
      await take({ budget: "read", principal, ip: "192.0.2.1" });
    expect(statements()).toBeLessThan(30);
    const before = statements();
    for (let index = 0; index < 100; index += 1)
      await take({ budget: "read", principal, ip: "192.0.2.1" });
    expect(statements() - before).toBe(0);
  });

  it("counts budgets, credentials and addresses separately", async () => {
    const clock = manualClock();
    const { take } = process(clock);
    const [one, other] = [someone(), someone()];
    const exhaust = async (request: Parameters<typeof take>[0]): Promise<number> =>
      allowed(await Promise.all(Array.from({ length: 60 }, () => take(request))));
    expect(await exhaust({ budget: "create", principal: one, ip: "192.0.2.1" })).toBe(50);
    expect(await exhaust({ budget: "create", principal: one, ip: "192.0.2.2" })).toBe(0);
    expect(await exhaust({ budget: "create", principal: other, ip: "192.0.2.1" })).toBe(50);
    expect(await exhaust({ budget: "calculate", principal: one, ip: "192.0.2.1" })).toBe(7);
    expect(await exhaust({ budget: "token", principal: null, ip: "192.0.2.1" })).toBe(15);
    expect(await exhaust({ budget: "token", principal: null, ip: "::ffff:192.0.2.1" })).toBe(0);
    expect(await exhaust({ budget: "token", principal: null, ip: "192.0.2.2" })).toBe(15);
  });

  it("lets reads and creates pass uncounted while the database is down, but no logins", async () => {
    const db: Database = {
      ...database.db,
      query: () => Promise.reject(new Unavailable("database", "no connection")),
    };
    const take = createThrottle({ db, clock: manualClock(), logger: silentLogger }, limits);
    const ip = "192.0.2.1";
    for (const budget of ["read", "create", "calculate"] as const)
      expect(await take({ budget, principal: someone(), ip })).toMatchObject({ isAllowed: true });
    await expect(take({ budget: "token", principal: null, ip })).rejects.toThrow(Unavailable);
  });

  it("counts again when the database is back", async () => {
    let isAway = true;
    const db: Database = {
      ...database.db,
      query: (statement, values) =>
        isAway
          ? Promise.reject(new Unavailable("database", "no connection"))
          : database.db.query(statement, values),
    };
    const take = createThrottle({ db, clock: manualClock(), logger: silentLogger }, limits);
    const request = { budget: "calculate", principal: someone(), ip: "192.0.2.1" } as const;
    const burst = (): Promise<readonly ThrottleDecision[]> =>
      Promise.all(Array.from({ length: 20 }, () => take(request)));
    expect(allowed(await burst())).toBe(20);
    isAway = false;
    expect(allowed(await burst())).toBe(7);
  });
});

describe("deleteExpired", () => {
  it("deletes windows that have ended", async () => {
    const clock = manualClock("2027-01-01T00:00:00Z");
    const { take } = process(clock);
    await take({ budget: "read", principal: someone(), ip: "192.0.2.1" });
    clock.advance(2 * 3600);
    await take({ budget: "read", principal: someone(), ip: "192.0.2.1" });
    await deleteExpired({ db: database.db, clock });
    expect(await database.sql("select bucket from throttle_window")).toEqual([
      { bucket: `read:credential/${nextCredential}` },
    ]);
  });
});
