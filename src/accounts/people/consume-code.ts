import type { Executor } from "../../platform/db/database.ts";
import type { PeopleContext } from "./context.ts";
import type { SecondFactor } from "./person-session.ts";
import { storeUsedRecoveryCode } from "./recovery-code.store.ts";
import { recoveryCodeDigest } from "./recovery-code.ts";
import { readTotp, storeUsedStep } from "./totp.store.ts";
import { stepOfCode, totpContext } from "./totp.ts";

/**
 * Consumes a member's code (six digits of an authenticator app, or a recovery code) in the caller's transaction and returns its kind.
 * Null when the code is wrong or was used before, including by a parallel request.
 */
export async function consumeCode(
  tx: Executor,
  context: Pick<PeopleContext, "clock" | "seal">,
  member: { readonly accountId: string; readonly memberId: string },
  code: string,
): Promise<SecondFactor | null> {
  const now = context.clock.now();
  const digest = recoveryCodeDigest(code);
  if (digest !== null)
    return (await storeUsedRecoveryCode(tx, member, digest, now)) ? "recovery_code" : null;
  const totp = await readTotp(tx, member);
  if (totp === null || totp.confirmedAt === null) return null;
  const secret = context.seal.open(totp.secretSealed, totpContext(totp.id));
  const step = stepOfCode(secret, code.replaceAll(/\s/g, ""), now);
  return step !== null && (await storeUsedStep(tx, member, step)) ? "totp" : null;
}
