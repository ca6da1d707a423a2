import { type Executor, statement } from "../platform/db/database.ts";

const read = statement<{ is_operator: boolean }>(
  "operator.read",
  "select is_operator from account where id = $1",
);

/** Whether the account operates the deployment. */
export async function readIsOperator(db: Executor, accountId: string): Promise<boolean> {
  return (await db.query(read, [accountId]))[0]?.is_operator === true;
}

const save = statement<{ id: string }>(
  "operator.save",
  "update account set is_operator = $2 where id = $1 returning id",
);

/** Stores whether the account operates the deployment. False for an unknown account. */
export async function storeIsOperator(
  db: Executor,
  accountId: string,
  isOperator: boolean,
): Promise<boolean> {
  return (await db.query(save, [accountId, isOperator])).length === 1;
}

const list = statement<{ id: string }>(
  "operator.list",
  "select id from account where is_operator order by id",
);

/** The accounts that operate the deployment. */
export async function listOperatorAccounts(db: Executor): Promise<readonly string[]> {
  return (await db.query(list, [])).map(({ id }) => id);
}
