import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { confirmMember } from "../../src/accounts/members/confirm-member.ts";
import type { Role } from "../../src/accounts/principal.ts";
import { microsPerSecond } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { ApiResponse } from "../support/api-server.ts";
import { useDatabase } from "../support/database.ts";
import { announceChain, eth, units } from "../support/deposit-world.ts";
import { fund } from "../support/payout-world.ts";
import { outcome } from "../support/people-api.ts";
import { accountsContext, type TestMember } from "../support/test-accounts.ts";
import { useWholeApi } from "../support/whole-api.ts";
import { newPayout, postPayout } from "../support/whole-payouts.ts";
import { newWallet } from "../support/whole-tenant.ts";

/*
 * Approving a payout takes two people. These tests act over HTTP as an Owner who tries to do it alone: with a program's credential, with
 * members and credentials they created, and by resetting access. Payouts above 1 ETH wait for approval.
 */

const day = 24 * 3600;
const database = useDatabase();
const api = useWholeApi(database, { people: { approver_min_age_seconds: day } });

type Login = { readonly login: string; readonly password: string };
/** A person of the account under test, or a program. */
type Someone = Login & { readonly id: string; readonly kind: "person" | "program" };

let accountId = "";
let wallet = "";
let owner: TestMember;
/** The person behind `owner`. */
let boss: Someone;
beforeAll(async () => {
  await announceChain(api.world(), "ETH");
});
beforeEach(async () => {
  owner = await api.arrangeMember();
  accountId = owner.accountId;
  boss = personOf(owner);
  const created = await post("/wallet/", await api.tokenOf(owner), newWallet(2, eth));
  wallet = created.one.id;
  await fund(api.world(), { accountId, walletId: wallet, currency: eth }, "100");
  await database.sql(
    "insert into payout_limit (account_id, currency, span, units) values ($1, $2, 'transaction', $3)",
    [accountId, eth, units("1", eth).toString()],
  );
});

function post(path: string, as: string | null, body?: JsonObject): Promise<ApiResponse> {
  return api.ask({ method: "POST", path, as, ...(body === undefined ? {} : { body }) });
}

function personOf({ memberId, dashboard }: TestMember): Someone {
  return { id: memberId, kind: "person", ...dashboard };
}

const tokens = new Map<string, { readonly token: string; readonly at: number }>();
/** An access token; a new one after the clock moved. */
async function as({ kind, login, password }: Someone): Promise<string> {
  const known = tokens.get(login);
  if (known !== undefined && api.clock.now() - known.at < 600 * microsPerSecond) return known.token;
  const token =
    kind === "program" ? await api.tokenOf({ login, password }) : await signIn({ login, password });
  tokens.set(login, { token, at: api.clock.now() });
  return token;
}

async function signIn(attributes: Login): Promise<string> {
  const answer = await post("/session/", null, { data: { type: "session-token", attributes } });
  expect(answer.status, answer.text).toBe(200);
  return answer.one.attributes["access"] as string;
}

/** Signs in with an initial password and changes it. */
async function enter(id: string, login: string, first: string): Promise<Someone> {
  const token = await signIn({ login, password: first });
  const password = "a horse of nobody else";
  const attributes = { password };
  const changed = await post("/me/password/", token, { data: { type: "me", attributes } });
  expect(changed.status, changed.text).toBe(200);
  return { id, kind: "person", login, password };
}

let people = 0;
/** A person created by `by`. */
async function add(by: Someone, role: Role): Promise<Someone> {
  people += 1;
  const login = `person-${people}@shop.example`;
  const attributes = { name: "Pat", role, login };
  const added = await post("/member/", await as(by), { data: { type: "member", attributes } });
  expect(added.status, added.text).toBe(201);
  return enter(added.one.id, login, added.one.attributes["initial_password"] as string);
}

/** A person created by the operator. */
async function independent(role: Role): Promise<Someone> {
  return personOf(await api.arrangeMember({ accountId, role }));
}

/** A program that acts as a member, with a credential created by `by`. */
async function credentialOf(by: Someone, member: Someone): Promise<Someone> {
  const created = await post("/credential/", await as(by), {
    data: {
      type: "credential",
      attributes: { label: "Tool" },
      relationships: { member: { data: { type: "member", id: member.id } } },
    },
  });
  expect(created.status, created.text).toBe(201);
  const { login, password } = created.one.attributes as Login;
  return { id: member.id, kind: "program", login, password };
}

/** A payout above the limit, which waits for approval. */
async function waiting(creator: Someone, amount = "2"): Promise<string> {
  const created = await postPayout(api, await as(creator), newPayout(wallet, { amount }));
  expect([created.status, created.one.attributes["status"]], created.text).toEqual([201, 1]);
  return created.one.id;
}

const approve = async (payout: string, who: Someone) =>
  post(`/payout/${payout}/approve/`, await as(who));
const confirm = async (member: Someone, by: Someone) =>
  post(`/member/${member.id}/confirm/`, await as(by));
const memberOf = async ({ id }: Someone) =>
  (await api.ask({ method: "GET", path: `/member/${id}/`, as: await as(boss) })).one.attributes;
const later = async () => {
  api.clock.advance(day);
  // Payouts are paused while their chain was not read to its newest block for a while.
  await (await announceChain(api.world(), "ETH")).catchUp();
};

/** Expects that the attempt is refused, for the reason that the approval queue showed before. */
async function expectRefused(payout: string, who: Someone, reason: string): Promise<string> {
  const path = `/payout/${payout}/approval/`;
  const shown = await api.ask({ method: "GET", path, as: await as(who) });
  const refusal = shown.one.attributes["approve_refusal"] as { reason: string; detail: string };
  const answer = await approve(payout, who);
  expect(outcome(answer)).toBe("403 permission_denied");
  expect([refusal.reason, refusal.detail]).toEqual([reason, answer.errors[0]?.detail]);
  return refusal.detail;
}

async function expectApproved(payout: string, who: Someone): Promise<void> {
  const answer = await approve(payout, who);
  expect([answer.status, answer.one.attributes["status"]], answer.text).toEqual([200, 2]);
}

describe("a program's credential", () => {
  it("cannot start a person's session, and so cannot create a member who approves its payouts", async () => {
    const attempt = (login: string) =>
      post("/session/", null, {
        data: { type: "session-token", attributes: { login, password: owner.password } },
      });
    const [byProgram, byNobody] = [await attempt(owner.login), await attempt("nobody")];
    expect(outcome(byProgram)).toBe("401 2007");
    const body = ({ text }: ApiResponse) => text.replace(/"id":"[^"]+"/, "");
    expect(body(byProgram)).toBe(body(byNobody));
    const added = await post("/member/", await api.tokenOf(owner), {
      data: { type: "member", attributes: { name: "Second", role: "owner" } },
    });
    expect(outcome(added)).toBe("403 permission_denied");
  });
});

describe("a new approver", () => {
  it("cannot approve before its access is a day old, and the queue shows when it can", async () => {
    const clerk = await independent("withdrawals");
    const payout = await waiting(boss);
    expect(await expectRefused(payout, clerk, "too_young")).toMatch(/from \d{4}-[\d:.T-]+Z on/);
    await later();
    await expectApproved(payout, clerk);
  });

  it("waits a day with a new credential, however old its member is", async () => {
    const clerk = await independent("withdrawals");
    const other = await independent("owner");
    await later();
    const payout = await waiting(boss);
    await expectRefused(payout, await credentialOf(other, clerk), "too_young");
  });

  it("waits a day after its access was reset", async () => {
    const clerk = await independent("withdrawals");
    const other = await independent("owner");
    await later();
    const reset = await post(`/member/${clerk.id}/reset-access/`, await as(other), {
      data: { type: "member", attributes: {} },
    });
    const first = reset.one.attributes["initial_password"] as string;
    const back = await enter(clerk.id, clerk.login, first);
    tokens.delete(back.login);
    await expectRefused(await waiting(boss), back, "too_young");
  });
});

describe("access given by a payout's creator", () => {
  it("cannot approve the payout as a member, a member's member, or a credential of either", async () => {
    const admin = await add(boss, "admin");
    const clerk = await add(admin, "withdrawals");
    const tool = await credentialOf(admin, clerk);
    const bystander = await independent("withdrawals");
    const borrowed = await credentialOf(boss, bystander);
    const lent = await credentialOf(admin, bystander);
    await later();
    const payout = await waiting(boss);
    for (const who of [admin, clerk, tool, borrowed, lent])
      await expectRefused(payout, who, "made_by_creator");
    const byProgram = await waiting({ ...boss, kind: "program", ...ownerLogin() });
    await expectRefused(byProgram, clerk, "made_by_creator");
    await expectApproved(payout, bystander);
  });

  it("cannot approve the payout through a member whose access the creator reset", async () => {
    const clerk = await independent("withdrawals");
    const reset = await post(`/member/${clerk.id}/reset-access/`, await as(boss), {
      data: { type: "member", attributes: {} },
    });
    const taken = await enter(
      clerk.id,
      clerk.login,
      reset.one.attributes["initial_password"] as string,
    );
    tokens.delete(taken.login);
    await later();
    await expectRefused(await waiting(boss), taken, "made_by_creator");
  });

  it("says that the creator could approve the member's payouts, which is so", async () => {
    const clerk = await add(boss, "withdrawals");
    await later();
    const detail = await expectRefused(await waiting(boss), clerk, "made_by_creator");
    expect(detail).toContain("if you create the payout, they can approve it");
    await expectApproved(await waiting(clerk), boss);
  });

  it("can approve payouts of other members created by the same Owner, in an account with one Owner", async () => {
    const [creator, approver] = [await add(boss, "withdrawals"), await add(boss, "withdrawals")];
    await later();
    await expectApproved(await waiting(creator), approver);
    await expectApproved(await waiting(creator), boss);
  });
});

describe("a member created by one of several Owners", () => {
  it("can approve payouts above the limits after another Owner confirmed it, which the audit log records", async () => {
    const second = await add(boss, "owner");
    const clerk = await add(boss, "withdrawals");
    const creator = await independent("withdrawals");
    await later();
    const payout = await waiting(creator);
    expect(await expectRefused(payout, clerk, "not_confirmed")).toContain(
      `/member/${clerk.id}/confirm/`,
    );
    expect(await memberOf(clerk)).toMatchObject({
      created_by: boss.id,
      confirmed_at: null,
      needs_confirmation: true,
    });
    for (const by of [boss, clerk, creator])
      expect(outcome(await confirm(clerk, by))).toBe("403 permission_denied");
    expect((await confirm(clerk, second)).status).toBe(200);
    expect((await confirm(clerk, second)).status).toBe(200);
    expect(await memberOf(clerk)).toMatchObject({ needs_confirmation: false });
    await expectApproved(payout, clerk);
    const entries = await database.sql<{ member_id: string; object_id: string }>(
      "select member_id, object_id from audit_entry where account_id = $1 and action = 'member.confirmed'",
      [accountId],
    );
    expect(entries).toEqual([{ member_id: second.id, object_id: clerk.id }]);
  });

  it("can approve payouts below the limits without confirmation", async () => {
    await add(boss, "owner");
    const clerk = await add(boss, "withdrawals");
    const junior = await independent("withdrawals_with_approval");
    await later();
    await expectApproved(await waiting(junior, "0.5"), clerk);
  });

  it("must be confirmed by an Owner who is independent of the first one, if there is such an Owner", async () => {
    const puppet = await add(boss, "owner");
    const partner = await independent("owner");
    const clerk = await add(boss, "withdrawals");
    const own = await add(puppet, "withdrawals");
    await later();
    for (const [member, by] of [
      [clerk, puppet],
      [own, puppet],
      [own, boss],
      [puppet, boss],
    ] as const)
      expect(outcome(await confirm(member, by))).toBe("403 permission_denied");
    for (const member of [clerk, own]) expect((await confirm(member, partner)).status).toBe(200);
  });

  it("needs another confirmation after a member reset its access", async () => {
    const second = await independent("owner");
    const clerk = await independent("withdrawals");
    await later();
    expect(await memberOf(clerk)).toMatchObject({ needs_confirmation: false });
    const reset = await post(`/member/${clerk.id}/reset-access/`, await as(second), {
      data: { type: "member", attributes: {} },
    });
    const first = reset.one.attributes["initial_password"] as string;
    const back = await enter(clerk.id, clerk.login, first);
    tokens.delete(back.login);
    await later();
    const payout = await waiting(boss);
    await expectRefused(payout, back, "not_confirmed");
    expect((await confirm(back, boss)).status).toBe(200);
    // The second Owner knew the initial password, but the first Owner confirmed the person afterwards.
    await expectApproved(payout, back);
  });

  it("can be confirmed by the operator if no other Owner may", async () => {
    const clerk = await add(boss, "withdrawals");
    await independent("owner");
    await later();
    const context = accountsContext(database.db, api.clock);
    await confirmMember(context, "operator", { accountId, id: clerk.id });
    expect(await memberOf(clerk)).toMatchObject({ needs_confirmation: false });
    await expectApproved(await waiting(await independent("withdrawals")), clerk);
  });
});

describe("an Owner among several", () => {
  it("cannot approve payouts above the limits whose creator got its access from that Owner alone", async () => {
    const partner = await independent("owner");
    const puppet = await add(boss, "withdrawals");
    const clerk = await independent("withdrawals");
    const tool = await credentialOf(boss, clerk);
    await later();
    for (const creator of [puppet, tool]) {
      const payout = await waiting(creator);
      await expectRefused(payout, boss, "creator_not_confirmed");
      await expectApproved(payout, partner);
    }
  });

  it("cannot approve payouts above the limits with a credential created for another member", async () => {
    await independent("owner");
    const clerk = await independent("withdrawals");
    const puppet = await add(boss, "withdrawals");
    const tool = await credentialOf(boss, clerk);
    await later();
    await expectRefused(await waiting(puppet), tool, "credential_of_another");
  });
});

function ownerLogin(): Login {
  return { login: owner.login, password: owner.password };
}
