import { describe, expect, it } from "vitest";
import { createSession, type SessionToken } from "./session.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");

function setUp(answers: readonly (string | null)[], isMarked = true) {
  const remaining = [...answers];
  const seen = { renewals: 0, notifications: 0, isMarked, nowMs: startMs };
  const token = (access: string): SessionToken => ({
    access,
    access_expired_at: new Date(seen.nowMs + 900_000).toISOString(),
  });
  const session = createSession(
    () => {
      seen.renewals += 1;
      const next = remaining.shift() ?? null;
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
    seen.notifications += 1;
  });
  return { session, seen, token };
}

describe("createSession", () => {
  it("renews once for concurrent calls after a reload", async () => {
    const { session, seen } = setUp(["a"]);
    expect(await Promise.all([session.getToken(), session.getToken()])).toEqual(["a", "a"]);
    expect(await session.getToken()).toBe("a");
    expect(seen).toMatchObject({ renewals: 1, notifications: 1, isMarked: true });
  });

  it("does not call the service when no one was signed in", async () => {
    const { session, seen } = setUp(["a"], false);
    expect(await session.getToken()).toBeNull();
    expect(seen.renewals).toBe(0);
  });

  it("renews a token before it expires and when it was rejected", async () => {
    const { session, seen, token } = setUp(["b", "c"], false);
    session.start(token("a"));
    seen.nowMs += 860_000;
    expect(await session.getToken()).toBe("a");
    seen.nowMs += 15_000;
    expect(await session.getToken()).toBe("b");
    expect(await session.getToken("a")).toBe("b");
    expect(await session.getToken("b")).toBe("c");
    expect(seen.renewals).toBe(2);
  });

  it("ends the session when renewal is refused", async () => {
    const { session, seen, token } = setUp([null], false);
    session.start(token("a"));
    expect(await session.getToken("a")).toBeNull();
    expect(await session.getToken()).toBeNull();
    expect(session.token()).toBeNull();
    expect(seen).toMatchObject({ renewals: 1, isMarked: false });
  });

  it("ignores an expiry that is implausible by the local clock", async () => {
    const { session, seen } = setUp(["b"], false);
    session.start({ access: "a", access_expired_at: new Date(startMs - 5_000).toISOString() });
    expect(await session.getToken()).toBe("a");
    expect(seen.renewals).toBe(0);
  });

  it("gives no token while the session ends, and none after that", async () => {
    const { session, seen, token } = setUp([], false);
    session.start(token("a"));
    const ended = Promise.withResolvers<undefined>();
    const ending = session.endAfter(ended.promise);
    const asked = session.getToken();
    expect(seen).toMatchObject({ isMarked: true, notifications: 1 });
    ended.resolve(undefined);
    await ending;
    expect(await asked).toBeNull();
    expect(seen).toMatchObject({ isMarked: false, notifications: 2, renewals: 0 });
  });

  it("continues when the service did not end it", async () => {
    const { session, seen, token } = setUp([], false);
    session.start(token("a"));
    const ending = session.endAfter(Promise.reject(new Error("unreachable")));
    const asked = session.getToken();
    await expect(ending).rejects.toThrow("unreachable");
    expect(await asked).toBe("a");
    expect(seen).toMatchObject({ isMarked: true, notifications: 1, renewals: 0 });
  });
});
