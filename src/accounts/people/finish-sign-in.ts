import { Rejected } from "../../platform/kernel/rejection.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import { readChallenge, takeChallenge } from "./challenge.store.ts";
import { challengeDigest } from "./challenge.ts";
import type { PeopleContext, Whereabouts } from "./context.ts";
import { guarded } from "./guess.ts";
import { openSession, type PersonTokens } from "./open-session.ts";
import { useCode } from "./prove-code.ts";
import { recordFailure } from "./sign-in.ts";

/**
 * Signs a person in who gave the password, by the challenge that this answered and a code. Challenge, code and session go together: a
 * wrong code leaves the challenge as it is, and of two right answers in parallel one opens a session. Rejects `unauthenticated`,
 * and `throttled` after ten wrong codes of a member, whichever challenges they came with.
 */
export async function finishSignIn(
  context: PeopleContext,
  answer: { readonly challenge: string; readonly code: string },
  from: Whereabouts,
): Promise<PersonTokens> {
  const digest = challengeDigest(answer.challenge);
  const asked = await readChallenge(context.db, digest, "second_factor", context.clock.now());
  if (asked === null || asked.accountId === null || asked.memberId === null)
    throw unauthenticated();
  const member = { accountId: asked.accountId, memberId: asked.memberId };
  return guarded(context, "code", member.memberId, async () => {
    try {
      return await openSession(context, member, from, async (tx) => {
        const taken = await takeChallenge(tx, digest, "second_factor", context.clock.now());
        const used = taken === null ? null : await useCode(tx, context, member, answer.code);
        if (used === null) throw unauthenticated();
        return used;
      });
    } catch (error) {
      if (error instanceof Rejected) await recordFailure(context, member, "code", from);
      throw error;
    }
  });
}
