import type { PlainText } from "../../language/catalogs.ts";
import { t } from "../../language/t.ts";

/** Labels of the API's transfer types and screening states. */

const deposit = 1;
const topUp = 14;
const dust = 15;

const operations: Readonly<Record<string, PlainText>> = {
  1: "Deposit",
  2: "Payout",
  9: "Network fee",
  11: "Commission",
  14: "Top-up",
  15: "Dust",
  19: "Wallet activation",
  49: "Address activation",
};

const risks: Readonly<Record<string, PlainText>> = {
  1: "Passed",
  2: "In progress",
  3: "Flagged",
  4: "Not screened",
};

export const operationChoices = Object.entries(operations).map(([value, label]) => ({
  value,
  label: t(label),
}));
export const riskChoices = Object.entries(risks).map(([value, label]) => ({
  value,
  label: t(label),
}));

/** What a transfer belongs to: "Deposit 7", and "Deposit 7 (dust)" for a payment below the minimum. */
export function sourceText(type: number, operationId: number): string {
  const id = String(operationId);
  if (type === dust) return t("Deposit {id} (dust)", { id });
  const name = operations[type];
  return `${name === undefined ? type : t(name)} ${id}`;
}

/** Whether a transfer brought funds to the account or took them from it. */
export function directionText(type: number): string {
  return type === deposit || type === dust || type === topUp ? t("Incoming") : t("Outgoing");
}

export function riskText(status: number, risk: number | null): string {
  const known = risks[status];
  const label = known === undefined ? String(status) : t(known);
  return risk === null ? label : t("{label} (risk {risk} of 100)", { label, risk });
}

/** The path of the deposit or payout that a transfer belongs to; null for other types. */
export function ownerPath(type: number, operationId: number): string | null {
  if (type === deposit || type === dust) return `/deposits/${operationId}`;
  return type === 2 || type === 14 ? `/payouts/${operationId}` : null;
}
