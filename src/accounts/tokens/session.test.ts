import { createHash, createHmac } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  apiProcess,
  arrangeMember,
  testTokenSettings,
} from "../../../test/support/test-accounts.ts";
import { statement } from "../../platform/db/database.ts";
import { secondsBetween } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { revokeCredential } from "../credentials/change-credential.ts";
import { deleteExpired } from "../delete-expired.ts";
import { changeMember, type MemberChange } from "../members/change-member.ts";
import { createAccessTokens } from "./access-token.ts";
import { grantClientAccess, logIn } from "./log-in.ts";
import { tokenDigest } from "./opaque-token.ts";
import { refreshSession } from "./refresh-session.ts";
import { keyReloadSeconds, rotateTokenKeys } from "./rotate-token-keys.ts";
import { createTokenKeys } from "./token-keys.ts";

const database = useDatabase();
const clock = manualClock();
const ip = "192.0.2.1";
let api: ReturnType<typeof apiProcess>;
beforeAll(() => {
  api = apiProcess(database.db, clock);
});

const asks = (token: string, from = ip): ReturnType<typeof api.authenticate> =>
  api.authenticate({ authorization: `Bearer ${token}`, ip: from, onlyReads: true });
const refusedFor = (detail: string): unknown =>
  expect.objectContaining({ rejections: [{ name: "unauthenticated", detail }] });
const refused = refusedFor("The token is missing, invalid or expired.");
const loginRefused = refusedFor("Incorrect login or password.");

describe("logIn", () => {
  it("returns an access token that authenticates the member", async () => {
    const member = await arrangeMember(api, { role: "withdrawals" });
    const { tokens } = await logIn(api, member, ip);
    expect(await asks(tokens.access)).toEqual({
      accountId: member.accountId,
      memberId: member.memberId,
      credentialId: member.id,
      role: "withdrawals",
      accountIsReady: true,
      wallets: "all",
      ip,
    });
  });

  it("issues tokens with the lifetimes of the settings", async () => {
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    const accessSeconds = secondsBetween(clock.now(), tokens.accessExpiresAt);
    expect(accessSeconds).toBeGreaterThan(15 * 60 - 1);
    expect(accessSeconds).toBeLessThanOrEqual(15 * 60);
    expect(secondsBetween(clock.now(), tokens.refreshExpiresAt)).toBe(6 * 3600);
  });

  it("signs the reply with the raw SHA-256 of login and password", async () => {
    const member = await arrangeMember(api);
    const { tokens, signature } = await logIn(api, member, ip);
    const key = createHash("sha256")
      .update(member.login + member.password)
      .digest();
    const sign = createHmac("sha256", key)
      .update(signature.time + tokens.refresh)
      .digest("hex");
    expect(signature.sign).toBe(sign);
  });

  it("issues an RFC 9068 token with a key id and without rights", async () => {
    const member = await arrangeMember(api);
    const { tokens } = await logIn(api, member, ip);
    expect(decodeProtectedHeader(tokens.access)).toEqual({
      alg: "EdDSA",
      typ: "at+jwt",
      kid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    expect(Object.keys(decodeJwt(tokens.access)).toSorted()).toEqual(
      ["account", "aud", "client_id", "exp", "family", "iat", "iss", "jti", "sub"].toSorted(),
    );
  });

  it("refuses a wrong password, an unknown login and a revoked credential alike", async () => {
    const member = await arrangeMember(api);
    const revoked = await arrangeMember(api);
    await revokeCredential(api, "operator", revoked);
    for (const { login, password } of [
      { login: member.login, password: "wrong" },
      { login: member.login, password: "" },
      { login: "unknown", password: member.password },
      { login: "nul\0", password: member.password },
      { login: member.login, password: revoked.password },
      revoked,
    ]) {
      await expect(logIn(api, { login, password }, ip)).rejects.toEqual(loginRefused);
      await expect(grantClientAccess(api, { login, password }, ip)).rejects.toEqual(loginRefused);
    }
  });
});

describe("authenticate", () => {
  it("refuses malformed, forged and foreign tokens", async () => {
    const member = await arrangeMember(api);
    const { tokens } = await logIn(api, member, ip);
    const [head = "", body = "", signature = ""] = tokens.access.split(".");
    const forge = (header: object): string =>
      `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${body}.${signature}`;
    const kid = decodeProtectedHeader(tokens.access).kid!;
    const symmetric = await new SignJWT(decodeJwt(tokens.access))
      .setProtectedHeader({ alg: "HS256", kid, typ: "at+jwt" })
      .sign(new Uint8Array(32));
    for (const authorization of [
      null,
      "",
      "Bearer",
      "Bearer ",
      tokens.access,
      `Basic ${tokens.access}`,
      `Bearer ${tokens.access} x`,
      `Bearer ${tokens.refresh}`,
      `Bearer ${tokens.access.slice(0, -2)}`,
      `Bearer ${head}.${body}.`,
      `Bearer ${forge({ alg: "none", kid, typ: "at+jwt" })}`,
      `Bearer ${forge({ alg: "EdDSA", kid: "unknown", typ: "at+jwt" })}`,
      `Bearer ${forge({ alg: "EdDSA", typ: "at+jwt" })}`,
      `Bearer ${forge({ alg: "EdDSA", kid, typ: "JWT" })}`,
      `Bearer ${symmetric}`,
      `Bearer ${"a".repeat(100_000)}`,
      `Bearer ${"a".repeat(3000)}.a.a`,
    ])
      await expect(api.authenticate({ authorization, ip, onlyReads: true })).rejects.toEqual(
        refused,
      );
    await expect(
      api.authenticate({ authorization: `bearer  ${tokens.access}`, ip, onlyReads: true }),
    ).resolves.toBeDefined();
  });

  it("refuses a token for another audience or from another issuer", async () => {
    const member = await arrangeMember(api);
    const { tokens } = await logIn(api, member, ip);
    const { familyId, accountId, credentialId } = (await api.accessTokens.verify(tokens.access))!;
    const keys = createTokenKeys(api, testTokenSettings);
    for (const other of [{ issuer: "http://elsewhere.test" }, { audience: "another" }]) {
      const elsewhere = createAccessTokens(api, keys, { ...testTokenSettings, ...other });
      const { token } = await elsewhere.sign({ familyId, accountId, credentialId });
      expect(await elsewhere.verify(token)).not.toBeNull();
      await expect(asks(token)).rejects.toEqual(refused);
    }
  });

  it("refuses an access token after fifteen minutes, even a cached one", async () => {
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    await asks(tokens.access);
    clock.advance(15 * 60 - 1);
    await expect(asks(tokens.access)).resolves.toBeDefined();
    clock.advance(1);
    await expect(asks(tokens.access)).rejects.toEqual(refused);
    await expect(
      apiProcess(database.db, clock).authenticate({
        authorization: `Bearer ${tokens.access}`,
        ip,
        onlyReads: true,
      }),
    ).rejects.toEqual(refused);
  });

  it("refuses the tokens of a revoked credential at once", async () => {
    const member = await arrangeMember(api);
    const { tokens } = await logIn(api, member, ip);
    await asks(tokens.access);
    await revokeCredential(api, "operator", member);
    await expect(asks(tokens.access)).rejects.toEqual(refused);
    await expect(refreshSession(api, tokens.refresh, ip)).rejects.toEqual(refused);
  });

  it("reads role, wallets and readiness on each request", async () => {
    const member = await arrangeMember(api, { role: "read_only" });
    const { accountId, memberId: id } = member;
    const change = (changed: MemberChange) =>
      changeMember(api, "operator", { accountId, id }, changed);
    const wallets = await database.sql<{ id: string }>(
      `insert into wallet (account_id, type, currency, label, status, created_at)
     select $1, 2, '1002', 'w', 3, '2026-01-01' from generate_series(1, 3) returning id`,
      [accountId],
    );
    const [payable, viewable] = wallets.map((wallet) => wallet.id);
    const { tokens } = await logIn(api, member, ip);
    expect((await asks(tokens.access)).role).toBe("read_only");

    const granted = new Map([
      [payable!, { mayPay: true }],
      [viewable!, { mayPay: false }],
    ]);
    await change({ role: "withdrawals", wallets: granted });
    await database.sql("update account set is_ready = false where id = $1", [accountId]);
    const principal = await asks(tokens.access);
    expect(principal).toMatchObject({ role: "withdrawals", accountIsReady: false });
    expect(principal.wallets).toEqual(granted);

    await change({ wallets: new Map() });
    expect((await asks(tokens.access)).wallets).toEqual(new Map());
    await change({ role: "admin", wallets: "all" });
    expect(await asks(tokens.access)).toMatchObject({ role: "admin", wallets: "all" });
  });

  it("refuses a credential outside its networks, and reveals that only after a correct password", async () => {
    const member = await arrangeMember(api, { allowedNetworks: ["192.0.2.0/24"] });
    const { tokens } = await logIn(api, member, ip);
    await expect(asks(tokens.access, "::ffff:192.0.2.200")).resolves.toBeDefined();
    const elsewhere = "198.51.100.1";
    const notAllowed: unknown = expect.objectContaining({
      rejections: [expect.objectContaining({ name: "addressNotAllowed" }) as unknown],
    });
    await expect(asks(tokens.access, elsewhere)).rejects.toEqual(notAllowed);
    await expect(logIn(api, member, elsewhere)).rejects.toEqual(notAllowed);
    await expect(refreshSession(api, tokens.refresh, elsewhere)).rejects.toEqual(notAllowed);
    await expect(logIn(api, { login: member.login, password: "wrong" }, elsewhere)).rejects.toEqual(
      loginRefused,
    );
    await expect(refreshSession(api, tokens.refresh, ip)).resolves.toBeDefined();
  });

  it("answers each of many parallel requests for its own token", async () => {
    const members = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        arrangeMember(api, { role: index % 2 === 0 ? "admin" : "read_only" }),
      ),
    );
    const tokens = await Promise.all(members.map((member) => logIn(api, member, ip)));
    await revokeCredential(api, "operator", members[3]!);
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => asks(tokens[index % 4]!.tokens.access)),
    );
    answers.forEach((answer, index) => {
      if (index % 4 === 3) expect(answer.status).toBe("rejected");
      else
        expect(answer).toMatchObject({
          status: "fulfilled",
          value: {
            credentialId: members[index % 4]!.id,
            role: index % 2 === 0 ? "admin" : "read_only",
          },
        });
    });
  });
});

describe("refreshSession", () => {
  it("returns a new pair and invalidates the old refresh token", async () => {
    const member = await arrangeMember(api);
    const { tokens: first } = await logIn(api, member, ip);
    const second = await refreshSession(api, first.refresh, ip);
    expect(second.refresh).not.toBe(first.refresh);
    expect((await asks(second.access)).credentialId).toBe(member.id);
    const third = await refreshSession(api, second.refresh, ip);
    await expect(asks(third.access)).resolves.toBeDefined();
  });

  it("ends the whole session, and no other, when a refresh token is used twice", async () => {
    const member = await arrangeMember(api);
    const warnings: string[] = [];
    const watched = {
      ...api,
      logger: { ...silentLogger, warn: (message: string) => warnings.push(message) },
    };
    const { tokens: first } = await logIn(watched, member, ip);
    const { tokens: untouched } = await logIn(watched, member, ip);
    const second = await refreshSession(watched, first.refresh, ip);
    await expect(refreshSession(watched, first.refresh, ip)).rejects.toEqual(refused);
    await expect(refreshSession(watched, second.refresh, ip)).rejects.toEqual(refused);
    await expect(asks(second.access)).rejects.toEqual(refused);
    await expect(asks(first.access)).rejects.toEqual(refused);
    await expect(asks(untouched.access)).resolves.toBeDefined();
    expect(warnings).toHaveLength(1);
  });

  it("answers exactly one of several parallel refreshes, and ends the session", async () => {
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    const other = apiProcess(database.db, clock);
    // The token's row stays locked until all of them wait for it, so that they really compete.
    const racing = await database.db.transaction(async (tx) => {
      await tx.query(
        statement("test.hold", "select 1 from refresh_token where digest = $1 for update"),
        [tokenDigest(tokens.refresh)],
      );
      const refreshes = Array.from({ length: 6 }, (_, index) =>
        refreshSession(index % 2 === 0 ? api : other, tokens.refresh, ip),
      );
      const settled = Promise.allSettled(refreshes);
      await untilWaitingForLocks(6);
      return { settled };
    });
    const answers = await racing.settled;
    const won = answers.filter((answer) => answer.status === "fulfilled");
    expect(won).toHaveLength(1);
    await expect(asks(won[0]!.value.access)).rejects.toEqual(refused);
    await expect(refreshSession(api, won[0]!.value.refresh, ip)).rejects.toEqual(refused);
  });

  async function untilWaitingForLocks(sessions: number): Promise<void> {
    for (;;) {
      const [row] = await database.sql<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (row!.waiting === sessions) return;
      await systemClock.sleep(5);
    }
  }

  it("refuses an unknown, foreign or expired refresh token", async () => {
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    for (const text of ["", "unknown", tokens.access, `${tokens.refresh}x`])
      await expect(refreshSession(api, text, ip)).rejects.toEqual(refused);
    clock.advance(6 * 3600);
    await expect(refreshSession(api, tokens.refresh, ip)).rejects.toEqual(refused);
  });

  it("ends a session after a day, however often it is refreshed", async () => {
    let { tokens } = await logIn(api, await arrangeMember(api), ip);
    const start = clock.now();
    while (secondsBetween(start, clock.now()) < 20 * 3600) {
      clock.advance(5 * 3600);
      tokens = await refreshSession(api, tokens.refresh, ip);
    }
    expect(secondsBetween(start, tokens.refreshExpiresAt)).toBe(24 * 3600);
    clock.advance(4 * 3600);
    await expect(refreshSession(api, tokens.refresh, ip)).rejects.toEqual(refused);
  });
});

describe("grantClientAccess", () => {
  it("issues an access token that works like a session's", async () => {
    const member = await arrangeMember(api);
    const grant = await grantClientAccess(api, member, ip);
    expect((await asks(grant.access)).credentialId).toBe(member.id);
  });
});

describe("rotateTokenKeys", () => {
  it("signs with the new key, and verifies with the old one until its last token expires", async () => {
    const member = await arrangeMember(api);
    const other = apiProcess(database.db, clock);
    const { tokens: before } = await logIn(api, member, ip);
    const keyId = await rotateTokenKeys(api, testTokenSettings);
    const fromOther = await logIn(other, member, ip);
    expect(decodeProtectedHeader(fromOther.tokens.access).kid).toBe(keyId);
    // This process has not loaded the new key yet, but accepts its token.
    await expect(asks(fromOther.tokens.access)).resolves.toBeDefined();
    await expect(asks(before.access)).resolves.toBeDefined();

    clock.advance(keyReloadSeconds);
    const { tokens: after } = await logIn(api, member, ip);
    expect(decodeProtectedHeader(after.access).kid).toBe(keyId);
    await expect(asks(before.access)).resolves.toBeDefined();
  });
});

describe("createTokenKeys", () => {
  it("stops verifying with a deleted key after the next reload", async () => {
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    await asks(tokens.access);
    await database.sql("delete from token_key where id = $1", [
      decodeProtectedHeader(tokens.access).kid!,
    ]);
    clock.advance(keyReloadSeconds);
    await expect(asks(tokens.access)).rejects.toEqual(refused);
  });

  it("replaces a key before it retires while a token is valid", async () => {
    const { tokens: old } = await logIn(api, await arrangeMember(api), ip);
    clock.advance(testTokenSettings.keySeconds - 60);
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    expect(decodeProtectedHeader(tokens.access).kid).not.toBe(
      decodeProtectedHeader(old.access).kid,
    );
    clock.advance(14 * 60);
    await expect(asks(tokens.access)).resolves.toBeDefined();
  });
});

describe("deleteExpired", () => {
  it("deletes expired sessions and keys, and keeps the others", async () => {
    await logIn(api, await arrangeMember(api), ip);
    clock.advance(testTokenSettings.keySeconds + 86_400);
    const { tokens } = await logIn(api, await arrangeMember(api), ip);
    await deleteExpired(api);
    const [counts] = await database.sql<{ families: string; refreshes: string; keys: string }>(
      `select (select count(*) from token_family) as families,
            (select count(*) from refresh_token) as refreshes,
            (select count(*) from token_key) as keys`,
    );
    expect(counts).toEqual({ families: "1", refreshes: "1", keys: "1" });
    await expect(asks(tokens.access)).resolves.toBeDefined();
  });
});
