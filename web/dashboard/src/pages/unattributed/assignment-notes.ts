import type { AssignableDeposit, Unattributed } from "../../../../../client/src/api-types.gen.ts";
import { subtractDecimals } from "../../components/decimals.ts";
import { t } from "../../language/t.ts";

const created = 2;
const unresolved = 5;

/**
 * What an operator should know before assigning a payment to a deposit. `isSameCurrency`: the deposit is credited in the currency
 * of the payment, so that its amounts can be compared.
 */
export function assignmentNotes(
  payment: Unattributed["attributes"],
  deposit: AssignableDeposit["attributes"],
  isSameCurrency: boolean,
): readonly string[] {
  return [
    t(
      "The deposit gets the payment as if the payer had used its tag: with screening, commission and webhooks.",
    ),
    isSameCurrency
      ? t("It counts as paid at the time of arrival.")
      : t(
          "It counts as paid at the time of arrival, at the current price if the deposit's rate lock has ended.",
        ),
    ...statusNotes(payment, deposit),
    ...amountNotes(payment, deposit, isSameCurrency),
  ];
}

function statusNotes(
  payment: Unattributed["attributes"],
  {
    status,
    target_amount_requested: requested,
    created_at,
    expires_at,
  }: AssignableDeposit["attributes"],
): readonly string[] {
  if (payment.received_at < created_at)
    return [
      t("The payment arrived before this deposit was created: it is probably for another one."),
    ];
  if (requested === null) return [];
  if (status === unresolved) return [t("The deposit is already on hold for another decision.")];
  if (status !== created)
    return [
      t(
        "The deposit is closed, so the payment will be on hold until its account accepts or refunds it.",
      ),
    ];
  return expires_at !== null && payment.received_at > expires_at
    ? [t("The payment arrived after the deposit expired, so it will be on hold.")]
    : [];
}

function amountNotes(
  payment: Unattributed["attributes"],
  {
    target_amount_requested: requested,
    target_paid: paid,
    status,
  }: AssignableDeposit["attributes"],
  isSameCurrency: boolean,
): readonly string[] {
  if (requested === null || !isSameCurrency || status !== created) return [];
  const due = subtractDecimals(requested, paid);
  const missing = due === null ? null : subtractDecimals(due, payment.amount);
  return missing !== null && /^-?0*\.?0*$/.test(missing)
    ? []
    : [t("The amount differs from what is still due.")];
}
