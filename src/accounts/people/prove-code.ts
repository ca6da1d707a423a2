import type { Executor } from "../../platform/db/database.ts";
import type { PeopleContext } from "./context.ts";
import type { SecondFactor } from "./own-session.ts";
import { storeUsedRecoveryCode } from "./recovery-code.store.ts";
import { recoveryCodeDigest } from "./recovery-code.ts";
import { readTotp, storeUsedStep } from "./totp.store.ts";
import { stepOfCode, totpContext } from "./totp.ts";

/**
 * Uses up a member's code, of six digits from an app or one for recovery, in the transaction of what it is for; null when it is
 * wrong or was used before, also by a request in parallel.
 */
export async function useCode(
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
