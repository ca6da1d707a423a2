import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import {
  type Actor,
  type AdministrationContext,
  actingMemberId,
  assertConfirmedAdministrator,
  auditActor,
} from "../actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { assertMayManage } from "../members/assert-member-change.ts";
import { lockMembers } from "../members/lock-members.ts";
import { hashPassword } from "../tokens/password-hash.ts";
import { callbackKeyContext, callbackKeyOf } from "./callback-key.ts";
import { readCredential, storeCredential, takeCredentialId } from "./credential.store.ts";
import { assertLabel, type Credential } from "./credential.ts";

export type NewCredential = {
  readonly accountId: string;
  readonly memberId: string;
  readonly label: string;
  /** Parsed by `readNetworks`. */
  readonly allowedNetworks: readonly string[];
};

/**
 * Creates a credential with which a program acts as a member: a random login (128 bits) and password (256 bits, which cannot be read
 * again). The account's first credential becomes the designated one. Rejects `permissionDenied` for a member who has rights that the
 * actor lacks, `confirmationDue`, `notFound` for an unknown account, and `invalidValue`.
 */
export async function createCredential(
  context: AdministrationContext,
  actor: Actor,
  { accountId, memberId, label, allowedNetworks }: NewCredential,
): Promise<{ readonly credential: Credential; readonly password: string }> {
  assertConfirmedAdministrator(context, actor, accountId);
  assertLabel(label);
  const { db, random, seal } = context;
  const login = Buffer.from(random.bytes(16)).toString("base64url");
  const password = Buffer.from(random.bytes(32)).toString("base64url");
  const passwordHash = await hashPassword(password, context.passwordHashing, random);
  const id = await takeCredentialId(db);
  const at = context.clock.now();
  const credential = await db.transaction(async (tx) => {
    const members = await lockMembers(tx, accountId);
    const member = members.find(
      (candidate) => candidate.id === memberId && candidate.deactivatedAt === null,
    );
    if (member === undefined)
      reject("invalidValue", `The account has no active member ${memberId}.`, {
        pointer: "/data/relationships/member",
      });
    assertMayManage(members, actor, member);
    await storeCredential(tx, {
      accountId,
      id,
      memberId,
      label,
      login,
      passwordHash,
      callbackKeySealed: seal.seal(callbackKeyOf(login, password), callbackKeyContext(id)),
      allowedNetworks,
      createdAt: at,
      createdByMemberId: actingMemberId(actor),
    });
    await recordAudit(tx, {
      by: auditActor(actor, accountId),
      action: "credential.created",
      object: { type: "credential", id },
      summary: {
        member: `${memberId} ${member.name}`,
        label,
        allowed_networks: allowedNetworks,
      },
      at,
    });
    return readCredential(tx, accountId, id);
  });
  return { credential: present(credential, "the new credential"), password };
}
