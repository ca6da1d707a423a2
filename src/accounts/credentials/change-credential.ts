import type { Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  type Actor,
  assertAccountAdministrator,
  assertAdministratingPerson,
  auditActor,
  type Target,
} from "../actor.ts";
import type { AuditSummary } from "../audit/audit-entry.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { AccountsContext } from "../context.ts";
import { assertMayManage } from "../members/assert-member-change.ts";
import { lockMembers } from "../members/lock-members.ts";
import { isAllowedFrom } from "../tokens/allowed-network.ts";
import {
  readCredential,
  storeDesignation,
  storeRevocation,
  updateCredential,
} from "./credential.store.ts";
import { assertLabel, type Credential } from "./credential.ts";

type ChangeContext = Pick<AccountsContext, "db" | "clock">;

/** Null: as it is. */
export type CredentialChange = {
  readonly label: string | null;
  /** Parsed by `readNetworks`. */
  readonly allowedNetworks: readonly string[] | null;
  /** An address that the new list must contain, so that callers do not lock themselves out by mistake; null if there is none. */
  readonly requiredAddress: string | null;
};

/**
 * Changes a credential's label and allowed networks, from its next request on. Null when the account has no such credential. Rejects
 * `permissionDenied`, `notFound` for an unknown account, and `invalidValue`.
 */
export function changeCredential(
  context: ChangeContext,
  actor: Actor,
  target: Target,
  { label, allowedNetworks, requiredAddress }: CredentialChange,
): Promise<Credential | null> {
  if (label !== null) assertLabel(label);
  return changeLocked(context, actor, target, (before) => {
    if (
      allowedNetworks !== null &&
      requiredAddress !== null &&
      !isAllowedFrom(allowedNetworks, requiredAddress)
    )
      reject(
        "invalidValue",
        `The list does not contain ${requiredAddress}, the address of this request. Send confirm: true if this is intended.`,
        { pointer: "/data/attributes/allowed_networks" },
      );
    const after = {
      label: label ?? before.label,
      allowedNetworks: allowedNetworks ?? before.allowedNetworks,
    };
    return {
      action: "credential.changed",
      summary: {
        ...(label === null ? {} : { label }),
        ...(allowedNetworks === null
          ? {}
          : {
              allowed_networks: allowedNetworks,
              allowed_networks_before: before.allowedNetworks,
            }),
      },
      write: (tx) => updateCredential(tx, { ...target, ...after }),
    };
  });
}

/** Revokes a credential. Its key keeps signing the callbacks of the objects it created. Rejects as `changeCredential` does. */
export function revokeCredential(
  context: ChangeContext,
  actor: Actor,
  target: Target,
): Promise<Credential | null> {
  return changeLocked(context, actor, target, ({ label, revokedAt }) => ({
    action: "credential.revoked",
    summary: { label },
    write:
      revokedAt === null ? (tx, at) => storeRevocation(tx, target.accountId, target.id, at) : null,
  }));
}

/**
 * Makes a credential's key sign the callbacks of objects that no program created, in all wallets. Rejects as `changeCredential` does, and
 * `permissionDenied` for a member who sees only granted wallets.
 */
export function designateCredential(
  context: ChangeContext,
  actor: Actor,
  target: Target,
): Promise<Credential | null> {
  assertAccountAdministrator(actor);
  return changeLocked(context, actor, target, ({ label, revokedAt, isDesignated }) => {
    if (revokedAt !== null) reject("invalidValue", "A revoked credential cannot be designated.");
    return {
      action: "credential.designated",
      summary: { label },
      write: isDesignated ? null : (tx) => storeDesignation(tx, target.accountId, target.id),
    };
  });
}

type Plan = {
  readonly action: string;
  readonly summary: AuditSummary;
  /** Null: the credential already is as requested. */
  readonly write: ((tx: Executor, at: Instant) => Promise<void>) | null;
};

async function changeLocked(
  { db, clock }: ChangeContext,
  actor: Actor,
  { accountId, id }: Target,
  plan: (before: Credential) => Plan,
): Promise<Credential | null> {
  assertAdministratingPerson(actor, accountId);
  const at = clock.now();
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const before = isObjectId(id) ? await readCredential(tx, accountId, id) : null;
    if (before === null) return null;
    const member = members.find((candidate) => candidate.id === before.memberId);
    assertMayManage(members, actor, present(member, "the credential's member"));
    const { action, summary, write } = plan(before);
    if (write === null) return before;
    await write(tx, at);
    const object = { type: "credential", id };
    await recordAudit(tx, { by: auditActor(actor, accountId), action, object, summary, at });
    return readCredential(tx, accountId, id);
  });
}
