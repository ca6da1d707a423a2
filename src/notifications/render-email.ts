import type { Person } from "../accounts/people/person.ts";
import { assert, present } from "../platform/kernel/assert.ts";
import type { ClaimedEmail, RenderedEmail } from "../platform/mail/email.ts";
import { knownLanguage } from "./email-language.ts";
import { type Letter, renderLetter } from "./letter.ts";
import type { Digest } from "./notice.ts";
import { notificationLetter } from "./notification-letter.ts";
import {
  addressChangedLetter,
  type InvitationContent,
  invitationLetter,
  passwordChangedLetter,
  passwordResetLetter,
  verificationLetter,
} from "./people-letters.ts";
import {
  type ProtectionContent,
  protectionAppliedLetter,
  protectionLetter,
} from "./protection-letters.ts";
import { type Receipt, receiptLetter } from "./receipt-letter.ts";
import { isTopic } from "./topic.ts";

export type RenderContext = {
  readonly baseUrl: string;
  /** The key in a member's unsubscribe link; null for a member without contact. */
  readonly readUnsubscribeKey: (person: Person) => Promise<string | null>;
  /** The recipient's name in a payout's travel-rule data, which is stored sealed; null without one, and for roles that may not view it. */
  readonly readBeneficiary: (person: Person, payoutId: string) => Promise<string | null>;
  /** What the receipt of a paid deposit states. */
  readonly readReceipt: (accountId: string, depositId: string) => Promise<Receipt>;
};

/**
 * Renders an email of the outbox when it is sent. Tokens stand behind the # of their links, which browsers send to no server, so no log
 * contains them.
 */
export async function renderEmail(
  context: RenderContext,
  email: ClaimedEmail,
  secret: string | null,
): Promise<RenderedEmail> {
  return renderLetter(await letterOf(context, email, secret));
}

async function letterOf(
  context: RenderContext,
  email: ClaimedEmail,
  secret: string | null,
): Promise<Letter> {
  const { baseUrl } = context;
  const language = knownLanguage(email.content["language"]);
  const link = (page: string): string =>
    `${baseUrl}/ui/${page}#${present(secret, `the token of email ${email.id}`)}`;
  switch (email.kind) {
    case "notification":
      return notification(context, email);
    case "receipt": {
      const content = email.content as { readonly deposit_id: string };
      const receipt = await context.readReceipt(email.accountId, content.deposit_id);
      return receiptLetter(receipt, language);
    }
    case "email_verification":
      return verificationLetter(link("verify-email"), language);
    case "invitation":
      return invitationLetter(
        email.content as InvitationContent,
        link("accept-invitation"),
        language,
      );
    case "password_reset":
      return passwordResetLetter(link("reset-password"), language);
    case "password_changed":
      return passwordChangedLetter(`${baseUrl}/ui/forgot-password`, language);
    case "address_changed": {
      const { email: address } = email.content as { readonly email: string | null };
      return addressChangedLetter(address, `${baseUrl}/ui/profile`, language);
    }
    case "protection_change":
      return protectionLetter(
        email.content as ProtectionContent,
        `${baseUrl}/ui/protection`,
        language,
      );
    case "protection_changed":
      return protectionAppliedLetter(
        email.content as Omit<ProtectionContent, "applies_at">,
        `${baseUrl}/ui/protection`,
        language,
      );
  }
}

async function notification(context: RenderContext, email: ClaimedEmail): Promise<Letter> {
  const { accountId, topic } = email;
  const memberId = present(email.memberId, "the member of a notification");
  assert(topic !== null && isTopic(topic), `email ${email.id} has a topic`);
  const key = await context.readUnsubscribeKey({ accountId, memberId });
  const digest = email.content as unknown as Digest;
  const only = digest.count === 1 ? digest.notices[0]?.event : undefined;
  const beneficiary =
    only?.kind === "payout_approval"
      ? await context.readBeneficiary({ accountId, memberId }, only.id)
      : null;
  const site = {
    baseUrl: context.baseUrl,
    unsubscribeUrl: key === null ? null : `${context.baseUrl}/unsubscribe/${key}/`,
  };
  return notificationLetter(topic, digest, knownLanguage(digest.language), site, beneficiary);
}
