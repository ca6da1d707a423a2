import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { hasFactor, readFactors } from "./factor.store.ts";
import { replaceRecoveryCodes } from "./recovery-code.store.ts";
import { generateRecoveryCode, recoveryCodeCount, recoveryCodeDigest } from "./recovery-code.ts";
import { requireConfirmed } from "./require-person.ts";

/**
 * Replaces the caller's recovery codes and returns the ten new ones, which cannot be read again. Rejects `confirmationDue`, and
 * `invalidValue` for a member without a second factor.
 */
export async function renewRecoveryCodes(
  context: PeopleContext,
  principal: Principal,
): Promise<readonly string[]> {
  requireConfirmed(context, principal);
  const factors = await readFactors(context.db, principal.accountId, principal.memberId);
  if (!hasFactor(factors))
    reject("invalidValue", "Set up an authenticator app or a passkey first.");
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    generateRecoveryCode(context.random),
  );
  const digests = codes.map((code) => present(recoveryCodeDigest(code), "a generated code"));
  await context.db.transaction(async (tx) => {
    await replaceRecoveryCodes(tx, principal, digests);
    await recordAudit(tx, {
      by: principal,
      action: "recovery_codes.renewed",
      object: { type: "member", id: principal.memberId },
      summary: {},
      at: context.clock.now(),
    });
  });
  return codes;
}
