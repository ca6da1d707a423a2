import type { PlainText } from "./catalogs.ts";
import { translateIfKnown } from "./t.ts";

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
  "Enter a decimal number, for example 12.50.",
  "This login is already taken.",
  "This is not a valid URL.",
  "The wallet must be activated first.",
  "The passkey was not accepted.",
  "Incorrect or expired code.",
  "Enter an email address, for example name@example.com.",
  "The amount must be greater than zero.",
  "Select a wallet that you have access to.",
  "Too many failed attempts. Try again in 15 minutes.",
  "Too many emails were requested. Try again in 15 minutes.",
  "This link has been used or has expired. Request a new one.",
  "This invitation has been accepted.",
  "This number has too many digits.",
  "This address isn't allowed.",
  "This must be an integer.",
] satisfies readonly PlainText[]);

/** An error text of the service in the language of the page if it is a known one. */
export function errorText(text: string): string {
  return known.has(text) ? translateIfKnown(text) : text;
}
