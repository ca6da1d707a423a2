import { sqlState } from "../../platform/db/connect.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const foreignKeyViolation = "23503";

/** Runs work that writes rows of an account (null: of all accounts). Throws a readable error when the account does not exist. */
export async function withKnownAccount<Result>(
  accountId: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  if (accountId !== null && !isObjectId(accountId))
    throw new Error(`Account ${accountId} does not exist`);
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== foreignKeyViolation) throw error;
    throw new Error(`Account ${String(accountId)} does not exist`, { cause: error });
  }
}
