import { addSeconds } from "../platform/kernel/clock.ts";
import type { AccountsContext } from "./context.ts";
import { deleteExpiredChallenges } from "./people/challenge.store.ts";
import { deleteExpiredEmailTokens } from "./people/email-token.store.ts";
import { deleteGuessesOpenedBefore } from "./people/guess.store.ts";
import { guessWindowSeconds } from "./people/limit-guesses.ts";
import { deleteExpiredSessions } from "./tokens/session.store.ts";
import { deleteWindowsOpenedBefore } from "./tokens/throttle.store.ts";
import { throttleWindowSeconds } from "./tokens/throttle.ts";
import { deleteRetiredKeys } from "./tokens/token-key.store.ts";

/** Longer than the clocks of two processes may differ. */
const graceSeconds = 60;

/** Deletes expired sessions, challenges, token keys and request windows. Run it regularly; running it twice does no harm. */
export async function deleteExpired(context: Pick<AccountsContext, "db" | "clock">): Promise<void> {
  const before = addSeconds(context.clock.now(), -graceSeconds);
  await deleteExpiredSessions(context.db, before);
  await deleteExpiredChallenges(context.db, before);
  await deleteExpiredEmailTokens(context.db, before);
  await deleteGuessesOpenedBefore(context.db, addSeconds(before, -guessWindowSeconds));
  await deleteRetiredKeys(context.db, before);
  await deleteWindowsOpenedBefore(context.db, addSeconds(before, -throttleWindowSeconds));
}
