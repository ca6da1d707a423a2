import { sqlState } from "../../platform/db/connect.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const foreignKeyViolation = "23503";

/** Runs work that writes rows of an account (null: of everybody). Throws, for a person, where there is no such account. */
export async function orNoAccount<Result>(
  accountId: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (accountId !== null && !isObjectId(accountId))
    throw new Error(`there is no account ${accountId}`);
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== foreignKeyViolation) throw error;
    throw new Error(`there is no account ${String(accountId)}`, { cause: error });
  }
}
