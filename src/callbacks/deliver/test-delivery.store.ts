import { type Executor, statement } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";

const nextNumber = statement<{ id: string }>(
  "callbacks.next-test-delivery",
  "select nextval('test_delivery_id') as id",
);

const readCallbackOf = statement<{ id: string }>(
  "callbacks.of-test-delivery",
  "select id from callback where account_id = $1 and object_type = 'test' and object_id = $2",
);

/** Draws the object id of a test delivery. Ids are unique, so that test deliveries do not wait for each other. */
export async function takeTestDeliveryId(tx: Executor): Promise<string> {
  const [row] = await tx.query(nextNumber, []);
  return present(row, "a test delivery id").id;
}

/** The id of a test delivery's callback. */
export async function readTestCallbackId(
  tx: Executor,
  accountId: string,
  testId: string,
): Promise<string> {
  const [row] = await tx.query(readCallbackOf, [accountId, testId]);
  return present(row, "the callback just written").id;
}
