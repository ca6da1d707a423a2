import { emailLanguages } from "../../notifications/email-language.ts";
import type { Database } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { parseEmailAddress } from "../../platform/kernel/email-address.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import type { Seal } from "../../platform/kernel/seal.ts";
import { queueEmail } from "../../platform/mail/queue-email.ts";
import type { Deposit } from "../deposit.ts";
import { depositStatus } from "../deposit-status.ts";
import { mayMailReceipt } from "./may-mail-receipt.ts";
import { lockPageDeposit, readPageDeposit } from "./payment-page.store.ts";
import { countReceipts, storeReceiptRequest } from "./receipt.store.ts";

export type ReceiptContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: Seal;
  /** Whether the deployment has a mail server. */
  readonly sendsEmail: boolean;
};

/** Receipts of one deposit: a page's link may be known to others, and none of them may mail the world through it. */
const receiptsMax = 3;

/**
 * Sends a receipt of the deposit to the address: at once when it is paid, otherwise in the transaction in which it becomes Paid. False:
 * there is no such page. Rejects with invalidValue, depositEnded, permissionDenied.
 */
export async function requestReceipt(
  { db, clock, seal, sendsEmail }: ReceiptContext,
  pageId: string,
  requested: { readonly email: string; readonly language: string | null },
): Promise<boolean> {
  const email = parseEmailAddress(requested.email.trim());
  if (email === null)
    return reject("invalidValue", "Enter an email address, for example name@example.com.", {
      pointer: "/email",
    });
  const language = requested.language ?? "en";
  if (!emailLanguages.some((known) => known === language))
    reject("invalidValue", `Use one of these languages: ${emailLanguages.join(", ")}.`, {
      pointer: "/language",
    });
  const seen = await readPageDeposit(db, pageId);
  if (seen === null) return false;
  assertOffered(seen, sendsEmail);
  const now = clock.now();
  await db.transaction(async (tx) => {
    const deposit = present(await lockPageDeposit(tx, pageId), "a page that was there before");
    assertOffered(deposit, sendsEmail);
    const { asked, isWaiting } = await countReceipts(tx, deposit, email);
    if (isWaiting) return;
    if (asked >= receiptsMax) reject("throttled", `A payment has at most ${receiptsMax} receipts.`);
    if (deposit.status !== depositStatus.paid)
      return storeReceiptRequest(tx, deposit, { email, language }, now);
    return queueEmail(
      tx,
      seal,
      {
        accountId: deposit.accountId,
        memberId: null,
        kind: "receipt",
        recipient: email,
        content: { deposit_id: deposit.id, language },
        secret: null,
      },
      now,
    );
  });
  return true;
}

function assertOffered(deposit: Deposit, sendsEmail: boolean): void {
  if (!sendsEmail || deposit.targetAmountRequested === null)
    reject("permissionDenied", "This payment has no receipt by email.");
  if (!mayMailReceipt(deposit))
    reject("depositEnded", "This payment has ended and has no receipt.");
}
