import type { Target } from "../../accounts/actor.ts";
import {
  activateMember,
  changeMember,
  deactivateMember,
} from "../../accounts/members/change-member.ts";
import { confirmMember } from "../../accounts/members/confirm-member.ts";
import { createMember } from "../../accounts/members/create-member.ts";
import { listMembers } from "../../accounts/members/find-member.ts";
import type { Member } from "../../accounts/members/member.ts";
import type { InitialLogin } from "../../accounts/members/person-login.ts";
import { resetAccess } from "../../accounts/members/reset-access.ts";
import type { Role, WalletRights } from "../../accounts/principal.ts";
import { renderMember } from "../../http/accounts/member.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { administer, found } from "./administer.ts";
import type { CommandContext } from "./command-context.ts";
import { printTable } from "./print-table.ts";

/** `sluice member create ACCOUNT NAME --role ROLE`: creates a member, with all wallets unless some are named. */
export function createMemberCommand(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly name: string;
    readonly role: Role;
    /** As `ID` or `ID:pay`; empty: all wallets. */
    readonly wallets: readonly string[];
    readonly login: string | null;
  },
  context: CommandContext,
): Promise<void> {
  const { accountId } = options;
  return administer(configFile, context, async (accounts) => {
    const wallets = options.wallets.length === 0 ? "all" : parseWalletRights(options.wallets);
    const { member, access } = await createMember(accounts, "operator", { ...options, wallets });
    printMember(context, accountId, member);
    if (access !== null) printInitialLogin(context, access);
    context.print(
      `To create an API credential: sluice credential create ${accountId} ${member.id}`,
    );
  });
}

/** `sluice member list ACCOUNT`: prints the account's members as a table, or as JSON as the API returns them. */
export function listMembersCommand(
  configFile: string,
  { accountId, isJson }: { readonly accountId: string; readonly isJson: boolean },
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const members = await listMembers(accounts, "operator", accountId);
    if (isJson) {
      const resources = members.map((member) => renderMember(member));
      context.print(JSON.stringify(resources, null, 2));
      return;
    }
    printTable(context, [
      ["MEMBER", "ROLE", "WALLETS", "LOGIN", "STATUS", "NAME"],
      ...members.map((member) => [
        member.id,
        member.role,
        describeWallets(member.wallets),
        member.login ?? "-",
        statusOf(member),
        member.name,
      ]),
    ]);
  });
}

/** `sluice member change ACCOUNT MEMBER`: changes the name, role or wallets that are given. */
export function changeMemberCommand(
  configFile: string,
  options: Target & {
    readonly name?: string | undefined;
    readonly role?: Role | undefined;
    /** As `ID` or `ID:pay`; undefined: no change. */
    readonly wallets?: readonly string[] | "all" | undefined;
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, id, name, role, wallets } = options;
  if (name === undefined && role === undefined && wallets === undefined)
    throw new Error("Nothing to change: use --name, --role, --wallet or --all-wallets.");
  return administer(configFile, context, async (accounts) => {
    const change = {
      name,
      role,
      wallets: wallets === undefined || wallets === "all" ? wallets : parseWalletRights(wallets),
    };
    const member = await changeMember(accounts, "operator", { accountId, id }, change);
    printMember(context, accountId, found(member, "member", id));
  });
}

const memberActions = {
  activate: activateMember,
  deactivate: deactivateMember,
  confirm: confirmMember,
};

export type MemberAction = keyof typeof memberActions;

/** `sluice member activate|deactivate|confirm ACCOUNT MEMBER`. */
export function memberActionCommand(
  configFile: string,
  { action, accountId, id }: Target & { readonly action: MemberAction },
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const member = await memberActions[action](accounts, "operator", { accountId, id });
    printMember(context, accountId, found(member, "member", id));
  });
}

/** `sluice member reset-access ACCOUNT MEMBER`: prints an initial password; second factors and email address are removed and sessions end. */
export function resetAccessCommand(
  configFile: string,
  { accountId, id, login }: Target & { readonly login: string | null },
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const reset = await resetAccess(accounts, "operator", { accountId, id }, login);
    const { member, access } = found(reset, "member", id);
    printMember(context, accountId, member);
    printInitialLogin(context, access);
    context.print(
      "The second factors and the email address have been removed, and all sessions have ended.",
    );
  });
}

/** Parses rights to single wallets: `ID`, or `ID:pay` with payouts. */
function parseWalletRights(texts: readonly string[]): WalletRights {
  return new Map(
    texts.map((text) => {
      const [id = "", pay, ...rest] = text.split(":");
      if (!isObjectId(id) || (pay !== undefined && pay !== "pay") || rest.length > 0)
        throw new Error(`"${text}" is not a wallet. Write its id, such as 12, or 12:pay.`);
      return [id, { mayPay: pay === "pay" }];
    }),
  );
}

function printMember({ print }: CommandContext, accountId: string, member: Member): void {
  const { id, name, role, wallets } = member;
  print(
    `Member  ${id} (${name}) of account ${accountId}: ${role}, ${describeWallets(wallets)}, ${statusOf(member)}`,
  );
}

function printInitialLogin({ print }: CommandContext, { login, password }: InitialLogin): void {
  print(`Login             ${login}`);
  print(`Initial password  ${password}`);
  print("Save the password now: it is not shown again, and must be changed at the first sign-in.");
}

function describeWallets(wallets: WalletRights): string {
  if (wallets === "all") return "all wallets";
  if (wallets.size === 0) return "no wallets";
  const each = [...wallets].map(([id, { mayPay }]) => (mayPay ? `${id}:pay` : id));
  return `wallets ${each.join(" ")}`;
}

function statusOf({ deactivatedAt, needsConfirmation, confirmedAt }: Member): string {
  if (deactivatedAt !== null) return "inactive";
  if (needsConfirmation) return "needs confirmation";
  return confirmedAt === null ? "active" : "confirmed";
}
