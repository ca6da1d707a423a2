import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { PeopleContext } from "./context.ts";

/** How long a device cookie is valid after a sign-in. */
const deviceSeconds = 180 * 24 * 3600;

/** The value of a browser's device cookie. */
export type DeviceCookie = { readonly value: string; readonly expiresAt: Instant };

type Member = { readonly accountId: string; readonly memberId: string };

/**
 * Issues a cookie which proves that the member signed in from this browser before; it grants no access. A browser with a valid cookie
 * keeps its id, and with it its count of wrong guesses.
 */
export function issueDeviceCookie(
  context: Pick<PeopleContext, "seal" | "clock" | "random">,
  member: Member,
  presented: string | null,
): DeviceCookie {
  const id = readDeviceId(context, member, presented) ?? context.random.uuid();
  const expiresAt = addSeconds(context.clock.now(), deviceSeconds);
  const sealed = context.seal.seal(Buffer.from(`${id} ${expiresAt}`), sealContext(member));
  return { value: Buffer.from(sealed).toString("base64url"), expiresAt };
}

/**
 * The browser's id in a device cookie of this member; null for a cookie that is missing, forged, expired or another member's. Does the
 * same work for an unknown login (`member` null).
 */
export function readDeviceId(
  { seal, clock }: Pick<PeopleContext, "seal" | "clock">,
  member: Member | null,
  presented: string | null,
): string | null {
  if (presented === null) return null;
  try {
    const plain = seal.open(Buffer.from(presented, "base64url"), sealContext(member));
    const [id = "", expiresAt] = Buffer.from(plain).toString().split(" ");
    return Number(expiresAt) > clock.now() ? id : null;
  } catch {
    // Opening throws for anything that was not sealed for this member.
    return null;
  }
}

function sealContext(member: Member | null): string {
  return `member/${member?.accountId ?? 0}/${member?.memberId ?? 0}/device`;
}
