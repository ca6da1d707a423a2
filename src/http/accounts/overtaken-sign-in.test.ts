import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  actAs,
  browserOf,
  outcome,
  type PeopleApi,
  peopleApi,
  signInData,
} from "../../../test/support/people-api.ts";
import type { TestMember } from "../../../test/support/test-accounts.ts";
import { recoveryCodeDigest } from "../../accounts/people/recovery-code.ts";
import type { Database } from "../../platform/db/database.ts";
import { meRoutes } from "./me.ts";
import { memberRoutes } from "./member.ts";
import { sessionRoutes } from "./session.ts";
import { sessionFactorRoutes } from "./session-factor.ts";

/*
 * A password that is replaced while a request of its former holder is under way, over HTTP: the process that serves the request stops at
 * one of its statements until the replacement has committed in another process.
 */

const database = useDatabase();
const clock = manualClock();
let api: PeopleApi;
/** Serves the requests that are overtaken. */
let slow: PeopleApi;
let stop: { readonly at: string; readonly reached: () => void; readonly go: Promise<void> } | null =
  null;

beforeAll(() => {
  const open = (db: Database) =>
    peopleApi(db, clock, (context) => [
      ...sessionRoutes(context),
      ...sessionFactorRoutes(context),
      ...meRoutes(context),
      ...memberRoutes(context),
    ]);
  api = open(database.db);
  slow = open({
    ...database.db,
    query: async (statement, values) => {
      if (stop?.at === statement.name) {
        const { reached, go } = stop;
        stop = null;
        reached();
        await go;
      }
      return database.db.query(statement, values);
    },
  });
});

beforeEach(() => {
  clock.advance(3_600);
});

/** Runs `other` while `request` waits before its statement `at`; returns the answer to the request. */
async function overtaken<Answer>(
  request: () => Promise<Answer>,
  at: string,
  other: () => Promise<unknown>,
): Promise<Answer> {
  const [reached, go] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  stop = {
    at,
    reached: () => {
      reached.resolve(undefined);
    },
    go: go.promise,
  };
  const answer = request();
  await reached.promise;
  await other().finally(() => {
    go.resolve(undefined);
  });
  return answer;
}

const signIn = ({ dashboard: { login, password } }: TestMember, at: PeopleApi = api) =>
  at.ask("POST", "/session/", { data: signInData(login, password) });

const next = "a password of today";

/** Changes the member's password from another browser. */
async function changePassword(member: TestMember) {
  const changed = await actAs(api, await api.signIn(member), "POST", "/me/password/", {
    type: "me",
    attributes: { password: next },
  });
  expect(outcome(changed)).toBe("200");
}

async function addTotp({ accountId, memberId }: TestMember) {
  await database.sql(
    `insert into totp (account_id, member_id, id, secret_sealed, created_at, confirmed_at)
     select $1, $2, coalesce(max(id), 0) + 1, '\\x00', '2026-01-01', '2026-01-01' from totp`,
    [accountId, memberId],
  );
}

const sessionsOf = ({ memberId }: TestMember) =>
  database.sql("select number from token_family where member_id = $1 and revoked_at is null", [
    memberId,
  ]);

describe("a sign-in with a password that is changed in the meantime", () => {
  it("opens no session", async () => {
    const member = await api.arrangeMember();
    const answer = await overtaken(
      () => signIn(member, slow),
      "factor.summary",
      () => changePassword(member),
    );
    expect(outcome(answer)).toBe("401 2007");
    // That of the browser in which the password was changed.
    expect(await sessionsOf(member)).toHaveLength(1);
  });

  it("gets no challenge of the second factor", async () => {
    const member = await api.arrangeMember();
    const browser = await api.signIn(member);
    await addTotp(member);
    const answer = await overtaken(
      () => signIn(member, slow),
      "factor.summary",
      () =>
        actAs(api, browser, "POST", "/me/password/", {
          type: "me",
          attributes: { password: next },
        }),
    );
    expect(outcome(answer)).toBe("401 2007");
    expect(
      await database.sql("select from challenge where member_id = $1", [member.memberId]),
    ).toEqual([]);
  });

  it("does not finish with a challenge of before", async () => {
    const member = await api.arrangeMember();
    const code = "0123-4567-89ab-cdef";
    const browser = await api.signIn(member);
    await addTotp(member);
    await database.sql(
      "insert into recovery_code (account_id, member_id, digest) values ($1, $2, $3)",
      [member.accountId, member.memberId, recoveryCodeDigest(code)],
    );
    const finish = (challenge: unknown) =>
      api.ask("POST", "/session/second-factor/", {
        data: {
          type: "session-token",
          attributes: { challenge: String(challenge), code },
        },
      });
    const due = await signIn(member);
    expect(outcome(due)).toBe("401 second_factor_required");
    const changed = await actAs(api, browser, "POST", "/me/password/", {
      type: "me",
      attributes: { password: next },
    });
    expect(outcome(changed)).toBe("200");
    const meta = (answer: typeof due) => answer.document["meta"] as { challenge: string };
    expect(outcome(await finish(meta(due).challenge))).toBe("401 2007");
    const again = await api.ask("POST", "/session/", {
      data: signInData(member.dashboard.login, next),
    });
    expect((await finish(meta(again).challenge)).status).toBe(200);
  });
});

describe("a change of the password by a session that a reset of access ends in the meantime", () => {
  it("leaves the initial password", async () => {
    const owner = await api.arrangeMember();
    const member = await api.arrangeMember({ accountId: owner.accountId });
    const thief = browserOf(await signIn(member));
    let initial = "";
    const answer = await overtaken(
      () =>
        actAs(slow, thief, "POST", "/me/password/", {
          type: "me",
          attributes: { password: "a horse of the thief" },
        }),
      "person-login.by-member",
      async () => {
        const path = `/member/${member.memberId}/reset-access/`;
        const reset = await actAs(api, await api.signIn(owner), "POST", path, {
          type: "member",
          attributes: {},
        });
        initial = reset.one.attributes["initial_password"] as string;
      },
    );
    expect(outcome(answer)).toBe("401 2007");
    const { login } = member.dashboard;
    expect(outcome(await signIn(member))).toBe("401 2007");
    expect((await api.signIn({ login, password: initial })).access).not.toBe("");
  });
});
