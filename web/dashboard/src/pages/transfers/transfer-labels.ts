/** Labels of the API's transfer types and screening states. */

const operations: Readonly<Record<string, string>> = {
  1: "Deposit",
  2: "Payout",
  9: "Network fee",
  11: "Commission",
  14: "Top-up",
  15: "Dust",
  19: "Wallet activation",
  49: "Address activation",
};

const risks: Readonly<Record<string, string>> = {
  1: "Passed",
  2: "In progress",
  3: "Flagged",
  4: "Not screened",
};

export const operationChoices = Object.entries(operations).map(([value, label]) => ({
  value,
  label,
}));
export const riskChoices = Object.entries(risks).map(([value, label]) => ({ value, label }));

export function operationName(type: number): string {
  return operations[type] ?? String(type);
}

export function riskText(status: number, risk: number | null): string {
  const label = risks[status] ?? String(status);
  return risk === null ? label : `${label} (risk ${risk} of 100)`;
}

/** The path of the deposit or payout that a transfer belongs to; null for other types. */
export function ownerPath(type: number, operationId: number): string | null {
  if (type === 1 || type === 15) return `/deposits/${operationId}`;
  return type === 2 || type === 14 ? `/payouts/${operationId}` : null;
}
