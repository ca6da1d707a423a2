import { afterAll, beforeAll, beforeEach } from "vitest";
import { auditEntryRoutes } from "../../src/http/accounts/audit-entry.ts";
import { credentialRoutes } from "../../src/http/accounts/credential.ts";
import { meRoutes } from "../../src/http/accounts/me.ts";
import { memberRoutes } from "../../src/http/accounts/member.ts";
import { sessionRoutes } from "../../src/http/accounts/session.ts";
import { webhookSecretRoutes } from "../../src/http/accounts/webhook-secret.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { ApiResponse } from "./api-server.ts";
import { type DeploymentFiles, openTerminal, writeDeployment } from "./command-line.ts";
import { useDatabase } from "./database.ts";
import { actAs, type Browser, type PeopleApi, peopleApi } from "./people-api.ts";

/**
 * An account with two Owners, a clerk whom the second Owner created and who is signed in, a program without a login, a second
 * credential and a wallet.
 */
export type Site = {
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

export type Audited = { readonly action: string; readonly member_id: string | null };

export type Request = readonly [
  method: string,
  path: string,
  attributes?: JsonObject,
  related?: { readonly member: string },
];

/** Ids are distinguished from other numbers by their size. */
const idPattern = /\b[1-9]00\d{4}\b/g;

export const member = ({ accountId, clerkId: id }: Site) => ({ accountId, id });
export const credential = ({ accountId, credentialId: id }: Site) => ({ accountId, id });
export function named({ names }: Site, value: unknown): unknown {
  const text = JSON.stringify(value).replace(idPattern, (id) => names.get(id) ?? "a new id");
  return JSON.parse(text) as unknown;
}

/**
 * Two accounts that are arranged alike: an Owner acts on the first one over HTTP, and the operator on the second one with a command.
 */
export function useAdministeredAccounts() {
  const database = useDatabase();
  const terminal = openTerminal();
  let api: PeopleApi;
  let files: DeploymentFiles;
  let foreign: { readonly wallet: string; readonly memberId: string };
  let viaHttp: Site;
  let viaCommand: Site;
  const configFile = () => files.configFile;

  beforeAll(async () => {
    files = await writeDeployment(database.url);
    api = peopleApi(database.db, systemClock, (context) => [
      ...sessionRoutes(context),
      ...meRoutes(context),
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
    const initial = clerk.attributes["initial_password"] as string;
    const clerkBrowser = await api.signIn({ login, password: initial });
    const attributes = { password: "a horse of the clerk" };
    await actAs(api, clerkBrowser, "POST", "/me/password/", { type: "me", attributes });
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

  /** What the account's audit log says since the arrangement. */
  async function auditOf(site: Site): Promise<readonly Audited[]> {
    const rows = await database.sql<Audited>(
      `select action, object_type, object_id, summary, member_id, credential_id from audit_entry
     where account_id = $1 and seq > $2 order by seq`,
      [site.accountId, site.auditStart],
    );
    return named(site, rows) as readonly Audited[];
  }

  function send(site: Site, [method, path, attributes, related]: Request): Promise<ApiResponse> {
    const data =
      attributes === undefined
        ? undefined
        : { type: path.split("/", 2)[1]!, attributes, ...related };
    return actAs(api, site.owner.browser, method, path, data);
  }

  return {
    terminal,
    configFile,
    rowsOf,
    auditOf,
    send,
    /** The wallet and the member of a third account. */
    get foreign() {
      return foreign;
    },
    get viaHttp() {
      return viaHttp;
    },
    get viaCommand() {
      return viaCommand;
    },
  };
}
