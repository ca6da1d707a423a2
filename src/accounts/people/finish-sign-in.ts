import { Rejected } from "../../platform/kernel/rejection.ts";
import { tokenDigest } from "../tokens/opaque-token.ts";
import { unauthenticated } from "../tokens/unauthenticated.ts";
import { readChallenge, takeChallenge } from "./challenge.store.ts";
import { consumeCode } from "./consume-code.ts";
import type { ClientInfo, PeopleContext } from "./context.ts";
import { limitGuesses } from "./limit-guesses.ts";
import { recordFailure } from "./sign-in.ts";
import { type PersonTokens, startSession } from "./start-session.ts";

/**
 * Signs in a person who entered the password, with the challenge that the password step returned and a code. Challenge, code and session
 * change in one transaction: a wrong code leaves the challenge usable, and of two correct parallel answers one starts a session. Rejects
 * `unauthenticated`, and `throttled` after ten wrong codes for a member across all challenges.
 */
export async function finishSignIn(
  context: PeopleContext,
  answer: { readonly challenge: string; readonly code: string },
  from: ClientInfo,
): Promise<PersonTokens> {
  const digest = tokenDigest(answer.challenge);
  const challenge = await readChallenge(context.db, digest, "second_factor", context.clock.now());
  if (challenge === null || challenge.accountId === null || challenge.memberId === null)
    throw unauthenticated("code");
  const member = { accountId: challenge.accountId, memberId: challenge.memberId };
  return limitGuesses(context, "code", member.memberId, async () => {
    try {
      return await startSession(context, member, from, async (tx) => {
        const taken = await takeChallenge(tx, digest, "second_factor", context.clock.now());
        const used = taken === null ? null : await consumeCode(tx, context, member, answer.code);
        if (used === null) throw unauthenticated("code");
        return used;
      });
    } catch (error) {
      if (error instanceof Rejected) await recordFailure(context, member, "code", from);
      throw error;
    }
  });
}
