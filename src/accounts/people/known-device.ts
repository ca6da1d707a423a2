import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import type { PeopleContext } from "./context.ts";

/** A browser stays known for this long after its last sign-in. */
const deviceSeconds = 180 * 24 * 3600;

/** The value of a browser's device cookie. */
export type DeviceCookie = { readonly value: string; readonly expiresAt: Instant };

type Member = { readonly accountId: string; readonly memberId: string };

/**
 * Proves that the member has signed in from the browser that holds it; opens nothing by itself. A browser that is known to the member
 * already keeps its id, and with it its count of wrong guesses.
 */
export function issueDeviceCookie(
  context: Pick<PeopleContext, "seal" | "clock" | "random">,
  member: Member,
  presented: string | null,
): DeviceCookie {
  const id = readDevice(context, member, presented) ?? context.random.uuid();
  const expiresAt = addSeconds(context.clock.now(), deviceSeconds);
  const sealed = context.seal.seal(Buffer.from(`${id} ${expiresAt}`), sealContext(member));
  return { value: Buffer.from(sealed).toString("base64url"), expiresAt };
}

/**
 * The id of the browser that a cookie of this member names; null for a cookie that is missing, forged, expired or another member's.
 * Takes the same steps for a login that does not exist (`member` null).
 */
export function readDevice(
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
    // The seal throws on whatever it has not sealed for this member.
    return null;
  }
}

function sealContext(member: Member | null): string {
  return `member/${member?.accountId ?? 0}/${member?.memberId ?? 0}/device`;
}
