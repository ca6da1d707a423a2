/** Shows that operators add members and credentials by the command line, and that each change is in force for the API. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { accountsContext, apiProcess } from "../../../test/support/test-accounts.ts";
import { verifyAudit } from "../../accounts/audit/verify-audit.ts";
import { createAccount } from "../../accounts/create-account.ts";
import { logIn } from "../../accounts/tokens/log-in.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { addMember } from "./add-member.ts";
import { chooseDesignatedCredential } from "./choose-designated-credential.ts";
import { endCredential } from "./end-credential.ts";
import { issueCredential } from "./issue-credential.ts";
import { resetMemberAccess } from "./reset-member-access.ts";
import { setMemberRights } from "./set-member-rights.ts";
import { showCredentials } from "./show-credentials.ts";
import { showMembers } from "./show-members.ts";

const { url, db, sql } = useDatabase();
const terminal = openTerminal();
let files: DeploymentFiles;
let accountId = "";
let foreignId = "";
let wallets: readonly string[] = [];
beforeAll(async () => {
  files = await writeDeployment(url);
  const accounts = accountsContext(db, systemClock);
  accountId = (await createAccount(accounts, { name: "Shop" })).id;
  foreignId = (await createAccount(accounts, { name: "Other" })).id;
  const rows = await sql<{ id: string }>(
    `with fresh as (
       insert into wallet (account_id, type, currency, label, status, created_at)
       select account_id, 2, '1000', 'W', 3, '2026-01-01Z' from unnest($1::bigint[]) as account_id
       returning account_id, id)
     insert into wallet_balance (account_id, wallet_id) select account_id, id from fresh
     returning wallet_id as id`,
    [[accountId, accountId, foreignId]],
  );
  wallets = rows.map(({ id }) => id);
});
afterAll(() => files.remove());
beforeEach(() => terminal.lines());

const add = async (
  role: Parameters<typeof addMember>[1]["role"],
  of: readonly string[] = [],
): Promise<string> => {
  const options = { accountId, name: "Ann", role, wallets: of };
  await addMember(files.configFile, options, terminal);
  return /^Member {2}(\d+) /.exec(terminal.lines()[0]!)![1]!;
};
const issue = async (memberId: string, networks: readonly string[] = []) => {
  await issueCredential(files.configFile, { accountId, memberId, networks }, terminal);
  const told = Object.fromEntries(
    terminal.lines().map((line) => line.split(/\s{2,}/) as [string, string]),
  );
  const id = told["Credential"]!.split(" ", 1)[0]!;
  return { id, login: told["Login"]!, password: told["Password"]! };
};
const process = () => apiProcess(db, systemClock);
/** Logs in and asks who is asking, as a request would. */
const principalOf = async (credential: { readonly login: string; readonly password: string }) => {
  const api = process();
  const { tokens } = await logIn(api, credential, "127.0.0.1");
  return await api.authenticate({ authorization: `Bearer ${tokens.access}`, ip: "127.0.0.1" });
};
const everything = async () =>
  JSON.stringify(
    await sql(
      `select (select jsonb_agg(m order by id) from member m) as members,
              (select jsonb_agg(c order by id) from credential c) as credentials,
              (select jsonb_agg(g order by member_id, wallet_id) from wallet_grant g) as grants,
              (select jsonb_agg(a order by id) from account a) as accounts`,
    ),
  );

test("a member that was added with a credential logs in with its role and its wallets", async () => {
  const [first, second] = wallets as [string, string];
  const memberId = await add("withdrawals", [first, `${second}:pay`]);
  const principal = await principalOf(await issue(memberId));
  expect(principal).toMatchObject({ accountId, memberId, role: "withdrawals" });
  expect(principal.wallets).toEqual(
    new Map([
      [first, { mayPay: false }],
      [second, { mayPay: true }],
    ]),
  );
  await showMembers(files.configFile, accountId, terminal);
  expect(terminal.lines().join("\n")).toMatch(
    new RegExp(`^${memberId} +withdrawals +wallets ${first} ${second}:pay +Ann$`, "m"),
  );
});

test("other rights hold from the next request on, and wallets stay unless they are named", async () => {
  const [first, second] = wallets as [string, string];
  const memberId = await add("read_only", [first]);
  const credential = await issue(memberId);
  const change = (
    role: Parameters<typeof setMemberRights>[1]["role"],
    of: readonly string[] | "all",
  ) => setMemberRights(files.configFile, { accountId, memberId, role, wallets: of }, terminal);
  await change("admin", []);
  expect(await principalOf(credential)).toMatchObject({
    role: "admin",
    wallets: new Map([[first, { mayPay: false }]]),
  });
  await change("admin", [`${second}:pay`]);
  expect((await principalOf(credential)).wallets).toEqual(new Map([[second, { mayPay: true }]]));
  await change("owner", "all");
  expect(await principalOf(credential)).toMatchObject({ role: "owner", wallets: "all" });
  await change("read_only", []);
  expect(await principalOf(credential)).toMatchObject({ role: "read_only", wallets: "all" });
});

test("a credential is usable only from its networks, and not once it is revoked", async () => {
  const memberId = await add("owner");
  const elsewhere = await issue(memberId, ["192.0.2.0/24"]);
  await expect(logIn(process(), elsewhere, "127.0.0.1")).rejects.toThrow();
  await expect(logIn(process(), elsewhere, "192.0.2.7")).resolves.toBeDefined();
  const credential = await issue(memberId);
  const api = process();
  const { tokens } = await logIn(api, credential, "127.0.0.1");
  await endCredential(files.configFile, { accountId, credentialId: credential.id }, terminal);
  await expect(logIn(process(), credential, "127.0.0.1")).rejects.toThrow();
  await expect(
    api.authenticate({ authorization: `Bearer ${tokens.access}`, ip: "127.0.0.1" }),
  ).rejects.toThrow();
  terminal.lines();
  await showCredentials(files.configFile, accountId, terminal);
  const told = terminal.lines().join("\n");
  expect(told).toMatch(new RegExp(`^${elsewhere.id} .* from 192\\.0\\.2\\.0/24`, "m"));
  expect(told).toMatch(new RegExp(`^${credential.id} .* revoked 20`, "m"));
  expect(told).not.toContain(credential.password);
});

test("one credential of an account is the designated one, never a revoked one", async () => {
  const memberId = await add("owner");
  const [one, other] = [await issue(memberId), await issue(memberId)];
  const designate = (credentialId: string) =>
    chooseDesignatedCredential(files.configFile, { accountId, credentialId }, terminal);
  await designate(one.id);
  await endCredential(files.configFile, { accountId, credentialId: one.id }, terminal);
  expect(terminal.lines().at(-1)).toContain(`sluice credential designate ${accountId}`);
  await designate(other.id);
  await expect(designate(one.id)).rejects.toThrow(`no usable credential ${one.id}`);
  await showCredentials(files.configFile, accountId, terminal);
  const designated = terminal.lines().filter((line) => line.endsWith("designated"));
  expect(designated).toEqual([expect.stringMatching(new RegExp(`^${other.id} `))]);
});

test("what is not there is named, and nothing changes", async () => {
  const foreignWallet = wallets[2]!;
  const memberId = await add("owner");
  const { id: credentialId } = await issue(memberId);
  const before = await everything();
  const { configFile } = files;
  const [nobody, role] = ["99999", "admin"] as const;
  const member = { accountId, name: "Bob", role, wallets: [] };
  const rights = { accountId, memberId, role, wallets: [] };
  const login = { accountId, memberId, networks: [] };
  const refused: readonly (readonly [() => Promise<void>, string])[] = [
    [() => addMember(configFile, { ...member, accountId: nobody }, terminal), "no account 99999"],
    [() => addMember(configFile, { ...member, accountId: "x" }, terminal), "no account x"],
    [() => addMember(configFile, { ...member, name: " " }, terminal), "needs a name"],
    [
      () => addMember(configFile, { ...member, wallets: [foreignWallet] }, terminal),
      `no wallet ${foreignWallet}`,
    ],
    [() => addMember(configFile, { ...member, wallets: ["1:spend"] }, terminal), "names no wallet"],
    [
      () => setMemberRights(configFile, { ...rights, memberId: nobody }, terminal),
      "no member 99999",
    ],
    [
      () => setMemberRights(configFile, { ...rights, accountId: foreignId }, terminal),
      `no member ${memberId}`,
    ],
    [() => setMemberRights(configFile, { ...rights, wallets: ["0"] }, terminal), "names no wallet"],
    [
      () => issueCredential(configFile, { ...login, memberId: nobody }, terminal),
      "no member 99999",
    ],
    [() => issueCredential(configFile, { ...login, networks: ["10/8"] }, terminal), "no network"],
    [
      () => endCredential(configFile, { accountId: foreignId, credentialId }, terminal),
      `no credential ${credentialId}`,
    ],
    [
      () => endCredential(configFile, { accountId, credentialId: "x" }, terminal),
      "no credential x",
    ],
    [
      () => chooseDesignatedCredential(configFile, { accountId, credentialId: nobody }, terminal),
      "no credential 99999",
    ],
    [() => showMembers(configFile, nobody, terminal), "no account 99999"],
    [() => showCredentials(configFile, nobody, terminal), "no account 99999"],
  ];
  for (const [attempt, reason] of refused) await expect(attempt()).rejects.toThrow(reason);
  expect(await everything()).toBe(before);
  expect(terminal.lines()).toEqual([]);
});

test("the program takes these commands as they are written, and ends with 1 on a refusal", async () => {
  const cli = join(import.meta.dirname, "../cli.ts");
  const sluice = (...words: readonly string[]) =>
    promisify(execFile)("node", [cli, ...words, "--config", files.configFile]);
  const rights = ["--role", "admin", "--wallet", wallets[0]!, "--wallet", `${wallets[1]!}:pay`];
  const { stdout: added } = await sluice("member", "add", accountId, "Carl", ...rights);
  const memberId = /^Member {2}(\d+) \(Carl\)/.exec(added)![1]!;
  expect(added).toContain(`wallets ${wallets[0]!} ${wallets[1]!}:pay`);
  const networks = ["--network", "10.0.0.0/8", "--network", "::1"];
  const { stdout: login } = await sluice("credential", "add", accountId, memberId, ...networks);
  expect(login).toMatch(/^Usable +from 10\.0\.0\.0\/8 ::1$/m);
  const all = ["--role", "owner", "--all-wallets"];
  const { stdout: changed } = await sluice("member", "rights", accountId, memberId, ...all);
  expect(changed).toContain("owner, all wallets");
  const [before] = await sql<{ count: string }>("select count(*) from token_key");
  expect((await sluice("token-keys", "rotate")).stdout).toMatch(/^New key {2}\S+\n/);
  const [after] = await sql<{ count: string }>("select count(*) from token_key");
  expect(Number(after!.count)).toBe(Number(before!.count) + 1);
  await expect(sluice("credential", "revoke", accountId, "99999")).rejects.toMatchObject({
    code: 1,
    stderr: "sluice: The account has no credential 99999.\n",
  });
});

test("who was added, and what they were given, is on record as the operator's doing, without secrets", async () => {
  const [first, second] = wallets as [string, string];
  const memberId = await add("withdrawals", [first, `${second}:pay`]);
  const { id, password } = await issue(memberId, ["192.0.2.0/24"]);
  const rights = { accountId, memberId, role: "admin", wallets: [second] } as const;
  await setMemberRights(files.configFile, rights, terminal);
  const rows = await sql<{ action: string; object: string; summary: unknown; whole: string }>(
    `select action, object_type || ' ' || object_id as object, summary, e::text as whole from audit_entry e
     where account_id = $1 and member_id is null and credential_id is null order by seq desc limit 3`,
    [accountId],
  );
  expect(rows.map(({ action, object, summary }) => ({ action, object, summary }))).toEqual([
    {
      action: "member.changed",
      object: `member ${memberId}`,
      summary: { role: "admin", wallets: [second] },
    },
    {
      action: "credential.created",
      object: `credential ${id}`,
      summary: { member: memberId, allowed_networks: ["192.0.2.0/24"] },
    },
    {
      action: "member.created",
      object: `member ${memberId}`,
      summary: { name: "Ann", role: "withdrawals", wallets: [first, `${second} with payouts`] },
    },
  ]);
  for (const { whole } of rows) expect(whole).not.toContain(password);
  const verdict = (await verifyAudit(db)).find((one) => one.accountId === accountId);
  expect(verdict?.fault).toBeNull();
});

test("somebody who is locked out gets a login with a first password, and that is on record as the operator's doing", async () => {
  const memberId = await add("owner");
  const reset = (login: string | null, of = memberId) =>
    resetMemberAccess(files.configFile, { accountId, memberId: of, login }, terminal);
  await expect(reset(null)).rejects.toThrow(/name one/);
  await expect(reset("ann@shop.example", "999999")).rejects.toThrow(/no member 999999/);
  await reset("Ann@shop.example");
  const [, login, password] = terminal.lines().map((line) => line.split(/\s{2,}/)[1]);
  expect(login).toBe("ann@shop.example");
  expect(password).toMatch(/^(\w{4}-){3}\w{4}$/);
  const [row] = await sql<{ is_initial: boolean }>(
    "select is_initial from person_login where member_id = $1",
    [memberId],
  );
  expect(row?.is_initial).toBe(true);
  await reset(null);
  const [entry] = await sql<{ action: string; member_id: string | null }>(
    "select action, member_id from audit_entry where account_id = $1 order by seq desc limit 1",
    [accountId],
  );
  expect(entry).toEqual({ action: "member.access_reset", member_id: null });
});
