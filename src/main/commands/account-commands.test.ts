import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { accountsContext, apiProcess } from "../../../test/support/test-accounts.ts";
import { verifyAudit } from "../../accounts/audit/read-audit.ts";
import { createAccount } from "../../accounts/create-account.ts";
import type { Role } from "../../accounts/principal.ts";
import { logIn } from "../../accounts/tokens/log-in.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import {
  changeCredentialCommand,
  createCredentialCommand,
  designateCredentialCommand,
  listCredentialsCommand,
  revokeCredentialCommand,
  rotateCredentialCommand,
} from "./administer-credentials.ts";
import {
  changeMemberCommand,
  createMemberCommand,
  listMembersCommand,
  memberActionCommand,
  resetAccessCommand,
} from "./administer-members.ts";
import { showWebhookSecretCommand } from "./administer-webhook-secret.ts";

/** Shows that the account commands take effect for the API, and which options they take. */

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

const createMember = async (role: Role, of: readonly string[] = []): Promise<string> => {
  const options = { accountId, name: "Ann", role, wallets: of, login: null };
  await createMemberCommand(files.configFile, options, terminal);
  return /^Member {2}(\d+) /.exec(terminal.lines()[0]!)![1]!;
};
const newCredential = () => {
  const printed = Object.fromEntries(
    terminal.lines().map((line) => line.split(/\s{2,}/) as [string, string]),
  );
  const id = printed["Credential"]!.split(" ", 1)[0]!;
  return { id, login: printed["Login"]!, password: printed["Password"]! };
};
const createCredential = async (memberId: string, networks: readonly string[] = []) => {
  const options = { accountId, memberId, label: "Shop", networks };
  await createCredentialCommand(files.configFile, options, terminal);
  return newCredential();
};
const process = () => apiProcess(db, systemClock);
type Login = { readonly login: string; readonly password: string };
/** Logs in and authenticates a request. */
const principalOf = async (credential: Login) => {
  const api = process();
  const { tokens } = await logIn(api, credential, "127.0.0.1");
  return await api.authenticate({
    authorization: `Bearer ${tokens.access}`,
    ip: "127.0.0.1",
    onlyReads: false,
  });
};
const listed = async () => {
  terminal.lines();
  await listCredentialsCommand(files.configFile, { accountId, isJson: false }, terminal);
  return terminal.lines();
};
const snapshot = async () =>
  JSON.stringify(
    await sql(
      `select (select jsonb_agg(m order by id) from member m) as members,
              (select jsonb_agg(c order by id) from credential c) as credentials,
              (select jsonb_agg(g order by member_id, wallet_id) from wallet_grant g) as grants,
              (select jsonb_agg(a order by id) from account a) as accounts`,
    ),
  );

describe("member commands", () => {
  it("create a member whose credential has its role and wallets", async () => {
    const [first, second] = wallets as [string, string];
    const memberId = await createMember("withdrawals", [first, `${second}:pay`]);
    const principal = await principalOf(await createCredential(memberId));
    expect(principal).toMatchObject({ accountId, memberId, role: "withdrawals" });
    expect(principal.wallets).toEqual(
      new Map([
        [first, { mayPay: false }],
        [second, { mayPay: true }],
      ]),
    );
    await listMembersCommand(files.configFile, { accountId, isJson: false }, terminal);
    expect(terminal.lines().join("\n")).toMatch(
      new RegExp(`^${memberId} +withdrawals +wallets ${first} ${second}:pay +- +active +Ann$`, "m"),
    );
  });

  it("change a member's rights from the next request on, and keep wallets that are not named", async () => {
    await createMember("owner");
    const [first, second] = wallets as [string, string];
    const id = await createMember("read_only", [first]);
    const credential = await createCredential(id);
    const change = (role: Role, of?: readonly string[] | "all") =>
      changeMemberCommand(files.configFile, { accountId, id, role, wallets: of }, terminal);
    await change("admin");
    expect(await principalOf(credential)).toMatchObject({
      role: "admin",
      wallets: new Map([[first, { mayPay: false }]]),
    });
    await change("admin", [`${second}:pay`]);
    expect((await principalOf(credential)).wallets).toEqual(new Map([[second, { mayPay: true }]]));
    await change("owner", "all");
    expect(await principalOf(credential)).toMatchObject({ role: "owner", wallets: "all" });
    await change("read_only");
    expect(await principalOf(credential)).toMatchObject({ role: "read_only", wallets: "all" });
  });

  it("refuse the credentials of a deactivated member", async () => {
    const id = await createMember("admin");
    const credential = await createCredential(id);
    const act = (action: "activate" | "deactivate") =>
      memberActionCommand(files.configFile, { action, accountId, id }, terminal);
    await act("deactivate");
    await expect(principalOf(credential)).rejects.toThrow();
    await act("activate");
    expect(await principalOf(credential)).toMatchObject({ memberId: id });
  });

  it("reset access to a login with an initial password", async () => {
    const memberId = await createMember("owner");
    const reset = (login: string | null, id = memberId) =>
      resetAccessCommand(files.configFile, { accountId, id, login }, terminal);
    await expect(reset(null)).rejects.toThrow(/has no login/);
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
    expect(terminal.lines()[1]).toContain("ann@shop.example");
  });
});

describe("credential commands", () => {
  it("create a credential that works only from its networks, and not after it is revoked", async () => {
    const memberId = await createMember("owner");
    const elsewhere = await createCredential(memberId, ["192.0.2.0/24"]);
    await expect(logIn(process(), elsewhere, "127.0.0.1")).rejects.toThrow();
    await expect(logIn(process(), elsewhere, "192.0.2.7")).resolves.toBeDefined();
    const credential = await createCredential(memberId);
    const api = process();
    const { tokens } = await logIn(api, credential, "127.0.0.1");
    await revokeCredentialCommand(files.configFile, { accountId, id: credential.id }, terminal);
    await expect(logIn(process(), credential, "127.0.0.1")).rejects.toThrow();
    await expect(
      api.authenticate({
        authorization: `Bearer ${tokens.access}`,
        ip: "127.0.0.1",
        onlyReads: false,
      }),
    ).rejects.toThrow();
    const lines = (await listed()).join("\n");
    expect(lines).toMatch(new RegExp(`^${elsewhere.id} .* from 192\\.0\\.2\\.0/24 +Shop$`, "m"));
    expect(lines).toMatch(new RegExp(`^${credential.id} .* revoked 20`, "m"));
    expect(lines).not.toContain(credential.password);
  });

  it("change the networks that a credential works from", async () => {
    const { id, ...login } = await createCredential(await createMember("owner"));
    const change = (networks: readonly string[]) =>
      changeCredentialCommand(files.configFile, { accountId, id, label: null, networks }, terminal);
    await change(["192.0.2.0/24"]);
    await expect(logIn(process(), login, "127.0.0.1")).rejects.toThrow();
    await change([]);
    await expect(logIn(process(), login, "127.0.0.1")).resolves.toBeDefined();
  });

  it("designate one credential of an account, never a revoked one", async () => {
    const memberId = await createMember("owner");
    const [one, other] = [await createCredential(memberId), await createCredential(memberId)];
    const designate = (id: string) =>
      designateCredentialCommand(files.configFile, { accountId, id }, terminal);
    await designate(one.id);
    await revokeCredentialCommand(files.configFile, { accountId, id: one.id }, terminal);
    expect(terminal.lines().at(-1)).toContain(`sluice credential designate ${accountId}`);
    await designate(other.id);
    await expect(designate(one.id)).rejects.toThrow("revoked credential");
    const designated = (await listed()).filter((line) => line.includes(", designated"));
    expect(designated).toEqual([expect.stringMatching(new RegExp(`^${other.id} `))]);
  });

  it("rotate a credential: the new one has its member, label, networks and designation", async () => {
    const memberId = await createMember("owner");
    const old = await createCredential(memberId, ["127.0.0.0/8"]);
    await designateCredentialCommand(files.configFile, { accountId, id: old.id }, terminal);
    terminal.lines();
    const rotate = () =>
      rotateCredentialCommand(files.configFile, { accountId, id: old.id }, terminal);
    await rotate();
    const fresh = newCredential();
    expect(await principalOf(fresh)).toMatchObject({ memberId, credentialId: fresh.id });
    await expect(principalOf(old)).rejects.toThrow();
    expect((await listed()).find((line) => line.startsWith(`${fresh.id} `))).toMatch(
      /from 127\.0\.0\.0\/8, designated +Shop$/,
    );
    await expect(rotate()).rejects.toThrow("already revoked");
  });
});

describe("account commands", () => {
  it("name the object that does not exist, and change nothing", async () => {
    const memberId = await createMember("owner");
    const { id: credentialId } = await createCredential(memberId);
    const before = await snapshot();
    const { configFile } = files;
    const [unknown, role] = ["99999", "admin"] as const;
    const member = { accountId, name: "Bob", role, wallets: [], login: null };
    const change = { accountId, id: memberId, role };
    const credential = { accountId, memberId, label: "", networks: [] };
    const refused: readonly (readonly [() => Promise<void>, string])[] = [
      [
        () => createMemberCommand(configFile, { ...member, accountId: unknown }, terminal),
        "no account 99999",
      ],
      [
        () => createMemberCommand(configFile, { ...member, accountId: "x" }, terminal),
        "no account x",
      ],
      [() => createMemberCommand(configFile, { ...member, name: " " }, terminal), "1 to 64"],
      [
        () => createMemberCommand(configFile, { ...member, wallets: ["1:spend"] }, terminal),
        "is not a wallet",
      ],
      [
        () => changeMemberCommand(configFile, { ...change, id: unknown }, terminal),
        "no member 99999",
      ],
      [
        () => changeMemberCommand(configFile, { ...change, accountId: foreignId }, terminal),
        `no member ${memberId}`,
      ],
      [
        () => changeMemberCommand(configFile, { ...change, wallets: ["0"] }, terminal),
        "is not a wallet",
      ],
      [
        () => createCredentialCommand(configFile, { ...credential, memberId: unknown }, terminal),
        "no active member 99999",
      ],
      [
        () => createCredentialCommand(configFile, { ...credential, networks: ["10/8"] }, terminal),
        '"10/8" is not an address or a network',
      ],
      [
        () =>
          revokeCredentialCommand(configFile, { accountId: foreignId, id: credentialId }, terminal),
        `no credential ${credentialId}`,
      ],
      [
        () => revokeCredentialCommand(configFile, { accountId, id: "x" }, terminal),
        "no credential x",
      ],
      [
        () => designateCredentialCommand(configFile, { accountId, id: unknown }, terminal),
        "no credential 99999",
      ],
      [
        () => listMembersCommand(configFile, { accountId: unknown, isJson: false }, terminal),
        "no account 99999",
      ],
      [
        () => listCredentialsCommand(configFile, { accountId: unknown, isJson: true }, terminal),
        "no account 99999",
      ],
      [() => showWebhookSecretCommand(configFile, unknown, terminal), "no account 99999"],
    ];
    for (const [attempt, reason] of refused) {
      const run = async () => {
        await attempt();
      };
      await expect(run()).rejects.toThrow(reason);
    }
    expect(await snapshot()).toBe(before);
    expect(terminal.lines()).toEqual([]);
  });

  it("take their options as documented, and exit with 1 on a refusal", async () => {
    const cli = join(import.meta.dirname, "../cli.ts");
    const sluice = (...words: readonly string[]) =>
      promisify(execFile)("node", [cli, ...words, "--config", files.configFile]);
    const rights = ["--role", "admin", "--wallet", wallets[0]!, "--wallet", `${wallets[1]!}:pay`];
    const { stdout: created } = await sluice("member", "create", accountId, "Carl", ...rights);
    const memberId = /^Member {2}(\d+) \(Carl\)/.exec(created)![1]!;
    expect(created).toContain(`wallets ${wallets[0]!} ${wallets[1]!}:pay`);
    const networks = ["--network", "10.0.0.0/8", "--network", "::1", "--label", "Till"];
    const { stdout: login } = await sluice(
      "credential",
      "create",
      accountId,
      memberId,
      ...networks,
    );
    expect(login).toMatch(/^Usable +from 10\.0\.0\.0\/8 ::1\/128$/m);
    const all = ["--role", "owner", "--all-wallets", "--name", "Carol"];
    const { stdout: changed } = await sluice("member", "change", accountId, memberId, ...all);
    expect(changed).toContain("(Carol)");
    expect(changed).toContain("owner, all wallets");
    const { stdout: json } = await sluice("credential", "list", accountId, "--json");
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ label: "Till" }) as unknown,
      }),
    );
    const { stdout: secret } = await sluice(
      "webhook-secret",
      "rotate",
      accountId,
      "--grace-hours",
      "0",
    );
    expect(secret).toMatch(/^Webhook secret {2}whsec_\S+\nRotated +20\S+\n$/);
    const [before] = await sql<{ count: string }>("select count(*) from token_key");
    expect((await sluice("token-keys", "rotate")).stdout).toMatch(/^New key {2}\S+\n/);
    const [after] = await sql<{ count: string }>("select count(*) from token_key");
    expect(Number(after!.count)).toBe(Number(before!.count) + 1);
    await expect(sluice("credential", "revoke", accountId, "99999")).rejects.toMatchObject({
      code: 1,
      stderr: "sluice: The account has no credential 99999.\n",
    });
  });

  it("leave an unbroken audit log without secrets", async () => {
    const { id, password } = await createCredential(await createMember("withdrawals"));
    const [row] = await sql<{ whole: string }>(
      `select e::text as whole from audit_entry e
       where account_id = $1 and member_id is null and credential_id is null and object_id = $2`,
      [accountId, id],
    );
    expect(row!.whole).not.toContain(password);
    const verdict = (await verifyAudit(db)).find((one) => one.accountId === accountId);
    expect(verdict?.fault).toBeNull();
  });
});
