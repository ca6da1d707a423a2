import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setOperator } from "../../src/accounts/operator.ts";
import type { Role } from "../../src/accounts/principal.ts";
import {
  decideProtectionChange,
  listProtectionChanges,
} from "../../src/main/commands/decide-protection-change.ts";
import { setPayoutLimit } from "../../src/main/commands/set-payout-limit.ts";
import { applyDueChanges } from "../../src/payouts/protection/apply-due-changes.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { ApiResponse, SeenResource } from "../support/api-server.ts";
import { type DeploymentFiles, openTerminal, writeDeployment } from "../support/command-line.ts";
import { useDatabase } from "../support/database.ts";
import { announceChain, eth, testCurrencies, units } from "../support/deposit-world.ts";
import { eventually } from "../support/eventually.ts";
import { createMortal } from "../support/mortal.ts";
import { fund, payee } from "../support/payout-world.ts";
import { outcome } from "../support/people-api.ts";
import type { TestMember } from "../support/test-accounts.ts";
import { describeResponse, useWholeApi } from "../support/whole-api.ts";
import { newPayout, postPayout } from "../support/whole-payouts.ts";
import { newWallet } from "../support/whole-tenant.ts";

/*
 * Members change what protects payouts over HTTP: limits and the allowlist. What tightens applies at once. What loosens waits for a second
 * member, or for a period where nobody else could approve it; it applies exactly once whatever happens at the same time.
 */

const day = 24 * 3600;
const database = useDatabase();
const api = useWholeApi(database, {
  people: { approver_min_age_seconds: day, loosening_wait_seconds: 2 * day },
});
const terminal = openTerminal();
let files: DeploymentFiles;
beforeAll(async () => {
  await announceChain(api.world(), "ETH");
  files = await writeDeployment(database.url, {
    chains: { ETH: { network: "regtest", chain_id: 1337, nodes: ["http://127.0.0.1:9"] } },
  });
});
afterAll(() => files.remove());

let accountId = "";
let wallet = "";
/** Two Owners created by the operator, old enough to approve. */
let ada: TestMember;
let ben: TestMember;
beforeEach(async () => {
  terminal.lines();
  ada = await api.arrangeMember();
  accountId = ada.accountId;
  ben = await member("owner");
  const created = await api.ask({
    method: "POST",
    path: "/wallet/",
    as: await api.tokenOf(ada),
    body: newWallet(2, eth),
  });
  wallet = created.one.id;
  api.clock.advance(day);
  await fund(api.world(), { accountId, walletId: wallet, currency: eth }, "100");
});

function member(role: Role): Promise<TestMember> {
  return api.arrangeMember({ accountId, role });
}

/** A person's access token from a fresh sign-in. */
async function as({ dashboard }: Pick<TestMember, "dashboard">): Promise<string> {
  const { login, password } = dashboard;
  const answer = await api.ask({
    method: "POST",
    path: "/session/",
    body: { data: { type: "session-token", attributes: { login, password } } },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.one.attributes["access"] as string;
}

type Ask = {
  readonly attributes: JsonObject;
  readonly currency?: string;
  readonly wallet?: string;
  readonly payee?: string;
};

async function change(who: TestMember, request: Ask, token?: string): Promise<ApiResponse> {
  const { attributes, ...related } = request;
  const relationships = Object.fromEntries(
    Object.entries(related).map(([name, id]) => [name, { data: { type: name, id } }]),
  );
  return api.ask({
    method: "POST",
    path: "/protection-change/",
    as: token ?? (await as(who)),
    body: { data: { type: "protection-change", attributes, relationships } },
  });
}

const limit = (amount: string, span = "transaction"): Ask => ({
  attributes: { kind: "limit", span, amount },
  currency: eth,
});
const removal = (span = "transaction"): Ask => ({
  attributes: { kind: "limit_removal", span },
  currency: eth,
});
const allow = (address = payee): Ask => ({
  attributes: { kind: "payee_addition", address, label: "Supplier" },
  currency: eth,
});
const enforce = (isEnforced: boolean): Ask => ({
  attributes: { kind: "allowlist", is_enforced: isEnforced },
});

async function act(
  action: "approve" | "reject" | "withdraw",
  { id }: Pick<SeenResource, "id">,
  who: TestMember,
): Promise<ApiResponse> {
  return api.ask({
    method: "POST",
    path: `/protection-change/${id}/${action}/`,
    as: await as(who),
  });
}

/** A loosening that waits: the account's limit rises from 1 to 5 ETH. */
async function waitingRise(): Promise<SeenResource> {
  const first = await change(ada, limit("1"));
  expect(stateOf(first)).toEqual([201, "applied", false]);
  const risen = await change(ada, limit("5"));
  expect(stateOf(risen)).toEqual([201, "waiting", true]);
  return risen.one;
}

const stateOf = ({ status, one }: ApiResponse) => [
  status,
  one.attributes["status"],
  one.attributes["loosens"],
];
const limits = () =>
  database.sql<{ span: string; units: string; wallet_id: string | null }>(
    "select span, units::text as units, wallet_id from payout_limit where account_id = $1 order by id",
    [accountId],
  );
const limitOf = async (): Promise<string | undefined> => (await limits())[0]?.units;
const statusOf = async ({ id }: Pick<SeenResource, "id">) =>
  (
    await database.sql<{ status: string }>("select status from protection_change where id = $1", [
      id,
    ])
  )[0]?.status;
const audited = async () =>
  (
    await database.sql<{ action: string }>(
      "select action from audit_entry where account_id = $1 and action like 'protection.%' order by seq",
      [accountId],
    )
  ).map(({ action }) => action);
const inEther = (amount: string) => units(amount, eth).toString();
const protection = async () =>
  (await api.ask({ method: "GET", path: "/protection/", as: await as(ada) })).one.attributes;
const applyDue = () =>
  applyDueChanges(
    { db: database.db, clock: api.clock, currencies: testCurrencies },
    new AbortController().signal,
  );
/** The new payout's status: 1 waits, 2 is approved. */
async function payoutStatus(amount: string): Promise<unknown> {
  await (await announceChain(api.world(), "ETH")).catchUp();
  const created = await postPayout(api, await api.tokenOf(ada), newPayout(wallet, { amount }));
  return created.status === 201 ? created.one.attributes["status"] : describeResponse(created);
}

describe("a change that tightens", () => {
  it("applies at once, and payouts follow it", async () => {
    expect(await payoutStatus("2")).toBe(2);
    expect(stateOf(await change(ada, limit("1")))).toEqual([201, "applied", false]);
    expect(await payoutStatus("2")).toBe(1);
    expect(stateOf(await change(ada, limit("0.5")))).toEqual([201, "applied", false]);
    expect(await limitOf()).toBe(inEther("0.5"));
    expect(await audited()).toEqual(["protection.changed", "protection.changed"]);
  });

  it("turns the allowlist on and removes addresses, which refuses payouts", async () => {
    expect(stateOf(await change(ada, enforce(true)))).toEqual([201, "applied", false]);
    expect(await payoutStatus("0.1")).toBe("400 7001 /data/attributes/address");
    const asked = await change(ada, allow());
    expect(stateOf(await act("approve", asked.one, ben))).toEqual([200, "applied", true]);
    expect(await payoutStatus("0.1")).toBe(2);
    const listed = await api.ask({ method: "GET", path: "/payee/", as: await as(ada) });
    const id = listed.resources[0]?.id ?? "";
    const removed = await change(ben, { attributes: { kind: "payee_removal" }, payee: id });
    expect(stateOf(removed)).toEqual([201, "applied", false]);
    expect(removed.one.attributes).toMatchObject({ address: payee, label: "Supplier" });
    expect(await payoutStatus("0.1")).toBe("400 7001 /data/attributes/address");
  });

  it("ends the wait of a loosening of the same setting", async () => {
    const risen = await waitingRise();
    expect(stateOf(await change(ben, limit("0.3")))).toEqual([201, "applied", false]);
    expect(await statusOf(risen)).toBe("superseded");
    expect(outcome(await act("approve", risen, ben))).toBe("400 1007");
    expect(await limitOf()).toBe(inEther("0.3"));
  });

  it("ends the wait of looser limits of wallets when the account's becomes stricter, and no others", async () => {
    await change(ada, limit("9", "day"));
    await change(ada, { ...limit("1", "hour"), wallet });
    const daily = (await change(ada, { ...limit("5", "day"), wallet })).one;
    const hourly = (await change(ada, { ...limit("5", "hour"), wallet })).one;
    expect(stateOf(await change(ben, limit("2", "day")))).toEqual([201, "applied", false]);
    expect([await statusOf(daily), await statusOf(hourly)]).toEqual(["superseded", "waiting"]);
  });
});

/**
 * Sends a request that waits for the account's lock, runs the statement under that lock, and returns the response: what was read before the
 * lock was taken is out of date.
 */
async function overtaken(send: () => Promise<ApiResponse>, statement: string, id = accountId) {
  return database.db.transaction(async (tx) => {
    const run = (text: string, values: readonly string[]) =>
      tx.query(assembledStatement("test", text), values);
    await run("select from account where id = $1 for no key update", [accountId]);
    const response = send();
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await eventually(
      () => database.sql(waiting),
      ({ length }) => length > 0,
    );
    await run(statement, [id]);
    return { response };
  });
}

describe("a change that comes between a request and its transaction", () => {
  beforeEach(async () => {
    // Payouts of an account with a daily limit take its lock.
    await change(ada, limit("50", "day"));
    await (await announceChain(api.world(), "ETH")).catchUp();
  });
  const pay = async () => {
    const token = await api.tokenOf(ada);
    return () => postPayout(api, token, newPayout(wallet, { amount: "2" }));
  };

  it("counts for a payout: a lower limit makes it wait", async () => {
    const lower = "update payout_limit set units = 1 where account_id = $1";
    const { response } = await overtaken(await pay(), lower);
    const created = await response;
    expect([created.status, created.one.attributes["status"]]).toEqual([201, 1]);
  });

  it("counts for a payout: an allowlist refuses it, and its key stays free", async () => {
    const enforced = "update account set pays_book_only = true where id = $1";
    const { response } = await overtaken(await pay(), enforced);
    expect(describeResponse(await response)).toBe("400 7001 /data/attributes/address");
    const used = "select from payout_key where account_id = $1";
    expect(await database.sql(used, [accountId])).toEqual([]);
  });

  it("counts for a member whose access ends: it neither asks nor approves", async () => {
    const risen = await waitingRise();
    const token = await as(ben);
    const revoked = "update member set role = 'read_only' where id = $1";
    const approve = () =>
      api.ask({ method: "POST", path: `/protection-change/${risen.id}/approve/`, as: token });
    const attempt = await overtaken(approve, revoked, ben.memberId);
    expect(outcome(await attempt.response)).toBe("403 permission_denied");
    await database.sql("update member set role = 'owner' where id = $1", [ben.memberId]);
    const ask = await overtaken(() => change(ben, limit("0.1"), token), revoked, ben.memberId);
    expect(outcome(await ask.response)).toBe("403 permission_denied");
    expect([await statusOf(risen), await limitOf()]).toEqual(["waiting", inEther("50")]);
  });
});

describe("a payout that waits for approval", () => {
  it("is not approved once the allowlist is required and lacks its address", async () => {
    await change(ada, limit("1"));
    await (await announceChain(api.world(), "ETH")).catchUp();
    const made = await postPayout(api, await api.tokenOf(ada), newPayout(wallet, { amount: "2" }));
    await change(ada, enforce(true));
    const approve = async () =>
      api.ask({ method: "POST", path: `/payout/${made.one.id}/approve/`, as: await as(ben) });
    expect(outcome(await approve())).toBe("400 7001");
    const asked = await change(ada, allow());
    await act("approve", asked.one, ben);
    const approved = await approve();
    expect(approved.one.attributes["status"], approved.text).toBe(2);
  });
});

describe("a change that loosens", () => {
  it("applies when a second member approves it, exactly once", async () => {
    const risen = await waitingRise();
    expect(risen.attributes).toMatchObject({
      amount: "5.000000000000000000",
      former_amount: "1.000000000000000000",
      applies_at: null,
      may_approve: false,
      may_withdraw: true,
      approve_refusal: { reason: "own_change" },
    });
    expect(await limitOf()).toBe(inEther("1"));
    expect(await payoutStatus("2")).toBe(1);
    expect(outcome(await act("approve", risen, ada))).toBe("403 permission_denied");
    const approved = await act("approve", risen, ben);
    expect(stateOf(approved)).toEqual([200, "applied", true]);
    expect(approved.one.attributes["decided_by"]).toMatchObject({ id: ben.memberId });
    expect(await limitOf()).toBe(inEther("5"));
    expect(await payoutStatus("2")).toBe(2);
    expect(outcome(await act("approve", risen, ben))).toBe("400 1007");
    expect(await audited()).toEqual([
      "protection.changed",
      "protection.requested",
      "protection.approved",
    ]);
  });

  it("is each of: a higher limit, its removal, an address, the end of the allowlist, a wallet's own daily sum", async () => {
    await change(ada, limit("1"));
    await change(ada, limit("3", "day"));
    await change(ada, enforce(true));
    const asked = [
      limit("2"),
      removal("day"),
      allow(),
      enforce(false),
      { ...limit("0.1", "day"), wallet },
    ];
    for (const request of asked)
      expect([request, stateOf(await change(ada, request))]).toEqual([
        request,
        [201, "waiting", true],
      ]);
    expect(await limits()).toHaveLength(2);
    const { resources } = await api.ask({
      method: "GET",
      path: "/protection-change/?filter[status]=waiting",
      as: await as(ben),
    });
    expect(resources.map(({ attributes }) => attributes["may_approve"])).toEqual(
      asked.map(() => true),
    );
  });

  it("is rejected by another member, withdrawn by the one who asked, and never the other way", async () => {
    const first = await waitingRise();
    expect(outcome(await act("reject", first, ada))).toBe("403 permission_denied");
    expect(outcome(await act("withdraw", first, ben))).toBe("403 permission_denied");
    expect(stateOf(await act("withdraw", first, ada))).toEqual([200, "withdrawn", true]);
    const second = (await change(ada, limit("5"))).one;
    expect(stateOf(await act("reject", second, ben))).toEqual([200, "rejected", true]);
    for (const done of [first, second])
      expect(outcome(await act("approve", done, ben))).toBe("400 1007");
    expect(await limitOf()).toBe(inEther("1"));
  });

  it("expires after seven days", async () => {
    const risen = await waitingRise();
    api.clock.advance(7 * day);
    expect(outcome(await act("approve", risen, ben))).toBe("400 1007");
    await applyDue();
    expect(await statusOf(risen)).toBe("expired");
    expect(await limitOf()).toBe(inEther("1"));
    expect((await audited()).at(-1)).toBe("protection.expired");
    // The same can be asked for again.
    expect(stateOf(await change(ada, limit("5")))).toEqual([201, "waiting", true]);
  });

  it("waits once per setting", async () => {
    const token = await as(ada);
    await change(ada, limit("1"));
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await change(ada, limit("5"), token)).status),
    );
    expect(statuses.toSorted()).toEqual([201, 400, 400, 400, 400, 400]);
  });

  it("applies once when approved many times at once, and not after a withdrawal", async () => {
    const tokens = [await as(ben), await as(ada)] as const;
    const risen = await waitingRise();
    const send = (action: string, token: string) =>
      api.ask({ method: "POST", path: `/protection-change/${risen.id}/${action}/`, as: token });
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => send("approve", tokens[0])),
      ...Array.from({ length: 4 }, () => send("withdraw", tokens[1])),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [won] = answers.filter(({ status }) => status === 200);
    const status = won?.one.attributes["status"];
    expect(["applied", "withdrawn"]).toContain(status);
    expect(await limitOf()).toBe(inEther(status === "applied" ? "5" : "1"));
    expect((await audited()).slice(2)).toHaveLength(1);
  });

  it("does not undo a limit that someone lowers at the same time", async () => {
    const tokens = [await as(ben), await as(ada)] as const;
    for (let round = 0; round < 4; round += 1) {
      await change(ada, limit("1"), tokens[1]);
      const risen = (await change(ada, limit("5"), tokens[1])).one;
      const [approval] = await Promise.all([
        api.ask({
          method: "POST",
          path: `/protection-change/${risen.id}/approve/`,
          as: tokens[0],
        }),
        change(ada, limit("0.2"), tokens[1]),
      ]);
      // Whichever came first, the lower limit is in force.
      expect([200, 400]).toContain(approval.status);
      expect(await limitOf()).toBe(inEther("0.2"));
      await database.sql("delete from payout_limit where account_id = $1", [accountId]);
    }
  });

  it("tells the members who chose to hear of approvals", async () => {
    await database.sql(
      `insert into member_contact (account_id, member_id, email, topics, unsubscribe_key)
       values ($1, $2, 'ben@shop.example', '{approval_waiting}', $3)`,
      [accountId, ben.memberId, `key-${ben.memberId}`],
    );
    const risen = await waitingRise();
    const notices = await database.sql<{ content: { line: string; path: string } }>(
      "select content from notice where account_id = $1",
      [accountId],
    );
    expect(notices).toHaveLength(1);
    expect(notices[0]?.content.path).toBe("protection");
    expect(notices[0]?.content).toMatchObject({
      line: "Limit per payout: 1 ETH → 5 ETH (requested by Someone)",
      event: { id: risen.id },
    });
  });
});

describe("who may change what protects payouts", () => {
  it("is a person who is Owner or Admin, sees all wallets and has just signed in", async () => {
    for (const role of ["withdrawals", "withdrawals_with_approval", "read_only"] as const) {
      const other = await member(role);
      expect(outcome(await change(other, limit("1")))).toBe("403 permission_denied");
      const list = { method: "GET", path: "/protection-change/", as: await as(other) };
      expect(outcome(await api.ask(list))).toBe("403 permission_denied");
    }
    const program = await change(ada, limit("1"), await api.tokenOf(ada));
    expect(outcome(program)).toBe("403 permission_denied");
    const token = await as(ada);
    api.clock.advance(360);
    expect(outcome(await change(ada, limit("1"), token))).toBe("403 confirmation_required");
    await database.sql("update member set sees_all_wallets = false where id = $1", [ben.memberId]);
    expect(outcome(await change(ben, limit("1")))).toBe("403 permission_denied");
    expect(await limits()).toEqual([]);
  });

  it("approves only with access that is old enough and independent of the one who asked", async () => {
    const risen = await waitingRise();
    const late = await member("owner");
    const refusalOf = async (who: TestMember) => {
      const path = `/protection-change/${risen.id}/`;
      const shown = await api.ask({ method: "GET", path, as: await as(who) });
      const attempt = await act("approve", risen, who);
      const refusal = shown.one.attributes["approve_refusal"] as JsonObject | null;
      expect(attempt.errors[0]?.detail).toBe(refusal?.["detail"]);
      return [outcome(attempt), refusal?.["reason"]];
    };
    expect(await refusalOf(late)).toEqual(["403 permission_denied", "too_young"]);
    const made = await member("admin");
    await database.sql(
      "update member set created_at = created_at - interval '2 days', created_by_member_id = $2 where id = $1",
      [made.memberId, ada.memberId],
    );
    await database.sql("update person_login set given_at = null where member_id = $1", [
      made.memberId,
    ]);
    expect(await refusalOf(made)).toEqual(["403 permission_denied", "made_by_creator"]);
    const someoneElse = await api.arrangeMember();
    expect(outcome(await act("approve", risen, someoneElse))).toBe("404 404");
    expect(await statusOf(risen)).toBe("waiting");
  });

  it("needs the one who asked to be an active Owner or Admin still", async () => {
    const risen = await waitingRise();
    await database.sql("update member set role = 'read_only' where id = $1", [ada.memberId]);
    expect(outcome(await act("approve", risen, ben))).toBe("403 permission_denied");
    expect(await limitOf()).toBe(inEther("1"));
    expect(stateOf(await act("reject", risen, ben))).toEqual([200, "rejected", true]);
  });
});

describe("an account in which nobody else could approve", () => {
  const alone = () =>
    database.sql("update member set deactivated_at = $2 where id = $1", [
      ben.memberId,
      formatTimestamp(api.clock.now()),
    ]);

  it("waits for the period instead, and tells every Owner and Admin by email", async () => {
    await alone();
    await database.sql(
      `insert into member_contact (account_id, member_id, email, topics, unsubscribe_key, language)
       values ($1, $2, 'ada@shop.example', '{}', $3, 'de')`,
      [accountId, ada.memberId, `key-${ada.memberId}`],
    );
    await change(ada, limit("1"));
    const before = api.clock.now();
    const risen = await change(ada, limit("5"));
    expect(stateOf(risen)).toEqual([201, "waiting", true]);
    const appliesAt = risen.one.attributes["applies_at"] as string;
    expect(appliesAt >= formatTimestamp(addSeconds(before, 2 * day))).toBe(true);
    const emails = () =>
      database.sql<{ kind: string; recipient: string; language: string }>(
        "select kind, recipient, content ->> 'language' as language from email where account_id = $1 order by id",
        [accountId],
      );
    expect(await emails()).toEqual([
      { kind: "protection_change", recipient: "ada@shop.example", language: "de" },
    ]);
    await applyDue();
    expect(await limitOf()).toBe(inEther("1"));
    api.clock.advance(2 * day);
    await Promise.all([applyDue(), applyDue(), applyDue()]);
    expect(await limitOf()).toBe(inEther("5"));
    expect(await audited()).toEqual([
      "protection.changed",
      "protection.requested",
      "protection.applied",
    ]);
    expect((await emails()).map(({ kind }) => kind)).toEqual([
      "protection_change",
      "protection_changed",
    ]);
  });

  it("applies nothing that was withdrawn within the period", async () => {
    await alone();
    const risen = await waitingRise();
    await act("withdraw", risen, ada);
    api.clock.advance(2 * day);
    await applyDue();
    expect(await limitOf()).toBe(inEther("1"));
  });

  it("applies nothing after the operator set a lower limit for all", async () => {
    await alone();
    const risen = await waitingRise();
    await setPayoutLimit(files.configFile, { ...cap("2"), accountId: null }, terminal);
    api.clock.advance(2 * day);
    await applyDue();
    expect([await statusOf(risen), await limitOf()]).toEqual(["expired", inEther("1")]);
    await setPayoutLimit(files.configFile, { ...cap(null), accountId: null }, terminal);
  });

  it("does not get the period as an Owner who is not confirmed yet", async () => {
    await alone();
    await change(ada, limit("1"));
    const added = await member("owner");
    await database.sql("update member set created_by_member_id = $2 where id = $1", [
      added.memberId,
      ada.memberId,
    ]);
    const risen = await change(added, limit("5"));
    expect(risen.one.attributes).toMatchObject({ status: "waiting", applies_at: null });
    api.clock.advance(7 * day);
    await applyDue();
    expect([await statusOf(risen.one), await limitOf()]).toEqual(["expired", inEther("1")]);
  });

  it("does not get the period by taking the others' wallets first", async () => {
    await change(ada, limit("1"));
    await database.sql("update member set role = 'admin' where id = $1", [ben.memberId]);
    const attributes = { all_wallets: false, wallet_grants: [] };
    const restricted = await api.ask({
      method: "PATCH",
      path: `/member/${ben.memberId}/`,
      as: await as(ada),
      body: { data: { type: "member", id: ben.memberId, attributes } },
    });
    expect(restricted.status, restricted.text).toBe(200);
    const risen = await change(ada, limit("5"));
    expect(risen.one.attributes).toMatchObject({ status: "waiting", applies_at: null });
  });

  it("does not get the period by removing the others first", async () => {
    await change(ada, limit("1"));
    expect(await protection()).toMatchObject({
      is_allowlist_enforced: false,
      needs_approval: true,
    });
    const path = `/member/${ben.memberId}/deactivate/`;
    const removed = await api.ask({ method: "POST", path, as: await as(ada) });
    expect(removed.status, removed.text).toBe(200);
    const risen = await change(ada, limit("5"));
    expect(risen.one.attributes).toMatchObject({ status: "waiting", applies_at: null });
    api.clock.advance(7 * day);
    await applyDue();
    expect([await statusOf(risen.one), await limitOf()]).toEqual(["expired", inEther("1")]);
    expect(await protection()).toMatchObject({ needs_approval: false, wait_seconds: 2 * day });
    const later = await change(ada, limit("5"));
    expect(later.one.attributes["applies_at"]).not.toBeNull();
  });
});

const cap = (amount: string | null) =>
  ({ span: "transaction", currency: "ETH", amount, walletId: null }) as const;

describe("the operator", () => {
  it("bounds what an account can allow itself", async () => {
    await setPayoutLimit(files.configFile, { ...cap("2"), accountId: null }, terminal);
    expect(describeResponse(await change(ada, limit("3")))).toBe(
      "400 1007 /data/attributes/amount",
    );
    expect(stateOf(await change(ada, limit("1.5")))).toEqual([201, "applied", false]);
    expect(stateOf(await change(ada, limit("2")))).toEqual([201, "waiting", true]);
    await setPayoutLimit(files.configFile, { ...cap("2"), span: "day", accountId: null }, terminal);
    const ofWallet = await change(ada, { ...limit("0.1", "day"), wallet });
    expect(describeResponse(ofWallet)).toBe("400 1007 /data/relationships/wallet");
    for (const span of ["transaction", "day"] as const)
      await setPayoutLimit(files.configFile, { ...cap(null), span, accountId: null }, terminal);
  });

  it("decides waiting changes, and ends them by changing the same limit", async () => {
    const first = await waitingRise();
    await listProtectionChanges(files.configFile, { accountId }, terminal);
    expect(terminal.lines().join("\n")).toContain("set the ETH limit per payout to 5, from 1");
    const decide = (id: string, decision: "approve" | "reject") =>
      decideProtectionChange(files.configFile, { accountId, id, decision }, terminal);
    await decide(first.id, "approve");
    expect([await statusOf(first), await limitOf()]).toEqual(["applied", inEther("5")]);
    await expect(decide(first.id, "reject")).rejects.toThrow(/no longer waits/);
    const second = (await change(ada, limit("6"))).one;
    await setPayoutLimit(files.configFile, { ...cap("4"), accountId }, terminal);
    expect([await statusOf(second), await limitOf()]).toEqual(["superseded", inEther("4")]);
    await expect(decide("99999999", "reject")).rejects.toThrow(/has no change/);
  });
});

describe("a travel-rule threshold", () => {
  const threshold = (amount: string | null): Ask => ({
    attributes: { kind: "travel_rule_threshold", amount },
    currency: eth,
  });
  const operate = (isOperator: boolean, id = accountId) =>
    setOperator({ db: database.db, clock: api.clock }, id, isOperator);
  const stored = async () =>
    (
      await database.sql<{ units: string }>(
        "select units::text as units from travel_rule_threshold",
      )
    ).map(({ units: text }) => text);
  beforeEach(() => database.sql("delete from travel_rule_threshold"));

  it("is raised by two members of an account that operates the deployment, and lowered by one", async () => {
    expect(outcome(await change(ada, threshold("1")))).toBe("403 permission_denied");
    await operate(true);
    const risen = await change(ada, threshold("1"));
    expect(stateOf(risen)).toEqual([201, "waiting", true]);
    expect(await stored()).toEqual([]);
    expect(outcome(await act("approve", risen.one, ada))).toBe("403 permission_denied");
    expect(stateOf(await act("approve", risen.one, ben))).toEqual([200, "applied", true]);
    expect(await stored()).toEqual([inEther("1")]);
    expect(stateOf(await change(ada, threshold("0.5")))).toEqual([201, "applied", false]);
    expect(stateOf(await change(ada, threshold(null)))).toEqual([201, "applied", false]);
    expect(await stored()).toEqual([]);
    expect(describeResponse(await change(ada, threshold(null)))).toBe(
      "400 1007 /data/attributes/amount",
    );
  });

  it("is one for the deployment: another account's change ends what waits", async () => {
    await operate(true);
    const risen = (await change(ada, threshold("1"))).one;
    const other = await api.arrangeMember();
    await operate(true, other.accountId);
    const second = await api.arrangeMember({ accountId: other.accountId, role: "owner" });
    api.clock.advance(day);
    const theirs = (await change(other, threshold("2"))).one;
    expect(stateOf(await act("approve", theirs, second))).toEqual([200, "applied", true]);
    expect(await statusOf(risen)).toBe("superseded");
    expect(outcome(await act("approve", risen, ben))).toBe("400 1007");
    expect(await stored()).toEqual([inEther("2")]);
    await operate(false, other.accountId);
  });

  it("stays as it is when the account no longer operates the deployment", async () => {
    await operate(true);
    const risen = (await change(ada, threshold("1"))).one;
    await operate(false);
    expect(outcome(await act("approve", risen, ben))).toBe("403 permission_denied");
    expect([await statusOf(risen), await stored()]).toEqual(["waiting", []]);
  });
});

describe("a crash", () => {
  it("at any statement of an application leaves the change waiting or applied, never between", async () => {
    await database.sql("update member set deactivated_at = $2 where id = $1", [
      ben.memberId,
      formatTimestamp(api.clock.now()),
    ]);
    const risen = await waitingRise();
    api.clock.advance(2 * day);
    const mortal = createMortal();
    const context = {
      db: mortal.database(database.db),
      clock: api.clock,
      currencies: testCurrencies,
    };
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      mortal.restart(at);
      const ran = await applyDueChanges(context, new AbortController().signal).then(
        () => true,
        () => false,
      );
      const state = [await statusOf(risen), await limitOf()];
      expect([
        ["waiting", inEther("1")],
        ["applied", inEther("5")],
      ]).toContainEqual(state);
      if (ran) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(5);
    expect([await statusOf(risen), await limitOf()]).toEqual(["applied", inEther("5")]);
    expect((await audited()).filter((action) => action === "protection.applied")).toHaveLength(1);
  });
});

describe("a request", () => {
  it("is refused with the member that is wrong, and changes nothing", async () => {
    const at = (member: string) => `400 1007 /data/attributes/${member}`;
    const related = (member: string) => `400 1007 /data/relationships/${member}`;
    const cases: readonly (readonly [Ask, string])[] = [
      [{ attributes: {} }, at("kind")],
      [{ attributes: { kind: "limit", amount: "1" }, currency: eth }, at("span")],
      [{ attributes: { kind: "limit", span: "day" }, currency: eth }, at("amount")],
      [{ attributes: { kind: "limit", span: "day", amount: "1" } }, related("currency")],
      [{ ...limit("1"), currency: "840" }, related("currency")],
      [limit("-1"), at("amount")],
      [limit("0.0000000000000000001"), at("amount")],
      [{ ...limit("1"), wallet: "99999999" }, related("wallet")],
      [removal(), at("span")],
      [enforce(false), at("is_enforced")],
      [{ attributes: { kind: "allowlist" } }, at("is_enforced")],
      [{ attributes: { kind: "payee_addition" }, currency: eth }, at("address")],
      [allow("bc1qnotether"), "400 7001 /data/attributes/address"],
      [{ attributes: { kind: "payee_removal" }, payee: "99999999" }, related("payee")],
    ];
    for (const [request, expected] of cases)
      expect([request, describeResponse(await change(ada, request))]).toEqual([request, expected]);
    expect(
      await database.sql("select from protection_change where account_id = $1", [accountId]),
    ).toEqual([]);
    await change(ada, limit("1"));
    expect(describeResponse(await change(ada, limit("1")))).toBe(at("amount"));
  });
});
