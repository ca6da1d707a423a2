import type { PlainText } from "./catalogs.ts";
import { t, translateIfKnown } from "./t.ts";

/** Titles and details of the service's errors that people meet; all others are shown in English, as the service sends them. */
const known = new Set<string>([
  "Request was throttled",
  "Permission denied",
  "Confirmation with password or second factor required",
  "Object not found",
  "The deposit is closed",
  "No permission to view",
  "Missing field",
  "Invalid value",
  "Wallet inactive or still being registered",
  "Insufficient funds",
  "Blockchain fee too high or too low",
  "Amount zero or negative",
  "tracking_id is not unique for the wallet",
  "Amount below the minimal transfer amount",
  "Fee exceeds the payout amount",
  "Deposit address cannot be generated",
  "Deposit rates cannot be obtained",
  "Currency disabled",
  "Currency unavailable",
  "Incorrect address or address not whitelisted",
  "Payouts blocked for the wallet",
  "Fee calculation unavailable for the currency",
  "Node-related error",
  "Service unavailable, retry later",
  "Internal server error",
  "The wallet is inactive or still being registered.",
  "Your role can't create payouts.",
  "Your role can't create deposits.",
  "Your role can't approve payouts. Ask an Owner or Admin.",
  "You created this payout, so another member must approve it.",
  "You don't have access to this wallet.",
  "Use a decimal point, for example 12.50.",
  "Recipient details are required: first_name, last_name and street, or company and street.",
  "Enter a decimal number, for example 12.50.",
  "This login is already taken.",
  "This is not a valid URL.",
  "The wallet must be activated first.",
  "The passkey was not accepted.",
  "Incorrect or expired code.",
  "Enter an email address, for example name@example.com.",
  "The member who asked for this change gave you access, so a member added by someone else must approve it. It works the other way around: if you ask for the change, they can approve it.",
  "The payout's creator gave you access, so a member added by someone else must approve it. It works the other way around: if you create the payout, they can approve it.",
  "The member who asked may no longer change limits. Reject it and ask for it yourself.",
  "The amount must be greater than zero.",
  "Select a wallet that you have access to.",
  "Too many failed attempts. Try again in 15 minutes.",
  "Too many emails were requested. Try again in 15 minutes.",
  "This link has been used or has expired. Request a new one.",
  "This invitation has been accepted.",
  "This number has too many digits.",
  "This address isn't allowed.",
  "This must be an integer.",
  "A password has at least 12 characters.",
  "The password must not contain the login.",
  "The password must have at least 5 different characters.",
  "The password must not be a sequence such as 123456.",
  "The code is wrong. Check that your phone's clock is correct.",
  "An authenticator app is already set up. Remove it first.",
  "This passkey is already registered.",
  "Set up an authenticator app or a passkey first.",
  "This address is already invited. Send the invitation again instead.",
  "You can't confirm yourself. Another Owner must do it.",
  "You added this member or gave them access. Another Owner must confirm them.",
  "This member added you or gave you access. Another Owner must confirm them.",
  "This account can pay only allowlisted addresses. Cancel the payout, or allow its address first.",
  "The wallet's balance doesn't cover the batch.",
  "A batch with this reference has other payouts. Use another reference, or upload the same file to continue it.",
  "Another beneficiary already has this address.",
  "A transaction may already have paid this payout. An operator must review it first.",
  "This address can't receive payouts.",
  "No fresh fee quote for this currency is available. Try again shortly.",
  "The network does not relay such a small amount.",
  "You asked for this change. Withdraw it instead.",
  "Another member asked for this change. Reject it instead.",
  "This payment has already been resolved.",
  "The deposit requested no amount. Enter the amount to keep.",
  "This deposit has no funds on hold.",
  "The transfer was refunded.",
] satisfies readonly PlainText[]);

/** Texts that tell programs which request helps, and what people do in the dashboard instead; and texts that quote a person. */
const replaced: readonly {
  readonly pattern: RegExp;
  readonly shown: (quoted: string | undefined) => string;
}[] = [
  {
    pattern: /^This payout exceeds .*Another Owner must confirm you first \(POST .*\)\.$/,
    shown: () =>
      t(
        "This payout exceeds the account's limits. Another Owner must confirm you first, on the page Team.",
      ),
  },
  {
    pattern: /^This change loosens .*Another Owner must confirm you first \(POST .*\)\.$/,
    shown: () =>
      t("This change loosens protection. Another Owner must confirm you first, on the page Team."),
  },
  {
    pattern: /^Payouts from this wallet are paused: kill switch(?: \((.*)\))?\.$/s,
    shown: (reason) =>
      reason === undefined
        ? t("Payouts from this wallet are paused.")
        : t("Payouts from this wallet are paused: {reason}", { reason }),
  },
  {
    pattern: /^With the fee included, the amount must be at least (.*)\.$/,
    shown: (amount = "") =>
      t("With the fee included, the amount must be at least {amount}.", { amount }),
  },
];

/** An error text of the service in the language of the page if it is a known one, in terms of the dashboard. */
export function errorText(text: string): string {
  for (const { pattern, shown } of replaced) {
    const match = pattern.exec(text);
    if (match !== null) return shown(match[1]);
  }
  return known.has(text) ? translateIfKnown(text) : text;
}
