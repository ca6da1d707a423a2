import {
  chooseLanguage,
  chooseTopics,
  storeVerifiedEmail,
} from "../../src/accounts/people/contact.ts";
import type { EmailLanguage } from "../../src/notifications/email-language.ts";
import type { NoticeEvent } from "../../src/notifications/notice-event.ts";
import type { Topic } from "../../src/notifications/topic.ts";
import type { Database } from "../../src/platform/db/database.ts";
import type { ReceivedEmail } from "../../src/sandbox/mail-server.ts";
import type { MailSite } from "./mail-site.ts";
import type { ManualClock } from "./manual-clock.ts";
import { accountsContext, arrangeMember, type TestMember } from "./test-accounts.ts";

/** A member who is notified by email, and what it received so far. */
export type NoticeReader = TestMember & {
  readonly email: string;
  readonly emails: () => readonly ReceivedEmail[];
};

type MemberOptions = NonNullable<Parameters<typeof arrangeMember>[1]>;

let serial = 0;

/** Arranges a member with a verified address who chose these topics. */
export async function arrangeReader(
  site: {
    readonly database: { readonly db: Database };
    readonly clock: ManualClock;
    readonly mail: MailSite;
  },
  topics: readonly Topic[],
  { language, ...options }: MemberOptions & { readonly language?: EmailLanguage } = {},
): Promise<NoticeReader> {
  const context = accountsContext(site.database.db, site.clock);
  const member = await arrangeNotified(site, topics, options);
  const { email } = member;
  if (language !== undefined) await chooseLanguage(context, member, language);
  const emails = () => site.mail.server.received().filter(({ to }) => to.includes(email));
  return { ...member, email, emails };
}

/** A member with a verified address who chose these topics, where nothing is sent. */
export async function arrangeNotified(
  { database, clock }: Pick<Parameters<typeof arrangeReader>[0], "database" | "clock">,
  topics: readonly Topic[],
  options: MemberOptions = {},
): Promise<TestMember & { readonly email: string }> {
  const context = accountsContext(database.db, clock);
  const member = await arrangeMember(context, options);
  serial += 1;
  const email = `reader${serial}@shop.example`;
  await storeVerifiedEmail(context, member, email);
  await chooseTopics(context, member, { email: topics });
  return { ...member, email };
}

/** A payment of 10 USD, by default for deposit 1. */
export function aPayment(id = "1", label: string | null = null): NoticeEvent {
  const deposit = { id, order: null, label };
  const amount = { value: "10.00", code: "USD" };
  return { kind: "payment_received", deposit, amount, worth: null, transferId: null };
}
