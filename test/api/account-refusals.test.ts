import { describe, expect, it } from "vitest";
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
  webhookSecretStatusCommand,
} from "../../src/main/commands/administer-webhook-secret.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import {
  credential,
  member,
  named,
  type Request,
  type Site,
  useAdministeredAccounts,
} from "../support/administered-accounts.ts";
import { outcome } from "../support/people-api.ts";

/**
 * Shows that account administration refuses the same over HTTP and on the command line, and that both list the same. Two accounts are
 * arranged alike; ids are replaced by names first.
 */

const accounts = useAdministeredAccounts();
const { terminal, configFile, rowsOf, auditOf, send } = accounts;

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
    http: () => newMember({ wallet_grants: [{ wallet: accounts.foreign.wallet }] }),
    outcome: `400 1007 ${grants}`,
    command: (site) => createMemberWith(site, { wallets: [accounts.foreign.wallet] }),
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
    http: () => ["PATCH", `/member/${accounts.foreign.memberId}/`, { name: "Bob" }],
    outcome: "404 404",
    command: ({ accountId }) =>
      changeMemberCommand(
        configFile(),
        { accountId, id: accounts.foreign.memberId, name: "Bob" },
        terminal,
      ),
    message: "The account has no member",
  },
  {
    title: "a credential for a member of another account",
    http: () => ["POST", "/credential/", {}, { member: accounts.foreign.memberId }],
    outcome: "400 1007 /data/relationships/member",
    command: ({ accountId }) =>
      createCredentialCommand(
        configFile(),
        { accountId, memberId: accounts.foreign.memberId, label: "", networks: [] },
        terminal,
      ),
  },
  {
    title: "a credential for an inactive member",
    given: (site) =>
      memberActionCommand(configFile(), { action: "deactivate", ...member(site) }, terminal),
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
      for (const site of [accounts.viaHttp, accounts.viaCommand]) await refusal.given?.(site);
      const before = await Promise.all([accounts.viaHttp, accounts.viaCommand].map(rowsOf));
      const audited = await Promise.all([accounts.viaHttp, accounts.viaCommand].map(auditOf));
      const answer = await send(accounts.viaHttp, refusal.http(accounts.viaHttp));
      expect(outcome(answer)).toBe(refusal.outcome);
      const expected = refusal.message ?? answer.errors[0]?.detail;
      const message = String(named(accounts.viaHttp, expected));
      const failure: unknown = await refusal
        .command(accounts.viaCommand)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(named(accounts.viaCommand, (failure as Error).message)).toContain(message);
      expect(await Promise.all([accounts.viaHttp, accounts.viaCommand].map(rowsOf))).toEqual(
        before,
      );
      expect(await Promise.all([accounts.viaHttp, accounts.viaCommand].map(auditOf))).toEqual(
        audited,
      );
    },
  );
});

describe("lists on the command line", () => {
  const printed = (): unknown => JSON.parse(terminal.lines().join("\n"));
  const sorted = (items: unknown) =>
    (items as { readonly id: string }[]).toSorted((a, b) => Number(a.id) - Number(b.id));

  it("prints members as JSON as the API returns them", async () => {
    const { accountId } = accounts.viaHttp;
    await listMembersCommand(configFile(), { accountId, isJson: true }, terminal);
    const { resources } = await send(accounts.viaHttp, ["GET", "/member/"]);
    expect(sorted(printed())).toEqual(sorted(resources));
  });

  it("prints credentials as JSON as the API returns them", async () => {
    const { accountId } = accounts.viaHttp;
    await listCredentialsCommand(configFile(), { accountId, isJson: true }, terminal);
    const { resources } = await send(accounts.viaHttp, ["GET", "/credential/"]);
    expect(sorted(printed())).toEqual(sorted(resources));
  });

  it("prints the status of the webhook secret without the secret", async () => {
    const { accountId } = accounts.viaHttp;
    await webhookSecretStatusCommand(configFile(), accountId, terminal);
    expect(terminal.lines()).toEqual(["Rotated         never"]);
    await rotateWebhookSecretCommand(configFile(), { accountId, graceHours: 1 }, terminal);
    terminal.lines();
    await webhookSecretStatusCommand(configFile(), accountId, terminal);
    expect(terminal.lines().join("\n")).toMatch(/^Rotated +20.*\nThe previous secret also signs/);
  });
});
