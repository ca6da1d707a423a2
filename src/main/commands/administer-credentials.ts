import type { AdministrationContext, Target } from "../../accounts/actor.ts";
import { readNetworks } from "../../accounts/credentials/allowed-networks.ts";
import {
  changeCredential,
  designateCredential,
  revokeCredential,
} from "../../accounts/credentials/change-credential.ts";
import { createCredential } from "../../accounts/credentials/create-credential.ts";
import type { Credential } from "../../accounts/credentials/credential.ts";
import { listCredentials } from "../../accounts/credentials/find-credential.ts";
import { renderCredential } from "../../http/accounts/credential.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { administer, found } from "./administer.ts";
import type { CommandContext } from "./command-context.ts";
import { printTable } from "./print-table.ts";

/** `sluice credential create ACCOUNT MEMBER`: creates an API credential of a member and prints login and password. */
export function createCredentialCommand(
  configFile: string,
  options: {
    readonly accountId: string;
    readonly memberId: string;
    readonly label: string;
    /** In CIDR notation, or single addresses; empty: any address. */
    readonly networks: readonly string[];
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, memberId, label, networks } = options;
  return administer(configFile, context, async (accounts) => {
    const allowedNetworks = readNetworks(networks);
    const input = { accountId, memberId, label, allowedNetworks };
    const { credential, password } = await createCredential(accounts, "operator", input);
    printNewCredential(context, credential, password);
  });
}

/** `sluice credential list ACCOUNT`: prints the account's credentials as a table, or as JSON as the API returns them. */
export function listCredentialsCommand(
  configFile: string,
  { accountId, isJson }: { readonly accountId: string; readonly isJson: boolean },
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const credentials = await listCredentials(accounts, "operator", accountId);
    if (isJson) {
      const resources = credentials.map((credential) => renderCredential(credential));
      context.print(JSON.stringify(resources, null, 2));
      return;
    }
    printTable(context, [
      ["CREDENTIAL", "MEMBER", "LOGIN", "CREATED", "USABLE", "LABEL"],
      ...credentials.map((credential) => [
        credential.id,
        credential.memberId,
        credential.login,
        formatTimestamp(credential.createdAt),
        describeUse(credential),
        credential.label,
      ]),
    ]);
  });
}

/** `sluice credential change ACCOUNT CREDENTIAL`: changes the label or the allowed networks that are given. */
export function changeCredentialCommand(
  configFile: string,
  options: Target & {
    readonly label: string | null;
    /** Empty allows any address; null changes nothing. */
    readonly networks: readonly string[] | null;
  },
  context: CommandContext,
): Promise<void> {
  const { accountId, id, label, networks } = options;
  if (label === null && networks === null)
    throw new Error("Nothing to change: use --label, --network or --any-network.");
  return administer(configFile, context, async (accounts) => {
    const credential = await changeCredential(
      accounts,
      "operator",
      { accountId, id },
      {
        label,
        allowedNetworks: networks === null ? null : readNetworks(networks),
        requiredAddress: null,
      },
    );
    printCredential(context, found(credential, "credential", id));
  });
}

/** `sluice credential revoke ACCOUNT CREDENTIAL`: ends a credential and its sessions from the next request on. */
export function revokeCredentialCommand(
  configFile: string,
  { accountId, id }: Target,
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const revoked = await revokeCredential(accounts, "operator", { accountId, id });
    const credential = found(revoked, "credential", id);
    printCredential(context, credential);
    if (credential.isDesignated)
      context.print(
        `It keeps signing callbacks for dashboard-created objects. To change that: sluice credential designate ${accountId} ID`,
      );
  });
}

/** `sluice credential designate ACCOUNT CREDENTIAL`: its key signs callbacks for dashboard-created objects. */
export function designateCredentialCommand(
  configFile: string,
  { accountId, id }: Target,
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const credential = await designateCredential(accounts, "operator", { accountId, id });
    printCredential(context, found(credential, "credential", id));
  });
}

/**
 * `sluice credential rotate ACCOUNT CREDENTIAL`: creates a credential with the same member, label and networks, designates it if
 * the old one was designated, and revokes the old one last: a crash in between leaves two usable credentials, never none.
 */
export function rotateCredentialCommand(
  configFile: string,
  { accountId, id }: Target,
  context: CommandContext,
): Promise<void> {
  return administer(configFile, context, async (accounts) => {
    const old = await findUsable(accounts, accountId, id);
    const { credential, password } = await createCredential(accounts, "operator", {
      ...old,
      accountId,
    });
    const target = { accountId, id: credential.id };
    if (old.isDesignated) await designateCredential(accounts, "operator", target);
    printNewCredential(context, credential, password);
    await revokeCredential(accounts, "operator", { accountId, id });
    context.print(`Credential ${id} is revoked.`);
  });
}

async function findUsable(
  accounts: AdministrationContext,
  accountId: string,
  id: string,
): Promise<Credential> {
  const credentials = await listCredentials(accounts, "operator", accountId);
  const credential = found(
    credentials.find((candidate) => candidate.id === id) ?? null,
    "credential",
    id,
  );
  if (credential.revokedAt !== null) throw new Error(`Credential ${id} is already revoked.`);
  return credential;
}

function printNewCredential(
  { print }: CommandContext,
  { id, memberId, login, allowedNetworks }: Credential,
  password: string,
): void {
  print(`Credential  ${id} of member ${memberId}`);
  print(`Login       ${login}`);
  print(`Password    ${password}`);
  print(`Usable      ${describeNetworks(allowedNetworks)}`);
  print("Save the password now: it is not shown again.");
}

function printCredential({ print }: CommandContext, credential: Credential): void {
  print(
    `Credential  ${credential.id} of member ${credential.memberId}: ${describeUse(credential)}`,
  );
}

function describeUse({ revokedAt, allowedNetworks, isDesignated }: Credential): string {
  const use =
    revokedAt === null
      ? describeNetworks(allowedNetworks)
      : `revoked ${formatTimestamp(revokedAt)}`;
  return isDesignated ? `${use}, designated` : use;
}

function describeNetworks(networks: readonly string[]): string {
  return networks.length === 0 ? "from anywhere" : `from ${networks.join(" ")}`;
}
