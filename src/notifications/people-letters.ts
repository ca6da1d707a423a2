import type { Letter } from "./letter.ts";

/** Asks the reader of an address to confirm that a member may use it. */
export function verificationLetter(link: string): Letter {
  return {
    subject: "Confirm your email address",
    paragraphs: [
      "Confirm this address to get notifications, and to reset your password by email.",
      "The link works once, for 24 hours.",
    ],
    action: { label: "Confirm address", href: link },
    footer: ["If you didn't ask for this, ignore this email. Nothing changes."],
  };
}

/** What an invitation states. */
export type InvitationContent = {
  readonly account: string;
  /** Name of the member who invites. */
  readonly inviter: string;
  readonly role: string;
};

/** Invites a person to become a member. */
export function invitationLetter({ account, inviter }: InvitationContent, link: string): Letter {
  return {
    subject: `${inviter} invited you to ${account} on Sluice`,
    paragraphs: [
      `${inviter} invited you to ${account}, which takes crypto payments with Sluice.`,
      "Choose a password to join. The link works once, for 7 days.",
    ],
    action: { label: "Accept invitation", href: link },
    footer: ["If you don't know the sender, ignore this email. Nothing happens."],
  };
}

/** The link to a page that sets a new password. */
export function passwordResetLetter(link: string): Letter {
  return {
    subject: "Reset your password",
    paragraphs: [
      "Set a new password with this link. It works once, for one hour.",
      "Your authenticator app and passkeys stay as they are, and you need them to sign in.",
    ],
    action: { label: "Reset password", href: link },
    footer: ["If you didn't ask for this, ignore this email. Your password stays the same."],
  };
}

/** Tells a person that their password was replaced. */
export function passwordChangedLetter(link: string): Letter {
  return {
    subject: "Your password was changed",
    paragraphs: [
      "Your password was changed with a link that was sent to this address. All your sessions have ended.",
      "If it wasn't you, reset the password now and tell an Owner of your account.",
    ],
    action: { label: "Reset password", href: link },
    footer: [],
  };
}

/** Tells the former address that a member's address was changed or removed; null: removed. */
export function addressChangedLetter(address: string | null, link: string): Letter {
  return {
    subject: "Your email address was changed",
    paragraphs: [
      address === null
        ? "This address was removed from your login. It no longer gets notifications, and it can't reset your password."
        : `Your email address was changed from this one to ${address}. Notifications and password resets go there from now on.`,
      "If it wasn't you, change your password, end your other sessions, and tell an Owner of your account.",
    ],
    action: { label: "Open profile and security", href: link },
    footer: [],
  };
}
