import { Secret, TOTP } from "otpauth";
import type { Instant } from "../../platform/kernel/clock.ts";

/** A member's authenticator app. */
export type StoredTotp = {
  readonly id: string;
  readonly secretSealed: Uint8Array;
  readonly createdAt: Instant;
  /** Null until the first code of the app was entered. */
  readonly confirmedAt: Instant | null;
};

const periodSeconds = 30;
/** Codes of this many steps before and after the current one are valid, because phones' clocks differ. */
const window = 1;

/** 160 bits, as RFC 4226 recommends for HMAC-SHA-1. */
export const totpSecretBytes = 20;

/** The context that a member's secret is sealed with. */
export function totpContext(id: string): string {
  return `totp/${id}/secret`;
}

/** RFC 6238 with SHA-1, six digits and 30 seconds, which every authenticator app supports. */
function totpOf(secret: Uint8Array, issuer: string, label: string): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  });
}

/** The secret in base32 for typing, and as an `otpauth:` URI for a QR code. */
export function presentTotp(
  secret: Uint8Array,
  issuer: string,
  label: string,
): { readonly secret: string; readonly uri: string } {
  const totp = totpOf(secret, issuer, label);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step of this code, if it is the current or an adjacent one; else null. */
export function stepOfCode(secret: Uint8Array, code: string, now: Instant): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = Math.floor(now / 1000);
  const delta = totpOf(secret, "", "").validate({ token: code, timestamp, window });
  return delta === null ? null : Math.floor(timestamp / 1000 / periodSeconds) + delta;
}
