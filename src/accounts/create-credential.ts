import { present } from "../platform/kernel/assert.ts";
import { reject } from "../platform/kernel/rejection.ts";
import { recordAudit } from "./audit/record-audit.ts";
import { callbackKeyContext, callbackKeyOf } from "./callback-key.ts";
import type { AccountsContext } from "./context.ts";
import { storeCredential, takeCredentialId } from "./credential.store.ts";
import { parseNetwork } from "./tokens/allowed-network.ts";
import { hashPassword } from "./tokens/password-hash.ts";

export type NewCredential = {
  readonly accountId: string;
  readonly memberId: string;
  /** Networks in CIDR notation or single addresses from which it may be used; none: from anywhere. */
  readonly allowedNetworks?: readonly string[];
};

export type IssuedCredential = {
  readonly id: string;
  readonly login: string;
  /** Shown this once: the service keeps only its hash. */
  readonly password: string;
};

/**
 * As the operator, makes a machine credential of a member: a random login (128 bit) and password (256 bit). The account's first
 * credential becomes its designated one. Rejects a network that is none with `invalidValue`.
 */
export async function createCredential(
  context: AccountsContext,
  credential: NewCredential,
): Promise<IssuedCredential> {
  const allowedNetworks = (credential.allowedNetworks ?? []).map(
    (text) =>
      parseNetwork(text) ?? reject("invalidValue", `"${text}" is no network in CIDR notation.`),
  );
  const login = Buffer.from(context.random.bytes(16)).toString("base64url");
  const password = Buffer.from(context.random.bytes(32)).toString("base64url");
  const passwordHash = await hashPassword(password, context.passwordHashing, context.random);
  const id = present(await takeCredentialId(context.db), "a new credential's id");
  const { accountId, memberId } = credential;
  const at = context.clock.now();
  await context.db.transaction(async (tx) => {
    await storeCredential(tx, {
      accountId,
      id,
      memberId,
      login,
      passwordHash,
      callbackKeySealed: context.seal.seal(callbackKeyOf(login, password), callbackKeyContext(id)),
      allowedNetworks,
      createdAt: at,
      createdByMemberId: null,
    });
    await recordAudit(tx, {
      by: { accountId },
      action: "credential.created",
      object: { type: "credential", id },
      summary: { member: memberId, allowed_networks: allowedNetworks },
      at,
    });
  });
  return { id, login, password };
}
