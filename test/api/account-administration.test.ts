/**
 * Shows that every action of account administration does the same over HTTP and on the command line: two accounts are arranged alike, an
 * Owner acts on the first one over HTTP and the operator on the second one with a command, and then rows, audit entries and refusals of
 * both are compared. Ids are replaced by names first.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditEntryRoutes } from "../../src/http/accounts/audit-entry.ts";
import { credentialRoutes } from "../../src/http/accounts/credential.ts";
import { memberRoutes } from "../../src/http/accounts/member.ts";
import { sessionRoutes } from "../../src/http/accounts/session.ts";
import { webhookSecretRoutes } from "../../src/http/accounts/webhook-secret.ts";
import {
  changeCredentialCommand,
  createCredentialCommand,
  designateCredentialCommand,
  listCredentialsCommand,
  revokeCredentialCommand,
} from "../../src/main/commands/administer-credentials.ts";
import {
  changeMemberCommand,
  createMemberCommand,
  listMembersCommand,
  memberActionCommand,
  resetAccessCommand,
} from "../../src/main/commands/administer-members.ts";
import {
  rotateWebhookSecretCommand,
  showWebhookSecretCommand,
  webhookSecretStatusCommand,
} from "../../src/main/commands/administer-webhook-secret.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ApiResponse } from "../support/api-server.ts";
import { type DeploymentFiles, openTerminal, writeDeployment } from "../support/command-line.ts";
import { useDatabase } from "../support/database.ts";
import { actAs, type Browser, outcome, type PeopleApi, peopleApi } from "../support/people-api.ts";

const database = useDatabase();
const terminal = openTerminal();
let api: PeopleApi;
let files: DeploymentFiles;
/** The wallet and the member of a third account. */
let foreign: { readonly wallet: string; readonly memberId: string };
let viaHttp: Site;
let viaCommand: Site;

/** Ids are distinguished from other numbers by their size. */
const idPattern = /\b[1-9]00\d{4}\b/g;

beforeAll(async () => {
  files = await writeDeployment(database.url);
  api = peopleApi(database.db, systemClock, (context) => [
    ...sessionRoutes(context),
    ...memberRoutes(context),
    ...credentialRoutes(context),
    ...webhookSecretRoutes(context),
    ...auditEntryRoutes(context),
  ]);
  for (const [index, table] of ["account", "member", "credential", "wallet"].entries())
    await database.sql(
      `select setval(pg_get_serial_sequence('${table}', 'id'), ${index + 1}000000)`,
      [],
    );
  const { accountId, memberId } = await api.arrangeMember();
  foreign = { wallet: await insertWallet(accountId), memberId };
});
afterAll(() => files.remove());
beforeEach(async () => {
  viaHttp = await arrange();
  viaCommand = await arrange();
  terminal.lines();
});

/**
 * An account with two Owners, a clerk whom the second Owner created and who is signed in, a program without a login, a second
 * credential and a wallet.
 */
type Site = {
  readonly accountId: string;
  readonly owner: { readonly id: string; readonly browser: Browser };
  readonly partnerId: string;
  readonly clerkId: string;
  readonly programId: string;
  readonly credentialId: string;
  readonly wallet: string;
  readonly names: ReadonlyMap<string, string>;
  readonly auditStart: number;
};

async function arrange(): Promise<Site> {
  const owner = await api.arrangeMember();
  const { accountId } = owner;
  const partner = await api.arrangeMember({ accountId });
  const browser = await api.signIn(owner);
  const partnerBrowser = await api.signIn(partner);
  const create = (attributes: JsonObject) =>
    actAs(api, partnerBrowser, "POST", "/member/", { type: "member", attributes });
  const login = `clerk-${accountId}`;
  const { one: clerk } = await create({ name: "Clerk", role: "read_only", login });
  await api.signIn({ login, password: clerk.attributes["initial_password"] as string });
  const { one: program } = await create({ name: "Program", role: "withdrawals" });
  const { one: credential } = await actAs(api, partnerBrowser, "POST", "/credential/", {
    type: "credential",
    attributes: { label: "Shop" },
    member: program.id,
  });
  const wallet = await insertWallet(accountId);
  const [row] = await database.sql<{ seq: number }>(
    "select max(seq)::int as seq from audit_entry where account_id = $1",
    [accountId],
  );
  return {
    accountId,
    owner: { id: owner.memberId, browser },
    partnerId: partner.memberId,
    clerkId: clerk.id,
    programId: program.id,
    credentialId: credential.id,
    wallet,
    names: new Map([
      [accountId, "the account"],
      [owner.memberId, "the Owner"],
      [partner.memberId, "the partner"],
      [clerk.id, "the clerk"],
      [program.id, "the program"],
      [owner.id, "the Owner's credential"],
      [partner.id, "the partner's credential"],
      [credential.id, "the credential"],
      [wallet, "the wallet"],
    ]),
    auditStart: row!.seq,
  };
}

async function insertWallet(accountId: string): Promise<string> {
  const [row] = await database.sql<{ id: string }>(
    `insert into wallet (account_id, type, currency, label, status, created_at)
     values ($1, 2, '1002', 'w', 3, '2026-01-01') returning id`,
    [accountId],
  );
  return row!.id;
}

function named({ names }: Site, value: unknown): unknown {
  const text = JSON.stringify(value).replace(idPattern, (id) => names.get(id) ?? "a new id");
  return JSON.parse(text) as unknown;
}

/** The account's rows, without secrets, exact times and who acted. */
async function rowsOf(site: Site): Promise<unknown> {
  const [row] = await database.sql(
    `select a.designated_credential_id::text, a.webhook_secret_rotated_at is not null as is_rotated,
            (a.former_webhook_secret_until - a.webhook_secret_rotated_at)::text as grace,
       (select jsonb_agg(jsonb_build_object('id', m.id::text, 'name', m.name, 'role', m.role, 'all', m.sees_all_wallets,
           'inactive', m.deactivated_at is not null, 'confirmed', m.confirmed_at is not null,
           'login', p.login, 'initial', p.is_initial,
           'sessions', (select count(*) from token_family f
                        where f.account_id = m.account_id and f.member_id = m.id and f.revoked_at is null),
           'grants', (select jsonb_agg(jsonb_build_array(g.wallet_id::text, g.may_pay)) from wallet_grant g
                      where g.account_id = m.account_id and g.member_id = m.id)) order by m.id)
        from member m left join person_login p on p.account_id = m.account_id and p.member_id = m.id
        where m.account_id = a.id) as members,
       (select jsonb_agg(jsonb_build_object('id', c.id::text, 'member', c.member_id::text, 'label', c.label,
           'networks', c.allowed_networks::text[], 'revoked', c.revoked_at is not null) order by c.id)
        from credential c where c.account_id = a.id) as credentials
     from account a where a.id = $1`,
    [site.accountId],
  );
  return named(site, row);
}

type Audited = { readonly action: string; readonly member_id: string | null };

/** What the account's audit log says since the arrangement. */
async function auditOf(site: Site): Promise<readonly Audited[]> {
  const rows = await database.sql<Audited>(
    `select action, object_type, object_id, summary, member_id, credential_id from audit_entry
     where account_id = $1 and seq > $2 order by seq`,
    [site.accountId, site.auditStart],
  );
  return named(site, rows) as readonly Audited[];
}

type Request = readonly [
  method: string,
  path: string,
  attributes?: JsonObject,
  related?: { readonly member: string },
];

function send(site: Site, [method, path, attributes, related]: Request): Promise<ApiResponse> {
  const data =
    attributes === undefined ? undefined : { type: path.split("/", 2)[1]!, attributes, ...related };
  return actAs(api, site.owner.browser, method, path, data);
}

type Action = {
  readonly title: string;
  readonly audit: readonly string[];
  /** Brings both accounts into the state that the action needs. */
  readonly given?: (site: Site) => Promise<void>;
  readonly http: (site: Site) => Request;
  readonly command: (site: Site) => Promise<void>;
};

const configFile = () => files.configFile;
const member = ({ accountId, clerkId: id }: Site) => ({ accountId, id });
const credential = ({ accountId, credentialId: id }: Site) => ({ accountId, id });
const act = (action: "activate" | "deactivate" | "confirm") => (site: Site) =>
  memberActionCommand(configFile(), { action, ...member(site) }, terminal);

const actions: readonly Action[] = [
  {
    title: "creates a person with one wallet",
    audit: ["member.created"],
    http: ({ accountId, wallet }) => [
      "POST",
      "/member/",
      {
        name: "Ada",
        role: "admin",
        login: `ada-${accountId}`,
        wallet_grants: [{ wallet, may_pay: true }],
      },
    ],
    command: ({ accountId, wallet }) =>
      createMemberCommand(
        configFile(),
        {
          accountId,
          name: "Ada",
          role: "admin",
          login: `ada-${accountId}`,
          wallets: [`${wallet}:pay`],
        },
        terminal,
      ),
  },
  {
    title: "changes a member's name, role and wallets",
    audit: ["member.changed"],
    http: ({ clerkId, wallet }) => [
      "PATCH",
      `/member/${clerkId}/`,
      { name: "Bob", role: "withdrawals", wallet_grants: [{ wallet, may_pay: false }] },
    ],
    command: (site) =>
      changeMemberCommand(
        configFile(),
        { ...member(site), name: "Bob", role: "withdrawals", wallets: [site.wallet] },
        terminal,
      ),
  },
  {
    title: "changes a member's name only",
    audit: ["member.changed"],
    http: ({ clerkId }) => ["PATCH", `/member/${clerkId}/`, { name: "Bob" }],
    command: (site) =>
      changeMemberCommand(configFile(), { ...member(site), name: "Bob" }, terminal),
  },
  {
    title: "deactivates a member and ends its sessions",
    audit: ["member.deactivated"],
    http: ({ clerkId }) => ["POST", `/member/${clerkId}/deactivate/`],
    command: act("deactivate"),
  },
  {
    title: "activates a member",
    audit: ["member.deactivated", "member.activated"],
    given: act("deactivate"),
    http: ({ clerkId }) => ["POST", `/member/${clerkId}/activate/`],
    command: act("activate"),
  },
  {
    title: "records nothing for a member who is already active",
    audit: [],
    http: ({ clerkId }) => ["POST", `/member/${clerkId}/activate/`],
    command: act("activate"),
  },
  {
    title: "confirms a member",
    audit: ["member.confirmed"],
    http: ({ clerkId }) => ["POST", `/member/${clerkId}/confirm/`],
    command: act("confirm"),
  },
  {
    title: "resets a member's access under another login",
    audit: ["member.access_reset"],
    http: ({ clerkId, accountId }) => [
      "POST",
      `/member/${clerkId}/reset-access/`,
      { login: `new-${accountId}` },
    ],
    command: (site) =>
      resetAccessCommand(
        configFile(),
        { ...member(site), login: `new-${site.accountId}` },
        terminal,
      ),
  },
  {
    title: "creates a credential",
    audit: ["credential.created"],
    http: ({ programId }) => [
      "POST",
      "/credential/",
      { label: "Till", allowed_networks: ["192.0.2.7/24", "2001:db8::1"] },
      { member: programId },
    ],
    command: ({ accountId, programId: memberId }) =>
      createCredentialCommand(
        configFile(),
        { accountId, memberId, label: "Till", networks: ["192.0.2.7/24", "2001:db8::1"] },
        terminal,
      ),
  },
  {
    title: "changes a credential's label and networks",
    audit: ["credential.changed"],
    http: ({ credentialId }) => [
      "PATCH",
      `/credential/${credentialId}/`,
      { label: "Till", allowed_networks: ["192.0.2.0/24"] },
    ],
    command: (site) =>
      changeCredentialCommand(
        configFile(),
        { ...credential(site), label: "Till", networks: ["192.0.2.0/24"] },
        terminal,
      ),
  },
  {
    title: "revokes a credential",
    audit: ["credential.revoked"],
    http: ({ credentialId }) => ["POST", `/credential/${credentialId}/revoke/`],
    command: (site) => revokeCredentialCommand(configFile(), credential(site), terminal),
  },
  {
    title: "designates a credential",
    audit: ["credential.designated"],
    http: ({ credentialId }) => ["POST", `/credential/${credentialId}/designate/`],
    command: (site) => designateCredentialCommand(configFile(), credential(site), terminal),
  },
  {
    title: "shows the webhook secret",
    audit: ["webhook_secret.shown"],
    http: () => ["POST", "/webhook-secret/show/"],
    command: ({ accountId }) => showWebhookSecretCommand(configFile(), accountId, terminal),
  },
  {
    title: "rotates the webhook secret",
    audit: ["webhook_secret.rotated"],
    http: () => ["POST", "/webhook-secret/rotate/", { grace_hours: 2 }],
    command: ({ accountId }) =>
      rotateWebhookSecretCommand(configFile(), { accountId, graceHours: 2 }, terminal),
  },
];

describe("account administration over HTTP and on the command line", () => {
  it.each(actions.map((action) => [action.title, action] as const))(
    "%s with the same rows and audit entries",
    async (_title, action) => {
      for (const site of [viaHttp, viaCommand]) await action.given?.(site);
      const answer = await send(viaHttp, action.http(viaHttp));
      expect(answer.status, answer.text).toBeLessThan(300);
      await action.command(viaCommand);
      expect(await rowsOf(viaCommand)).toEqual(await rowsOf(viaHttp));
      const [audited, byOperator] = [await auditOf(viaHttp), await auditOf(viaCommand)];
      expect(audited.map((entry) => entry.action)).toEqual(action.audit);
      const given = audited.length - 1;
      expect(byOperator).toEqual(audited.map((entry) => ({ ...entry, member_id: null })));
      if (given >= 0) expect(audited[given]?.member_id).toBe("the Owner");
    },
  );
});

type Refusal = {
  readonly title: string;
  readonly given?: (site: Site) => Promise<void>;
  readonly http: (site: Site) => Request;
  readonly outcome: string;
  readonly command: (site: Site) => Promise<void>;
  /** Where HTTP rejects the document before it reaches the action, with a text of its own. */
  readonly message?: string;
};

const grants = "/data/attributes/wallet_grants/0/wallet";
const newMember = (attributes: JsonObject): Request => [
  "POST",
  "/member/",
  { name: "Ada", role: "admin", ...attributes },
];
const createMemberWith = (
  { accountId }: Site,
  options: Partial<Parameters<typeof createMemberCommand>[1]>,
) =>
  createMemberCommand(
    configFile(),
    { accountId, name: "Ada", role: "admin", wallets: [], login: null, ...options },
    terminal,
  );

const refusals: readonly Refusal[] = [
  {
    title: "a wallet of another account",
    http: () => newMember({ wallet_grants: [{ wallet: foreign.wallet }] }),
    outcome: `400 1007 ${grants}`,
    command: (site) => createMemberWith(site, { wallets: [foreign.wallet] }),
  },
  {
    title: "a malformed login",
    http: () => newMember({ login: "a b" }),
    outcome: "400 1007 /data/attributes/login",
    command: (site) => createMemberWith(site, { login: "a b" }),
  },
  {
    title: "a login that is taken",
    http: ({ accountId }) => newMember({ login: `clerk-${accountId}` }),
    outcome: "400 1007 /data/attributes/login",
    command: (site) => createMemberWith(site, { login: `clerk-${site.accountId}` }),
  },
  {
    title: "a name that is too long",
    http: () => newMember({ name: "x".repeat(65) }),
    outcome: "400 1007 /data/attributes/name",
    command: (site) => createMemberWith(site, { name: "x".repeat(65) }),
    message: "A member's name has 1 to 64 characters.",
  },
  {
    title: "the demotion of the last active Owner",
    given: ({ accountId, partnerId: id }) =>
      memberActionCommand(configFile(), { action: "deactivate", accountId, id }, terminal),
    http: ({ owner }) => ["PATCH", `/member/${owner.id}/`, { role: "admin" }],
    outcome: "400 1007 /data/attributes/role",
    command: ({ accountId, owner }) =>
      changeMemberCommand(configFile(), { accountId, id: owner.id, role: "admin" }, terminal),
  },
  {
    title: "a reset of access without a login for a member who has none",
    http: ({ programId }) => ["POST", `/member/${programId}/reset-access/`, {}],
    outcome: "400 1007 /data/attributes/login",
    command: ({ accountId, programId: id }) =>
      resetAccessCommand(configFile(), { accountId, id, login: null }, terminal),
  },
  {
    title: "a member of another account",
    http: () => ["PATCH", `/member/${foreign.memberId}/`, { name: "Bob" }],
    outcome: "404 404",
    command: ({ accountId }) =>
      changeMemberCommand(configFile(), { accountId, id: foreign.memberId, name: "Bob" }, terminal),
    message: "The account has no member",
  },
  {
    title: "a credential for a member of another account",
    http: () => ["POST", "/credential/", {}, { member: foreign.memberId }],
    outcome: "400 1007 /data/relationships/member",
    command: ({ accountId }) =>
      createCredentialCommand(
        configFile(),
        { accountId, memberId: foreign.memberId, label: "", networks: [] },
        terminal,
      ),
  },
  {
    title: "a credential for an inactive member",
    given: act("deactivate"),
    http: ({ clerkId }) => ["POST", "/credential/", {}, { member: clerkId }],
    outcome: "400 1007 /data/relationships/member",
    command: ({ accountId, clerkId: memberId }) =>
      createCredentialCommand(
        configFile(),
        { accountId, memberId, label: "", networks: [] },
        terminal,
      ),
  },
  {
    title: "a malformed network",
    http: ({ credentialId }) => [
      "PATCH",
      `/credential/${credentialId}/`,
      { allowed_networks: ["10.0.0.0/33"] },
    ],
    outcome: "400 1007 /data/attributes/allowed_networks/0",
    command: (site) =>
      changeCredentialCommand(
        configFile(),
        { ...credential(site), label: null, networks: ["10.0.0.0/33"] },
        terminal,
      ),
  },
  {
    title: "the designation of a revoked credential",
    given: (site) => revokeCredentialCommand(configFile(), credential(site), terminal),
    http: ({ credentialId }) => ["POST", `/credential/${credentialId}/designate/`],
    outcome: "400 1007",
    command: (site) => designateCredentialCommand(configFile(), credential(site), terminal),
  },
  {
    title: "a grace period of more than 30 days",
    http: () => ["POST", "/webhook-secret/rotate/", { grace_hours: 721 }],
    outcome: "400 1007 /data/attributes/grace_hours",
    command: ({ accountId }) =>
      rotateWebhookSecretCommand(configFile(), { accountId, graceHours: 721 }, terminal),
    message: "The grace period is 0 to 720 hours.",
  },
];

describe("refusals of account administration over HTTP and on the command line", () => {
  it.each(refusals.map((refusal) => [refusal.title, refusal] as const))(
    "refuses %s and changes nothing",
    async (_title, refusal) => {
      for (const site of [viaHttp, viaCommand]) await refusal.given?.(site);
      const before = await Promise.all([viaHttp, viaCommand].map(rowsOf));
      const audited = await Promise.all([viaHttp, viaCommand].map(auditOf));
      const answer = await send(viaHttp, refusal.http(viaHttp));
      expect(outcome(answer)).toBe(refusal.outcome);
      const expected = refusal.message ?? answer.errors[0]?.detail;
      const message = String(named(viaHttp, expected));
      const failure: unknown = await refusal.command(viaCommand).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(named(viaCommand, (failure as Error).message)).toContain(message);
      expect(await Promise.all([viaHttp, viaCommand].map(rowsOf))).toEqual(before);
      expect(await Promise.all([viaHttp, viaCommand].map(auditOf))).toEqual(audited);
    },
  );
});

describe("lists on the command line", () => {
  const printed = (): unknown => JSON.parse(terminal.lines().join("\n"));
  const sorted = (items: unknown) =>
    (items as { readonly id: string }[]).toSorted((a, b) => Number(a.id) - Number(b.id));

  it("prints members as JSON as the API returns them", async () => {
    const { accountId } = viaHttp;
    await listMembersCommand(configFile(), { accountId, isJson: true }, terminal);
    const { resources } = await send(viaHttp, ["GET", "/member/"]);
    expect(sorted(printed())).toEqual(sorted(resources));
  });

  it("prints credentials as JSON as the API returns them", async () => {
    const { accountId } = viaHttp;
    await listCredentialsCommand(configFile(), { accountId, isJson: true }, terminal);
    const { resources } = await send(viaHttp, ["GET", "/credential/"]);
    expect(sorted(printed())).toEqual(sorted(resources));
  });

  it("prints the status of the webhook secret without the secret", async () => {
    const { accountId } = viaHttp;
    await webhookSecretStatusCommand(configFile(), accountId, terminal);
    expect(terminal.lines()).toEqual(["Rotated         never"]);
    await rotateWebhookSecretCommand(configFile(), { accountId, graceHours: 1 }, terminal);
    terminal.lines();
    await webhookSecretStatusCommand(configFile(), accountId, terminal);
    expect(terminal.lines().join("\n")).toMatch(/^Rotated +20.*\nThe previous secret also signs/);
  });
});
