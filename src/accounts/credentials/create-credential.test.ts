import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  accountsContext,
  arrangeMember,
  type TestMember,
} from "../../../test/support/test-accounts.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { toDate } from "../../platform/kernel/timestamp.ts";
import type { AdministrationContext } from "../actor.ts";
import { createAccount } from "../create-account.ts";
import { callbackKeyOf } from "./callback-key.ts";
import { designateCredential, revokeCredential } from "./change-credential.ts";
import { createCredential } from "./create-credential.ts";
import type { Credential } from "./credential.ts";
import { listCredentials } from "./find-credential.ts";
import { readSigningKeys } from "./read-signing-keys.ts";

const database = useDatabase();
const clock = manualClock();
let context: AdministrationContext;
beforeAll(() => {
  context = accountsContext(database.db, clock);
});

async function createSecond({ accountId, memberId }: TestMember): Promise<Credential> {
  const input = { accountId, memberId, label: "", allowedNetworks: [] };
  return (await createCredential(context, "operator", input)).credential;
}

describe("callbackKeyOf", () => {
  it("is the raw SHA-256 of login and password without a separator", () => {
    expect(Buffer.from(callbackKeyOf("api_login", "api_password")).toString("hex")).toBe(
      "43ff5e780ce20c5b8faa0a6bc6614510ed6d5111b94b2b914f56a1c62d52e027",
    );
  });
});

describe("readSigningKeys", () => {
  it("opens the sealed keys of existing credentials", async () => {
    const account = await createAccount(context, { name: "Shop" });
    const first = await arrangeMember(context, { accountId: account.id });
    const second = await arrangeMember(context);
    const keys = await readSigningKeys(context, [
      { accountId: account.id, credentialId: first.id },
      { accountId: second.accountId, credentialId: second.id },
      { accountId: account.id, credentialId: second.id },
    ]);
    expect([...keys.keys()].toSorted()).toEqual([first.id, second.id].toSorted());
    const expected = createHash("sha256")
      .update(first.login + first.password)
      .digest();
    expect(Buffer.from(keys.get(first.id)!.callbackKey)).toEqual(expected);
    expect(keys.get(first.id)!.webhookSecret).toBe(account.webhookSecret);
    expect(keys.get(second.id)!.webhookSecret).not.toBe(account.webhookSecret);
  });
});

describe("createAccount", () => {
  it("generates a webhook secret that Standard Webhooks libraries accept", async () => {
    const { webhookSecret } = await createAccount(context, { name: "Shop" });
    const at = toDate(systemClock.now());
    const signature = new Webhook(webhookSecret).sign("msg_1", at, "{}");
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signature,
    };
    expect(new Webhook(webhookSecret).verify("{}", headers)).toEqual({});
    expect(Buffer.from(webhookSecret.slice("whsec_".length), "base64")).toHaveLength(32);
  });
});

describe("createCredential", () => {
  it("stores neither password, callback key nor webhook secret in plain text", async () => {
    const account = await createAccount(context, { name: "Shop" });
    const member = await arrangeMember(context, { accountId: account.id });
    const [row] = await database.sql<{ text: string }>(
      `select to_jsonb(c)::text || to_jsonb(a)::text as text
     from credential c join account a on a.id = c.account_id where c.id = $1`,
      [member.id],
    );
    const key = Buffer.from(callbackKeyOf(member.login, member.password)).toString("hex");
    const secret = Buffer.from(account.webhookSecret).toString("hex");
    expect(row!.text).toContain("$argon2id$");
    for (const readable of [member.password, key, secret, account.webhookSecret])
      expect(row!.text).not.toContain(readable);
  });

  it("generates long random logins and passwords", async () => {
    const one = await arrangeMember(context);
    const other = await arrangeMember(context, { accountId: one.accountId });
    expect(Buffer.from(one.password, "base64url")).toHaveLength(32);
    expect(Buffer.from(one.login, "base64url")).toHaveLength(16);
    expect(new Set([one.login, one.password, other.login, other.password]).size).toBe(4);
  });

  it("designates the first credential until another one is designated", async () => {
    const first = await arrangeMember(context);
    const { accountId } = first;
    const second = await createSecond(first);
    const designated = async () =>
      (await listCredentials(context, "operator", accountId)).filter(
        (credential) => credential.isDesignated,
      );
    expect(await designated()).toMatchObject([{ id: first.id }]);
    await designateCredential(context, "operator", { accountId, id: second.id });
    expect(await designated()).toMatchObject([{ id: second.id }]);
  });

  it("keeps a revoked credential listed with the time of its first revocation, and its key signing", async () => {
    const first = await arrangeMember(context, { allowedNetworks: ["10.1.2.3/8", "2001:db8::1"] });
    const { accountId, id } = first;
    const revokedAt = clock.now();
    await revokeCredential(context, "operator", first);
    clock.advance(1);
    await revokeCredential(context, "operator", first);
    const second = await createSecond(first);

    const listed = await listCredentials(context, "operator", accountId);
    expect(listed.map((credential) => credential.id)).toEqual([id, second.id]);
    expect(listed[0]).toMatchObject({
      revokedAt,
      isDesignated: true,
      allowedNetworks: ["10.0.0.0/8", "2001:db8::1/128"],
    });
    expect(listed[1]).toMatchObject({ revokedAt: null, isDesignated: false, allowedNetworks: [] });
    expect((await readSigningKeys(context, [{ accountId, credentialId: id }])).has(id)).toBe(true);
  });

  it("rejects a malformed network", async () => {
    await expect(arrangeMember(context, { allowedNetworks: ["10.0.0.0/64"] })).rejects.toThrow(
      /invalidValue/,
    );
  });
});
