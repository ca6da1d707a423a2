import type { EmailLanguage } from "./email-language.ts";
import type { Letter } from "./letter.ts";
import { type LetterText, peopleTexts } from "./people-texts.ts";

/** Asks the reader of an address to confirm that a member may use it. */
export function verificationLetter(link: string, language: EmailLanguage): Letter {
  return letter(peopleTexts[language].verification, link, language);
}

/** What an invitation states. */
export type InvitationContent = {
  readonly account: string;
  /** Name of the member who invites. */
  readonly inviter: string;
  readonly role: string;
};

/** Invites a person to become a member. */
export function invitationLetter(
  { account, inviter }: InvitationContent,
  link: string,
  language: EmailLanguage,
): Letter {
  return letter(peopleTexts[language].invitation(inviter, account), link, language);
}

/** The link to a page that sets a new password. */
export function passwordResetLetter(link: string, language: EmailLanguage): Letter {
  return letter(peopleTexts[language].passwordReset, link, language);
}

/** Tells a person that their password was replaced. */
export function passwordChangedLetter(link: string, language: EmailLanguage): Letter {
  return letter(peopleTexts[language].passwordChanged, link, language);
}

/** Tells the former address that a member's address was changed or removed; null: removed. */
export function addressChangedLetter(
  address: string | null,
  link: string,
  language: EmailLanguage,
): Letter {
  return letter(peopleTexts[language].addressChanged(address), link, language);
}

function letter({ action, ...text }: LetterText, link: string, language: EmailLanguage): Letter {
  return { ...text, language, action: { label: action, href: link } };
}
