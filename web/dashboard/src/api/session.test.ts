import { expect, test } from "vitest";
import { createSession, type SessionToken } from "./session.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");

function stage(answers: readonly (string | null)[], isMarked = true) {
  const waiting = [...answers];
  const seen = { asked: 0, told: 0, isMarked, nowMs: startMs };
  const token = (access: string): SessionToken => ({
    access,
    access_expired_at: new Date(seen.nowMs + 900_000).toISOString(),
  });
  const session = createSession(
    () => {
      seen.asked += 1;
      const next = waiting.shift() ?? null;
      return Promise.resolve(next === null ? null : token(next));
    },
    {
      isSet: () => seen.isMarked,
      set: (isSet) => {
        seen.isMarked = isSet;
      },
    },
    () => seen.nowMs,
  );
  session.subscribe(() => {
    seen.told += 1;
  });
  return { session, seen, token };
}

test("a page that begins anew continues the session by its cookie, and asks once for all", async () => {
  const { session, seen } = stage(["a"]);
  expect(await Promise.all([session.ensure(), session.ensure()])).toEqual(["a", "a"]);
  expect(await session.ensure()).toBe("a");
  expect(seen).toMatchObject({ asked: 1, told: 1, isMarked: true });
});

test("where nobody was signed in the service is not asked", async () => {
  const { session, seen } = stage(["a"], false);
  expect(await session.ensure()).toBeNull();
  expect(seen.asked).toBe(0);
});

test("a token is renewed before it ends, and when it was refused", async () => {
  const { session, seen, token } = stage(["b", "c"], false);
  session.begin(token("a"));
  seen.nowMs += 860_000;
  expect(await session.ensure()).toBe("a");
  seen.nowMs += 15_000;
  expect(await session.ensure()).toBe("b");
  expect(await session.ensure("a")).toBe("b");
  expect(await session.ensure("b")).toBe("c");
  expect(seen.asked).toBe(2);
});

test("a refused renewal ends the session, once and for all", async () => {
  const { session, seen, token } = stage([null], false);
  session.begin(token("a"));
  expect(await session.ensure("a")).toBeNull();
  expect(await session.ensure()).toBeNull();
  expect(session.token()).toBeNull();
  expect(seen).toMatchObject({ asked: 1, isMarked: false });
});

test("an end that this machine's clock cannot believe is left to the service", async () => {
  const { session, seen } = stage(["b"], false);
  session.begin({ access: "a", access_expired_at: new Date(startMs - 5_000).toISOString() });
  expect(await session.ensure()).toBe("a");
  expect(seen.asked).toBe(0);
});
