import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import {
  actAs,
  auditedActions,
  type Browser,
  outcome,
  type PeopleApi,
  peopleApi,
} from "../../../test/support/people-api.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import { readSigningKeys } from "../../accounts/credentials/read-signing-keys.ts";
import type { WalletRights } from "../../accounts/principal.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { credentialRoutes } from "./credential.ts";
import { meRoutes } from "./me.ts";
import { sessionRoutes } from "./session.ts";
import { tokenRoutes } from "./token.ts";
import { webhookSecretRoutes } from "./webhook-secret.ts";

/* API keys and the webhook secret over HTTP. */

const database = useDatabase();
const clock = manualClock();
let api: PeopleApi;
beforeAll(() => {
  api = peopleApi(database.db, clock, (context) => [
    ...sessionRoutes(context),
    ...meRoutes(context),
    ...credentialRoutes(context),
    ...webhookSecretRoutes(context),
    ...tokenRoutes(context),
  ]);
});

async function arrange(
  role: "owner" | "admin" | "read_only" = "owner",
  accountId?: string,
  wallets: WalletRights = "all",
) {
  const member = await api.arrangeMember({
    role,
    wallets,
    ...(accountId === undefined ? {} : { accountId }),
  });
  return { ...member, browser: await api.signIn(member) };
}

const act = (
  browser: Pick<Browser, "access">,
  method: string,
  url: string,
  attributes?: JsonObject,
  member?: string,
) =>
  actAs(
    api,
    browser,
    method,
    url,
    attributes === undefined
      ? undefined
      : {
          type: url.startsWith("/webhook") ? "webhook-secret" : "credential",
          attributes,
          ...(member === undefined ? {} : { member }),
        },
  );

const token = (login: string, password: string, ip = "192.0.2.1") =>
  api.ask("POST", "/token/", { ip, data: { type: "auth-token", attributes: { login, password } } });

describe("credential routes", () => {
  it("create a credential whose password is returned once, and revoke it", async () => {
    const owner = await arrange();
    const created = await act(
      owner.browser,
      "POST",
      "/credential/",
      { label: "Web shop", allowed_networks: ["192.0.2.77/24", "2001:db8::1"] },
      owner.memberId,
    );
    expect(outcome(created)).toBe("201");
    const { login, password } = created.one.attributes as { login: string; password: string };
    expect(created.one.attributes).toMatchObject({
      label: "Web shop",
      is_designated: false,
      revoked_at: null,
      allowed_networks: ["192.0.2.0/24", "2001:db8::1/128"],
    });
    expect((await token(login, password)).status).toBe(200);
    expect(outcome(await token(login, password, "198.51.100.1"))).toBe("403 2016");
    const path = `/credential/${created.one.id}/`;
    const got = await act(owner.browser, "GET", path);
    expect(got.one.attributes).not.toHaveProperty("password");
    expect(got.one.attributes["last_used_at"]).not.toBeNull();
    expect((await act(owner.browser, "POST", `${path}designate/`)).one.attributes).toMatchObject({
      is_designated: true,
    });
    const revoked = await act(owner.browser, "POST", `${path}revoke/`);
    expect(revoked.one.attributes["revoked_at"]).not.toBeNull();
    expect(outcome(await token(login, password))).toBe("401 2007");
    expect(outcome(await act(owner.browser, "POST", `${path}designate/`))).toBe("400 1007");
    const filter = async (text: string) =>
      (await act(owner.browser, "GET", `/credential/?filter[is_revoked]=${text}`)).resources.map(
        ({ id }) => id,
      );
    expect([await filter("true"), await filter("false")]).toEqual([[created.one.id], [owner.id]]);
    expect(await auditedActions(database, owner.accountId)).toEqual([
      "session.opened",
      "credential.created",
      "credential.designated",
      "credential.revoked",
    ]);
  });

  it("apply allowed networks at once, and require confirm: true for a list without the caller's address", async () => {
    const owner = await arrange();
    const path = `/credential/${owner.id}/`;
    const opened = await token(owner.login, owner.password);
    const program = { access: opened.one.attributes["access"] as string };
    const list = { allowed_networks: ["198.51.100.0/24"] };
    const before = await databaseDigest(database);
    expect(outcome(await act(owner.browser, "PATCH", path, list))).toBe(
      "400 1007 /data/attributes/allowed_networks",
    );
    expect(outcome(await act(owner.browser, "PATCH", path, { ...list, confirm: false }))).toBe(
      "400 1007 /data/attributes/allowed_networks",
    );
    expect(await databaseDigest(database)).toEqual(before);
    expect(
      (await act(owner.browser, "PATCH", path, { allowed_networks: ["192.0.2.1"] })).status,
    ).toBe(200);
    expect((await act(program, "GET", "/me/")).status).toBe(200);
    expect((await act(owner.browser, "PATCH", path, { ...list, confirm: true })).status).toBe(200);
    expect(outcome(await act(program, "GET", "/me/"))).toBe("403 2016");
    // A person's session uses no credential.
    expect(outcome(await act(owner.browser, "GET", "/me/"))).toBe("200");
  });

  it("name each malformed network", async () => {
    const owner = await arrange();
    const patch = (networks: unknown) =>
      act(owner.browser, "PATCH", `/credential/${owner.id}/`, {
        allowed_networks: networks,
      } as JsonObject);
    const at = "/data/attributes/allowed_networks";
    expect(outcome(await patch(["192.0.2.0/33", "10.0.0.0/8", "example.com", 4]))).toBe(
      `400 1007 ${at}/0 1007 ${at}/2 1007 ${at}/3`,
    );
    for (const networks of ["10.0.0.0/8", { 0: "10.0.0.0/8" }, new Array(101).fill("10.0.0.0/8")])
      expect(outcome(await patch(networks))).toBe(`400 1007 ${at}`);
    for (const network of ["", "::/129", "1.2.3/8", "fe80::1%eth0", "10.0.0.0/8/8"])
      expect(outcome(await patch([network]))).toBe(`400 1007 ${at}/0`);
  });

  it("refuse other roles and accounts, and change nothing", async () => {
    const owner = await arrange();
    const admin = await arrange("admin", owner.accountId);
    const reader = await arrange("read_only", owner.accountId);
    const stranger = await arrange();
    const opened = await token(owner.login, owner.password);
    const program = { access: opened.one.attributes["access"] as string };
    const path = `/credential/${owner.id}/`;
    const before = await databaseDigest(database);
    const create = (browser: Pick<Browser, "access">, member: string) =>
      act(browser, "POST", "/credential/", {}, member);
    expect(outcome(await create(reader.browser, reader.memberId))).toBe("403 permission_denied");
    expect(outcome(await create(program, owner.memberId))).toBe("403 permission_denied");
    // An Admin with an Owner's credential would have an Owner's rights.
    expect(outcome(await create(admin.browser, owner.memberId))).toBe("403 permission_denied");
    const unknown = "400 1007 /data/relationships/member";
    for (const member of [stranger.memberId, "99999999", "x"])
      expect(outcome(await create(owner.browser, member))).toBe(unknown);
    for (const action of ["revoke/", "designate/"]) {
      expect(outcome(await act(admin.browser, "POST", path + action))).toBe(
        "403 permission_denied",
      );
      expect(outcome(await act(reader.browser, "POST", path + action))).toBe(
        "403 permission_denied",
      );
      expect(outcome(await act(program, "POST", path + action))).toBe("403 permission_denied");
      expect(outcome(await act(stranger.browser, "POST", path + action))).toBe("404 404");
    }
    const label = { label: "mine" };
    expect(outcome(await act(admin.browser, "PATCH", path, label))).toBe("403 permission_denied");
    expect(outcome(await act(stranger.browser, "PATCH", path, label))).toBe("404 404");
    expect(outcome(await act(stranger.browser, "GET", path))).toBe("404 404");
    expect(outcome(await act(reader.browser, "GET", "/credential/"))).toBe("403 permission_denied");
    const listed = (await act(stranger.browser, "GET", "/credential/")).resources.map(
      ({ id }) => id,
    );
    expect(listed).toEqual([stranger.id]);
    expect(await databaseDigest(database)).toEqual(before);
    clock.advance(5 * 60);
    expect(outcome(await create(owner.browser, owner.memberId))).toBe("403 confirmation_required");
  });
});

describe("webhook secret routes", () => {
  it("show the secret after a recent confirmation, and sign with both secrets for a while after a rotation", async () => {
    const owner = await arrange();
    const { accountId, id: credentialId } = owner;
    const keys = async () => {
      const read = await readSigningKeys(api.context, [{ accountId, credentialId }]);
      const { webhookSecret, formerWebhookSecret } = read.get(credentialId)!;
      return [webhookSecret, formerWebhookSecret];
    };
    const [first] = await keys();
    const ask = (path: string, attributes?: JsonObject) =>
      act(owner.browser, path === "" ? "GET" : "POST", `/webhook-secret/${path}`, attributes);
    expect((await ask("")).one.attributes).toEqual({ rotated_at: null, former_until: null });
    expect((await ask("show/")).one.attributes["secret"]).toBe(first);
    const rotated = await ask("rotate/", {});
    const second = rotated.one.attributes["secret"];
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
    expect(await keys()).toEqual([second, first]);
    clock.advance(24 * 3600);
    expect(await keys()).toEqual([second, null]);
    const again = { ...owner, browser: await api.signIn(owner) };
    const now = await act(again.browser, "POST", "/webhook-secret/rotate/", { grace_hours: 0 });
    expect(await keys()).toEqual([now.one.attributes["secret"], null]);
    expect(now.one.attributes["former_until"]).toBeNull();
    const bad = await act(again.browser, "POST", "/webhook-secret/rotate/", { grace_hours: 721 });
    expect(outcome(bad)).toBe("400 1007 /data/attributes/grace_hours");
    expect(await auditedActions(database, accountId)).toEqual([
      "session.opened",
      "webhook_secret.shown",
      "webhook_secret.rotated",
      "session.opened",
      "webhook_secret.rotated",
    ]);
  });

  it("are out of reach of an Admin who sees only granted wallets, as is the default signing key", async () => {
    const owner = await arrange();
    const admin = await arrange("admin", owner.accountId, new Map());
    const before = await databaseDigest(database);
    for (const path of [
      "/webhook-secret/show/",
      "/webhook-secret/rotate/",
      `/credential/${admin.id}/designate/`,
    ]) {
      const attributes = path.includes("rotate") ? {} : undefined;
      expect(outcome(await act(admin.browser, "POST", path, attributes))).toBe(
        "403 permission_denied",
      );
    }
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("require an Owner or Admin who confirmed their identity", async () => {
    const owner = await arrange();
    const reader = await arrange("read_only", owner.accountId);
    const opened = await token(owner.login, owner.password);
    const program = { access: opened.one.attributes["access"] as string };
    for (const [method, path] of [
      ["GET", "/webhook-secret/"],
      ["POST", "/webhook-secret/show/"],
      ["POST", "/webhook-secret/rotate/"],
    ] as const) {
      const attributes = path.includes("rotate") ? {} : undefined;
      expect(outcome(await act(reader.browser, method, path, attributes))).toBe(
        "403 permission_denied",
      );
      if (method === "POST")
        expect(outcome(await act(program, method, path, attributes))).toBe("403 permission_denied");
    }
    clock.advance(5 * 60);
    for (const path of ["/webhook-secret/show/", "/webhook-secret/rotate/"])
      expect(
        outcome(await act(owner.browser, "POST", path, path.includes("rotate") ? {} : undefined)),
      ).toBe("403 confirmation_required");
  });
});
