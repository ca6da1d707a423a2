import { describe, expect, it } from "vitest";
import {
  changeCredentialCommand,
  createCredentialCommand,
  designateCredentialCommand,
  revokeCredentialCommand,
} from "../../src/main/commands/administer-credentials.ts";
import {
  changeMemberCommand,
  createMemberCommand,
  memberActionCommand,
  resetAccessCommand,
} from "../../src/main/commands/administer-members.ts";
import {
  rotateWebhookSecretCommand,
  showWebhookSecretCommand,
} from "../../src/main/commands/administer-webhook-secret.ts";
import {
  credential,
  member,
  type Request,
  type Site,
  useAdministeredAccounts,
} from "../support/administered-accounts.ts";

/**
 * Shows that every action of account administration does the same over HTTP and on the command line: two accounts are arranged alike, an
 * Owner acts on the first one over HTTP and the operator on the second one with a command, and then rows, audit entries and refusals of
 * both are compared. Ids are replaced by names first.
 */

const accounts = useAdministeredAccounts();
const { terminal, configFile, rowsOf, auditOf, send } = accounts;

type Action = {
  readonly title: string;
  readonly audit: readonly string[];
  /** Brings both accounts into the state that the action needs. */
  readonly given?: (site: Site) => Promise<void>;
  readonly http: (site: Site) => Request;
  readonly command: (site: Site) => Promise<void>;
};

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
      for (const site of [accounts.viaHttp, accounts.viaCommand]) await action.given?.(site);
      const answer = await send(accounts.viaHttp, action.http(accounts.viaHttp));
      expect(answer.status, answer.text).toBeLessThan(300);
      await action.command(accounts.viaCommand);
      expect(await rowsOf(accounts.viaCommand)).toEqual(await rowsOf(accounts.viaHttp));
      const [audited, byOperator] = [
        await auditOf(accounts.viaHttp),
        await auditOf(accounts.viaCommand),
      ];
      expect(audited.map((entry) => entry.action)).toEqual(action.audit);
      const given = audited.length - 1;
      expect(byOperator).toEqual(audited.map((entry) => ({ ...entry, member_id: null })));
      if (given >= 0) expect(audited[given]?.member_id).toBe("the Owner");
    },
  );
});
