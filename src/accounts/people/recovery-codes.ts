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
 * Makes ten recovery codes in the place of those before, and answers them this once. Rejects `confirmationDue`, and `invalidValue`
 * without a second factor that they could stand in for.
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
  const digests = codes.map((code) => present(recoveryCodeDigest(code), "a code just made"));
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
