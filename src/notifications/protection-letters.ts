import type { Letter } from "./letter.ts";

/** What an email about a change of limits states. */
export type ProtectionContent = {
  readonly id: string;
  /** Name of the member who asked. */
  readonly by: string;
  /** `set the USDT-ETH limit per day to 50000, from 10000` */
  readonly change: string;
  /** ISO 8601, in UTC. */
  readonly applies_at: string;
};

/** Warns Owners and Admins of a change that applies by itself, so that a stolen session cannot make it unnoticed. */
export function protectionLetter(
  { id, by, change, applies_at: at }: ProtectionContent,
  link: string,
): Letter {
  return {
    subject: `Payout protection: ${by} asked to ${change}`,
    paragraphs: [
      `${by} asked to ${change} (change ${id}).`,
      `Nobody else in the account can approve this, so it applies at ${readable(at)} unless you stop it.`,
      "If you don't know this change, withdraw or reject it now, change your password, and end your other sessions.",
    ],
    action: { label: "Review the change", href: link },
    footer: ["Owners and Admins always get this email."],
  };
}

/** Tells Owners and Admins that such a change has applied. */
export function protectionAppliedLetter(
  { id, by, change }: Omit<ProtectionContent, "applies_at">,
  link: string,
): Letter {
  return {
    subject: `Payout protection changed: ${change}`,
    paragraphs: [`${by} asked to ${change} (change ${id}). It has now been applied.`],
    action: { label: "Open payout protection", href: link },
    footer: ["Owners and Admins always get this email."],
  };
}

/** `2026-03-01 12:30 UTC` */
function readable(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
