import { type Executor, statement } from "../../platform/db/database.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const take = statement<{ guesses: number }>(
  "guess.take",
  `insert into guess_window as w (bucket, opened_at, guesses) values ($1, $2, 1)
   on conflict (bucket) do update set
     opened_at = case when w.opened_at <= $3 then excluded.opened_at else w.opened_at end,
     guesses = case when w.opened_at <= $3 then 1 else w.guesses + 1 end
   returning guesses`,
);

const giveBack = statement(
  "guess.give-back",
  "update guess_window set guesses = greatest(0, guesses - 1) where bucket = $1",
);

const deleteOver = statement("guess.delete-over", "delete from guess_window where opened_at <= $1");

/** Counts a guess before it is checked, so that parallel guesses all count; returns the number in the window. */
export async function countGuess(
  db: Executor,
  bucket: string,
  now: Instant,
  windowSeconds: number,
): Promise<number> {
  const [row] = await db.query(take, [
    bucket,
    formatTimestamp(now),
    formatTimestamp(addSeconds(now, -windowSeconds)),
  ]);
  return row?.guesses ?? Number.POSITIVE_INFINITY;
}

/** Takes a correct guess off the count. */
export async function uncountGuess(db: Executor, bucket: string): Promise<void> {
  await db.query(giveBack, [bucket]);
}

/** Deletes the windows that began before `before`. */
export async function deleteGuessesOpenedBefore(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteOver, [formatTimestamp(before)]);
}
