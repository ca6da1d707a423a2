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
  signInData,
} from "../../../test/support/people-api.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { auditEntryRoutes } from "./audit-entry.ts";
import { credentialRoutes } from "./credential.ts";
import { meRoutes } from "./me.ts";
import { memberRoutes } from "./member.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import { sessionRoutes } from "./session.ts";
import { tokenRoutes } from "./token.ts";

/* Members over HTTP, and the audit log of changes to them. */

const database = useDatabase();
const clock = manualClock();
let api: PeopleApi;
beforeAll(() => {
  api = peopleApi(database.db, clock, (context) => [
    ...sessionRoutes(context),
    ...secondFactorRoutes(context),
    ...meRoutes(context),
    ...memberRoutes(context),
    ...credentialRoutes(context),
    ...auditEntryRoutes(context),
    ...tokenRoutes(context),
  ]);
});

async function arrangeOwner() {
  const member = await api.arrangeMember();
  return { ...member, browser: await api.signIn(member) };
}

const act = (
  browser: Pick<Browser, "access">,
  method: string,
  url: string,
  attributes?: JsonObject,
) =>
  actAs(
    api,
    browser,
    method,
    url,
    attributes === undefined ? undefined : { type: "member", attributes },
  );

async function walletOf(accountId: string): Promise<string> {
  const [row] = await database.sql<{ id: string }>(
    `insert into wallet (account_id, type, currency, label, status, created_at)
     values ($1, 2, '1002', 'w', 3, '2026-01-01') returning id`,
    [accountId],
  );
  return row!.id;
}

describe("member routes", () => {
  it("create a person who has no rights until the initial password is changed", async () => {
    const owner = await arrangeOwner();
    const wallet = await walletOf(owner.accountId);
    const added = await act(owner.browser, "POST", "/member/", {
      name: "Ada",
      role: "admin",
      login: "Ada@shop.example",
      wallet_grants: [{ wallet, may_pay: true }],
    });
    expect(outcome(added)).toBe("201");
    const { login, initial_password: initial } = added.one.attributes as {
      login: string;
      initial_password: string;
    };
    expect(login).toBe("ada@shop.example");
    const browser = await api.signIn({ login, password: initial });
    const me = async () => (await act(browser, "GET", "/me/")).one.attributes;
    expect(await me()).toMatchObject({
      role: "admin",
      must_change_password: true,
      all_wallets: false,
      wallet_grants: [],
    });
    expect(outcome(await act(browser, "GET", "/member/"))).toBe("403 permission_denied");
    const chosen = await actAs(api, browser, "POST", "/me/password/", {
      type: "me",
      attributes: { password: "a horse of my own" },
    });
    expect(outcome(chosen)).toBe("200");
    const own = { must_change_password: false, wallet_grants: [{ wallet, may_pay: true }] };
    expect(chosen.one.attributes).toMatchObject(own);
    expect(await me()).toMatchObject(own);
    expect((await act(browser, "GET", "/member/")).resources).toHaveLength(2);
    const listed = await act(owner.browser, "GET", `/member/${added.one.id}/`);
    expect(listed.one.attributes).not.toHaveProperty("initial_password");
  });

  it("change roles, names and grants from the next request on", async () => {
    const owner = await arrangeOwner();
    const other = await api.arrangeMember({ accountId: owner.accountId, role: "read_only" });
    const browser = await api.signIn(other);
    const wallet = await walletOf(owner.accountId);
    const path = `/member/${other.memberId}/`;
    await act(owner.browser, "PATCH", path, { role: "admin", name: "Bob" });
    expect((await act(browser, "GET", "/me/")).one.attributes).toMatchObject({
      role: "admin",
      name: "Bob",
      all_wallets: true,
    });
    await act(owner.browser, "PATCH", path, { wallet_grants: [{ wallet, may_pay: false }] });
    expect((await act(browser, "GET", "/me/")).one.attributes).toMatchObject({
      role: "admin",
      all_wallets: false,
      wallet_grants: [{ wallet, may_pay: false }],
    });
    await act(owner.browser, "PATCH", path, { all_wallets: true });
    expect((await act(browser, "GET", "/me/")).one.attributes).toMatchObject({
      all_wallets: true,
      wallet_grants: [],
    });
  });

  it("refuse invalid changes with a pointer, and change nothing", async () => {
    const owner = await arrangeOwner();
    const { accountId } = owner;
    const admin = await api.arrangeMember({ accountId, role: "admin" });
    const clerk = await api.arrangeMember({ accountId, role: "withdrawals" });
    const program = { name: "Shop system", role: "read_only" };
    const system = (await act(owner.browser, "POST", "/member/", program)).one.id;
    const foreign = await walletOf((await api.arrangeMember()).accountId);
    const asAdmin = await api.signIn(admin);
    const asClerk = await api.signIn(clerk);
    const [self, boss, person] = [
      `/member/${admin.memberId}/`,
      `/member/${owner.memberId}/`,
      { name: "X", role: "read_only" },
    ];
    const before = await databaseDigest(database);
    const expectations: readonly (readonly [
      Browser,
      string,
      string,
      JsonObject | undefined,
      string,
    ])[] = [
      [asClerk, "GET", "/member/", undefined, "403 permission_denied"],
      [asClerk, "GET", self, undefined, "403 permission_denied"],
      [asClerk, "POST", "/member/", person, "403 permission_denied"],
      [asClerk, "PATCH", self, { name: "X" }, "403 permission_denied"],
      [asClerk, "POST", `${self}deactivate/`, undefined, "403 permission_denied"],
      [asClerk, "POST", `${self}reset-access/`, { login: "sneaky" }, "403 permission_denied"],
      [asAdmin, "PATCH", self, { role: "owner" }, "403 permission_denied /data/attributes/role"],
      [
        asAdmin,
        "PATCH",
        boss,
        { role: "read_only" },
        "403 permission_denied /data/attributes/role",
      ],
      [asAdmin, "PATCH", boss, { name: "X" }, "403 permission_denied /data/attributes/role"],
      [
        asAdmin,
        "POST",
        `${boss}deactivate/`,
        undefined,
        "403 permission_denied /data/attributes/role",
      ],
      [asAdmin, "POST", `${boss}reset-access/`, { login: "sneaky" }, "403 permission_denied"],
      [
        asAdmin,
        "POST",
        "/member/",
        { ...person, role: "owner" },
        "403 permission_denied /data/attributes/role",
      ],
      [owner.browser, "PATCH", boss, { role: "admin" }, "400 1007 /data/attributes/role"],
      [owner.browser, "POST", `${boss}deactivate/`, undefined, "403 permission_denied"],
      [owner.browser, "POST", `${boss}reset-access/`, {}, "403 permission_denied"],
      [owner.browser, "POST", "/member/", { name: "X" }, "400 1007 /data/attributes/role"],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, role: "king" },
        "400 1007 /data/attributes/role",
      ],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, login: "a b" },
        "400 1007 /data/attributes/login",
      ],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, wallet_grants: [{ wallet: foreign }] },
        "400 1007 /data/attributes/wallet_grants/0/wallet",
      ],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, wallet_grants: [{ wallet: "99999999" }] },
        "400 1007 /data/attributes/wallet_grants/0/wallet",
      ],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, wallet_grants: "all" },
        "400 1007 /data/attributes/wallet_grants",
      ],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, wallet_grants: [{ wallet: "x" }] },
        "400 1007 /data/attributes/wallet_grants/0/wallet",
      ],
      [
        owner.browser,
        "POST",
        "/member/",
        { ...person, wallet_grants: [{ wallet: "1", may_pay: 2 }] },
        "400 1007 /data/attributes/wallet_grants/0/may_pay",
      ],
      [
        owner.browser,
        "POST",
        `/member/${system}/reset-access/`,
        {},
        "400 1007 /data/attributes/login",
      ],
    ];
    for (const [browser, method, url, attributes, expected] of expectations)
      expect([
        method,
        url,
        attributes,
        outcome(await act(browser, method, url, attributes)),
      ]).toEqual([method, url, attributes, expected]);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("refuse a deactivated member at once, and keep its old sessions ended after it is activated again", async () => {
    const owner = await arrangeOwner();
    const other = await api.arrangeMember({ accountId: owner.accountId, role: "admin" });
    const browser = await api.signIn(other);
    const token = () =>
      api.ask("POST", "/token/", {
        data: { type: "auth-token", attributes: { login: other.login, password: other.password } },
      });
    const program = await token();
    const programAccess = { access: program.one.attributes["access"] as string };
    const path = `/member/${other.memberId}/`;
    const ended = await act(owner.browser, "POST", `${path}deactivate/`);
    expect(ended.one.attributes).toMatchObject({ is_active: false });
    for (const answer of [
      await act(browser, "GET", "/me/"),
      await act(programAccess, "GET", "/me/"),
      await token(),
      await api.ask("POST", "/session/", { data: signInData(other.login, other.password) }),
      await api.ask("POST", "/session/refresh/", { cookie: browser.cookie }),
      await api.ask("POST", "/token/refresh/", {
        data: {
          type: "auth-token",
          attributes: { refresh: program.one.attributes["refresh"] as string },
        },
      }),
    ])
      expect(outcome(answer)).toBe("401 2007");
    expect((await act(owner.browser, "POST", `${path}activate/`)).one.attributes).toMatchObject({
      is_active: true,
    });
    expect((await act(browser, "GET", "/me/")).status).toBe(401);
    expect((await token()).status).toBe(200);
  });

  it("keep one Owner when two step down at the same time", async () => {
    const owner = await arrangeOwner();
    const second = await api.arrangeMember({ accountId: owner.accountId, role: "owner" });
    const browser = await api.signIn(second);
    const answers = await Promise.all([
      act(owner.browser, "PATCH", `/member/${owner.memberId}/`, { role: "admin" }),
      act(browser, "PATCH", `/member/${second.memberId}/`, { role: "admin" }),
    ]);
    expect(answers.map((answer) => outcome(answer)).toSorted()).toEqual([
      "200",
      "400 1007 /data/attributes/role",
    ]);
  });

  it("reset access to an initial password without second factors or sessions", async () => {
    const owner = await arrangeOwner();
    const added = await act(owner.browser, "POST", "/member/", {
      name: "Cy",
      role: "withdrawals",
      login: "cy-lost",
    });
    const first = added.one.attributes["initial_password"] as string;
    const browser = await api.signIn({ login: "cy-lost", password: first });
    const reset = await act(owner.browser, "POST", `/member/${added.one.id}/reset-access/`, {});
    const again = reset.one.attributes["initial_password"] as string;
    expect(again).not.toBe(first);
    expect((await act(browser, "GET", "/me/")).status).toBe(401);
    expect(
      outcome(await api.ask("POST", "/session/", { data: signInData("cy-lost", first) })),
    ).toBe("401 2007");
    await api.signIn({ login: "CY-lost", password: again });
    expect(await auditedActions(database, owner.accountId)).toEqual([
      "session.opened",
      "member.created",
      "session.opened",
      "member.access_reset",
      "session.refused",
      "session.opened",
    ]);
  });

  it("require a recent confirmation, and refuse programs", async () => {
    const owner = await arrangeOwner();
    const token = await api.ask("POST", "/token/", {
      data: { type: "auth-token", attributes: { login: owner.login, password: owner.password } },
    });
    const program = { access: token.one.attributes["access"] as string };
    const person = { name: "X", role: "read_only" };
    expect((await act(program, "GET", "/member/")).resources).toHaveLength(1);
    for (const answer of [
      await act(program, "POST", "/member/", person),
      await act(program, "PATCH", `/member/${owner.memberId}/`, { name: "X" }),
      await act(program, "POST", `/member/${owner.memberId}/deactivate/`),
    ])
      expect(outcome(answer)).toBe("403 permission_denied");
    clock.advance(5 * 60);
    expect(outcome(await act(owner.browser, "POST", "/member/", person))).toBe(
      "403 confirmation_required",
    );
  });
});

describe("audit log", () => {
  it("shows actions to Owners and Admins, filtered by action, member and time", async () => {
    const owner = await arrangeOwner();
    const { accountId, memberId } = owner;
    await act(owner.browser, "POST", "/member/", { name: "Dee", role: "read_only" });
    clock.advance(60);
    const clerk = await api.arrangeMember({ accountId, role: "withdrawals" });
    const asClerk = await api.signIn(clerk);
    expect(outcome(await act(asClerk, "GET", "/audit-entry/"))).toBe("403 permission_denied");
    const list = async (query: string) =>
      (await act(owner.browser, "GET", `/audit-entry/?${query}`)).resources.map(
        ({ attributes }) => attributes["action"],
      );
    const created = ["member.access_given", "credential.created", "member.created"];
    expect(await list("")).toEqual([
      ...["session.opened", ...created, "member.created", "session.opened"],
      ...[...created, "account.created"],
    ]);
    expect(await list("filter[action]=account.created")).toEqual(["account.created"]);
    expect(await list(`filter[member]=${clerk.memberId}`)).toEqual(["session.opened"]);
    const byOwner = `filter[action]=member.created&filter[member]=${memberId}`;
    const [entry] = (await act(owner.browser, "GET", `/audit-entry/?${byOwner}`)).resources;
    expect(entry?.attributes).toMatchObject({
      member_id: memberId,
      member_name: "Someone",
      credential_id: null,
      ip: "192.0.2.1",
      object_type: "member",
      summary: { name: "Dee", role: "read_only", wallets: "all" },
    });
    const at = entry!.attributes["created_at"] as string;
    expect(await list(`filter[created_at_to]=${at}`)).toEqual([
      ...["member.created", "session.opened", ...created, "account.created"],
    ]);
    expect(await list("sort=created_at&page[size]=1")).toEqual(["account.created"]);
    const [first] = (await act(owner.browser, "GET", "/audit-entry/?sort=created_at")).resources;
    expect(first?.attributes).toMatchObject({
      member_id: null,
      credential_id: null,
      ip: null,
      sequence: 1,
      object_type: "account",
      object_id: accountId,
      summary: { name: "Test" },
    });
    const [, other] = [owner, await arrangeOwner()];
    expect(outcome(await act(other.browser, "GET", `/audit-entry/${entry!.id}/`))).toBe("404 404");
    expect((await act(owner.browser, "GET", `/audit-entry/${entry!.id}/`)).one.id).toBe(entry!.id);
    // Its entries name the objects of every wallet.
    const narrow = await api.arrangeMember({ accountId, role: "admin", wallets: new Map() });
    const asNarrow = await api.signIn(narrow);
    expect(outcome(await act(asNarrow, "GET", "/audit-entry/"))).toBe("403 permission_denied");
  });
});
