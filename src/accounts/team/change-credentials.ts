import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { listInMemory, type MemoryList } from "../../platform/kernel/list-in-memory.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { type AuditRecord, recordAudit } from "../audit/record-audit.ts";
import { callbackKeyContext, callbackKeyOf } from "../callback-key.ts";
import {
  storeCredential,
  storeDesignation,
  storeRevocation,
  takeCredentialId,
} from "../credential.store.ts";
import type { MemberRecord } from "../member-record.ts";
import type { PeopleContext } from "../people/context.ts";
import { requireConfirmed } from "../people/require-person.ts";
import type { Principal } from "../principal.ts";
import { isAllowedFrom } from "../tokens/allowed-network.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { managingFault } from "./decide-member.ts";
import { acting, lockedMembers } from "./locked-members.ts";
import {
  readProgramCredential,
  readProgramCredentials,
  storeCredentialChange,
} from "./program-credential.store.ts";
import type { ProgramCredential } from "./program-credential.ts";
import { requireAdministratingPerson, requireAdministrator } from "./require-administrator.ts";

const list: MemoryList<ProgramCredential> = {
  id: (credential) => credential.id,
  filters: {
    member: (credential, text) => credential.memberId === text,
    is_revoked: (credential, text) => (credential.revokedAt !== null) === /^(true|1)$/i.test(text),
  },
  sort: {
    created_at: (credential) => credential.createdAt,
    label: (credential) => credential.label,
  },
};

/** The account's credentials. Rejects `permissionDenied` unless the caller is Owner or Admin. */
export async function listProgramCredentials(
  context: { readonly db: Executor },
  principal: Principal,
  query: ListQuery,
): Promise<Page<ProgramCredential>> {
  requireAdministrator(principal);
  return listInMemory(await readProgramCredentials(context.db, principal.accountId), list, query);
}

/** One of them; null when the account has none of that id. */
export function findProgramCredential(
  context: { readonly db: Executor },
  principal: Principal,
  id: string,
): Promise<ProgramCredential | null> {
  requireAdministrator(principal);
  return readProgramCredential(context.db, principal.accountId, id);
}

export type NewProgramCredential = {
  readonly memberId: string;
  readonly label: string;
  /** Already read by `parseNetwork`. */
  readonly allowedNetworks: readonly string[];
};

/**
 * Makes a credential by which a program acts as a member; its password is answered this once. Rejects `permissionDenied` for a
 * member whose rights the caller does not have, `confirmationDue`, and `invalidValue`.
 */
export async function addProgramCredential(
  context: PeopleContext,
  principal: Principal,
  input: NewProgramCredential,
): Promise<{ readonly credential: ProgramCredential; readonly password: string }> {
  requireAdministrator(principal);
  requireConfirmed(context, principal);
  const { accountId } = principal;
  const { random, seal } = context;
  const login = Buffer.from(random.bytes(16)).toString("base64url");
  const password = Buffer.from(random.bytes(32)).toString("base64url");
  const passwordHash = await hashPassword(password, context.passwordHashing, random);
  const id = present(await takeCredentialId(context.db), "a new credential's id");
  const at = context.clock.now();
  const credential = await context.db.transaction(async (tx) => {
    const members = await lockedMembers(tx, accountId);
    const member = members.find((one) => one.id === input.memberId);
    if (member === undefined || member.deactivatedAt !== null)
      reject("invalidValue", "The account has no such active member.", {
        pointer: "/data/relationships/member",
      });
    judge(members, principal, member.id);
    await storeCredential(tx, {
      accountId,
      id,
      memberId: member.id,
      login,
      passwordHash,
      callbackKeySealed: seal.seal(callbackKeyOf(login, password), callbackKeyContext(id)),
      allowedNetworks: input.allowedNetworks,
      createdAt: at,
      createdByMemberId: principal.memberId,
    });
    await storeCredentialChange(tx, accountId, id, { label: input.label, allowedNetworks: null });
    await recordChange(tx, principal, id, {
      action: "credential.created",
      summary: {
        member: `${member.id} ${member.name}`,
        label: input.label,
        allowed_networks: input.allowedNetworks,
      },
      at,
    });
    return readProgramCredential(tx, accountId, id);
  });
  return { credential: present(credential, "a credential just made"), password };
}

export type CredentialChange = {
  readonly label: string | null;
  readonly allowedNetworks: readonly string[] | null;
  /** A list that leaves out the very address that asks is meant. */
  readonly isConfirmed: boolean;
};

/** Changes label and allow-list (null: as it is). Null when the account has none of that id. Rejects as adding does. */
export function changeProgramCredential(
  context: PeopleContext,
  principal: Principal,
  id: string,
  { label, allowedNetworks, isConfirmed }: CredentialChange,
  ip: string,
): Promise<ProgramCredential | null> {
  return changeLocked(context, principal, id, async (tx, credential, at) => {
    if (allowedNetworks !== null && !isConfirmed && !isAllowedFrom(allowedNetworks, ip))
      reject(
        "invalidValue",
        `The list leaves out ${ip}, from where this request comes. Send confirm: true if that is meant.`,
        { pointer: "/data/attributes/allowed_networks" },
      );
    await storeCredentialChange(tx, principal.accountId, id, { label, allowedNetworks });
    await recordChange(tx, principal, id, {
      action: "credential.changed",
      summary: {
        ...(label === null ? {} : { label }),
        ...(allowedNetworks === null
          ? {}
          : {
              allowed_networks: allowedNetworks,
              allowed_networks_before: credential.allowedNetworks,
            }),
      },
      at,
    });
  });
}

/** Ends a credential; its key signs on for what it created. Null when the account has none of that id. Rejects as adding does. */
export function revokeProgramCredential(
  context: PeopleContext,
  principal: Principal,
  id: string,
): Promise<ProgramCredential | null> {
  return changeLocked(context, principal, id, async (tx, credential, at) => {
    if (credential.revokedAt !== null) return;
    await storeRevocation(tx, principal.accountId, id, at);
    const summary = { label: credential.label };
    await recordChange(tx, principal, id, { action: "credential.revoked", summary, at });
  });
}

/** Lets its key sign the callbacks of what people create. Null when the account has none of that id. Rejects as adding does. */
export function designateProgramCredential(
  context: PeopleContext,
  principal: Principal,
  id: string,
): Promise<ProgramCredential | null> {
  return changeLocked(context, principal, id, async (tx, credential, at) => {
    if (!(await storeDesignation(tx, principal.accountId, id)))
      reject("invalidValue", "A revoked credential cannot sign for others.");
    const summary = { label: credential.label };
    if (!credential.isDesignated)
      await recordChange(tx, principal, id, { action: "credential.designated", summary, at });
  });
}

async function changeLocked(
  context: PeopleContext,
  principal: Principal,
  id: string,
  write: (tx: Executor, credential: ProgramCredential, at: Instant) => Promise<void>,
): Promise<ProgramCredential | null> {
  requireAdministratingPerson(principal);
  const { accountId } = principal;
  const at = context.clock.now();
  return context.db.transaction(async (tx) => {
    const members = await lockedMembers(tx, accountId);
    const credential = await readProgramCredential(tx, accountId, id);
    if (credential === null) return null;
    judge(members, principal, credential.memberId);
    await write(tx, credential, at);
    return readProgramCredential(tx, accountId, id);
  });
}

/** Who acts by a credential has its member's rights: whoever handles it needs all of them. */
function judge(members: readonly MemberRecord[], principal: Principal, memberId: string): void {
  const find = (id: string): MemberRecord =>
    present(
      members.find((member) => member.id === id),
      "a member of the account",
    );
  const fault = managingFault(acting(find(principal.memberId)), find(memberId));
  if (fault !== null) reject(fault.name, fault.detail);
}

function recordChange(
  tx: Executor,
  principal: Principal,
  id: string,
  change: Pick<AuditRecord, "action" | "summary" | "at">,
): Promise<void> {
  return recordAudit(tx, { by: principal, object: { type: "credential", id }, ...change });
}
