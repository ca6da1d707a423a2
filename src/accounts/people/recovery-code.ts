import { createHash } from "node:crypto";
import { present } from "../../platform/kernel/assert.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Principal } from "../principal.ts";
import type { PeopleContext } from "./context.ts";
import { hasFactor, readFactors } from "./factor.store.ts";
import { replaceRecoveryCodes } from "./recovery-code.store.ts";
import { assertOwnPassword, requireConfirmed } from "./require-person.ts";

const recoveryCodeCount = 10;

/** Crockford's base32, without letters that look like digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 16;

/** Generates a code of 80 random bits in four groups, such as `7k3m-...`. A fast hash is enough for so many bits. */
export function generateRecoveryCode(random: Random): string {
  const letters = Array.from(random.bytes(length), (byte) => alphabet[byte % 32] ?? "");
  return letters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** The digest that the database holds, whatever the spacing, case and look-alike letters of the input; null for a malformed code. */
export function recoveryCodeDigest(code: string): Uint8Array | null {
  const plain = code
    .toLowerCase()
    .replaceAll(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  if (plain.length !== length || !/^[0-9a-hjkmnp-tv-z]+$/.test(plain)) return null;
  return new Uint8Array(createHash("sha256").update(plain).digest());
}

/**
 * Replaces the caller's recovery codes and returns the ten new ones, which cannot be read again. Rejects `confirmationDue`, and
 * `invalidValue` for a member without a second factor.
 */
export async function renewRecoveryCodes(
  context: PeopleContext,
  principal: Principal,
): Promise<readonly string[]> {
  assertOwnPassword(requireConfirmed(context, principal));
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
