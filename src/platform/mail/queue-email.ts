import type { Executor } from "../db/database.ts";
import type { Instant } from "../kernel/clock.ts";
import type { Seal } from "../kernel/seal.ts";
import { insertEmailRow, takeEmailId } from "./email.store.ts";
import { emailSecretContext, type NewEmail } from "./email.ts";

/** Writes an email to the outbox in the transaction of what it reports. A worker sends it. */
export async function queueEmail(
  tx: Executor,
  seal: Seal,
  email: NewEmail,
  now: Instant,
): Promise<void> {
  const id = await takeEmailId(tx);
  const sealed =
    email.secret === null ? null : seal.seal(Buffer.from(email.secret), emailSecretContext(id));
  await insertEmailRow(tx, id, email, sealed, now);
}
