import type { Executor } from "../platform/db/database.ts";
import type { Instant } from "../platform/kernel/clock.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import type { EmailKind } from "../platform/mail/email.ts";
import { storeAdministratorEmails } from "./notice.store.ts";

/**
 * Writes an email to every Owner and Admin of an account who has a confirmed address, whatever they chose to be notified: what they must
 * be able to stop. In the transaction of what it reports.
 */
export function tellAdministrators(
  tx: Executor,
  accountId: string,
  kind: EmailKind,
  content: JsonObject,
  now: Instant,
): Promise<void> {
  return storeAdministratorEmails(tx, accountId, kind, content, now);
}
