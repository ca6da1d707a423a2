import { describe, expect, it } from "vitest";
import { createClient } from "../../../../client/src/create-client.ts";
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

describe("two tabs of a browser", () => {
  /** Tabs that share the session's cookie and the marker. A token is its member's name and a number. */
  function browser() {
    const shared = { cookie: "", isMarked: false, renewals: 0, issued: 0 };
    const tokenOf = (member: string): SessionToken => {
      shared.issued += 1;
      const access_expired_at = new Date(startMs + 900_000).toISOString();
      return { access: `${member} ${shared.issued}`, access_expired_at, member_id: member };
    };
    const tab = () => {
      const session = createSession(
        () => {
          shared.renewals += 1;
          return Promise.resolve(shared.cookie === "" ? null : tokenOf(shared.cookie));
        },
        {
          isSet: () => shared.isMarked,
          set: (isSet) => {
            shared.isMarked = isSet;
          },
        },
        () => startMs,
      );
      const seen = { ends: 0 };
      session.subscribe(() => {
        if (session.token() === null) seen.ends += 1;
      });
      const signIn = (member: string): void => {
        shared.cookie = member;
        session.start(tokenOf(member));
      };
      return { session, seen, signIn };
    };
    return { shared, tab };
  }

  it("end the session of one when another member signs in in the other, and send nothing as that member", async () => {
    const { shared, tab } = browser();
    const [first, second] = [tab(), tab()];
    first.signIn("ada");
    expect(await second.session.getToken()).toBe("ada 2");
    expect(second.session.memberId()).toBe("ada");
    first.session.end();
    first.signIn("ben");
    const sent: (string | null)[] = [];
    const api = createClient(
      {
        baseUrl: "https://sluice.test",
        getAccessToken: async (rejected, former) => {
          const token = await second.session.getToken(rejected, former);
          if (token === null) throw new Error("signed out");
          return token;
        },
      },
      {
        fetch: (_url, init) => {
          sent.push(new Headers(init.headers).get("authorization"));
          return Promise.resolve(new Response("{}", { status: 401 }));
        },
      },
    );
    const requests = [api.get("/me/"), api.get("/me/")];
    for (const request of requests) await expect(request).rejects.toThrow("signed out");
    expect(sent).toEqual(["Bearer ada 2", "Bearer ada 2"]);
    expect([second.session.token(), second.session.memberId()]).toEqual([null, null]);
    expect(second.seen.ends).toBe(1);
    const { renewals } = shared;
    expect(await second.session.getToken()).toBeNull();
    expect(shared).toMatchObject({ isMarked: true, renewals });
    expect(await first.session.getToken()).toBe("ben 3");
    second.signIn("cleo");
    expect(await second.session.getToken()).toBe(second.session.token());
    expect(second.session.memberId()).toBe("cleo");
  });

  it("continue when the same member signs in again", async () => {
    const { tab } = browser();
    const [first, second] = [tab(), tab()];
    first.signIn("ada");
    await second.session.getToken();
    first.session.end();
    first.signIn("ada");
    expect(await second.session.getToken(second.session.token())).toBe("ada 4");
    expect(second.seen.ends).toBe(0);
  });

  it("give no token to a request that the former session of the tab had sent", async () => {
    const { tab } = browser();
    const { session, seen, signIn } = tab();
    signIn("ada");
    const former = session.token();
    session.end();
    signIn("ben");
    expect(await session.getToken(former)).toBeNull();
    // It failed, and is to be repeated.
    expect(await session.getToken(null, former)).toBeNull();
    expect(await session.getToken()).toBe("ben 2");
    expect(seen.ends).toBe(1);
  });

  it("show nothing of the former member when another one signs in over it", () => {
    const { tab } = browser();
    const { session, seen, signIn } = tab();
    signIn("ada");
    signIn("ben");
    expect([seen.ends, session.memberId()]).toEqual([1, "ben"]);
  });
});
