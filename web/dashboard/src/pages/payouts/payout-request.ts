import type { JsonValue } from "../../../../../client/src/api-types.gen.ts";
import type { TagKind } from "../../../../../src/currencies/chain-record.ts";
import type { FeeSpeed } from "../../components/fee-speed-choice.tsx";
import { tagMembers } from "../../components/tag-kinds.ts";
import {
  emptyPerson,
  type PersonValues,
  travelRuleOf,
} from "../../components/travel-rule-person.ts";
import { t } from "../../language/t.ts";

/** The fields of the new-payout form. */
export type PayoutValues = PersonValues & {
  readonly wallet: string;
  readonly currency: string;
  readonly recipientKind: "address" | "beneficiary" | "wallet" | "deposit";
  readonly address: string;
  readonly tag: string;
  readonly beneficiary: string;
  readonly target_wallet: string;
  readonly target_deposit: string;
  readonly amount: string;
  /** The amount is the whole balance, less the fee where the fee cannot be deducted from the amount. */
  readonly isAll: boolean;
  readonly is_fee_included: boolean;
  readonly speed: FeeSpeed;
  readonly label: string;
  readonly tracking_id: string;
  readonly callback_url: string;
  readonly confirmations_needed: string;
  /** Recipient details are added although they are not required. */
  readonly isNamed: boolean;
  /** The form's recipient details replace those of the beneficiary. */
  readonly usesForm: boolean;
  readonly isRemembered: boolean;
  readonly beneficiaryName: string;
};

export const emptyPayout: PayoutValues = {
  ...emptyPerson,
  wallet: "",
  currency: "",
  recipientKind: "address",
  address: "",
  tag: "",
  beneficiary: "",
  target_wallet: "",
  target_deposit: "",
  amount: "",
  isAll: false,
  is_fee_included: false,
  speed: "medium",
  label: "",
  tracking_id: "",
  callback_url: "",
  confirmations_needed: "",
  isNamed: false,
  usesForm: false,
  isRemembered: false,
  beneficiaryName: "",
};

/** The document of `POST /payout/`. */
export type PayoutRequest = {
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly relationships: Readonly<Record<string, { readonly type: string; readonly id: string }>>;
};

/** Facts that the request needs besides the form's fields. */
export type PayoutFacts = {
  /** Null for payouts inside the service. */
  readonly feeAmount: string | null;
  /** The selected beneficiary. */
  readonly beneficiary: {
    readonly address: string;
    readonly tag: string | null;
    readonly tagType: string | null;
    readonly travelRule: JsonValue;
  } | null;
  readonly isTravelRuleRequired: boolean;
  /** How receivers share an address on the chain; null where each has its own. */
  readonly tagKind: TagKind | null;
};

/** Builds the request from the form; empty fields are omitted. */
export function payoutRequest(values: PayoutValues, facts: PayoutFacts): PayoutRequest {
  const { wallet, currency } = values;
  const filledIn: Record<string, JsonValue> = {
    amount: values.amount.trim(),
    fee_amount: facts.feeAmount ?? "",
    ...recipientAttributes(values, facts),
    label: values.label.trim(),
    tracking_id: values.tracking_id.trim(),
    callback_url: values.callback_url.trim(),
    confirmations_needed: values.confirmations_needed.trim(),
    travel_rule_info: travelRuleInfoOf(values, facts),
  };
  const attributes = Object.fromEntries(
    Object.entries(filledIn).filter(([, value]) => value !== "" && value !== null),
  );
  return {
    attributes: values.is_fee_included ? { ...attributes, is_fee_included: true } : attributes,
    relationships: {
      wallet: { type: "wallet", id: wallet },
      currency: { type: "currency", id: currency },
      ...(values.recipientKind === "wallet"
        ? { target_wallet: { type: "wallet", id: values.target_wallet } }
        : {}),
    },
  };
}

function recipientAttributes(
  values: PayoutValues,
  { beneficiary, tagKind }: PayoutFacts,
): Record<string, JsonValue> {
  switch (values.recipientKind) {
    case "address":
      return { address: values.address.trim(), ...tagMembers(tagKind, values.tag) };
    case "beneficiary":
      return {
        address: beneficiary?.address ?? "",
        tag: beneficiary?.tag ?? "",
        tag_type: beneficiary?.tagType ?? "",
      };
    case "deposit":
      return { target_deposit: parseDepositId(values.target_deposit) };
    case "wallet":
      return {};
  }
}

/** Whether the form asks for the recipient's details, rather than taking the beneficiary's or none. */
export function asksForPerson(values: PayoutValues, facts: PayoutFacts): boolean {
  const known =
    values.recipientKind === "beneficiary" ? (facts.beneficiary?.travelRule ?? null) : null;
  if (known !== null) return values.usesForm;
  return facts.isTravelRuleRequired || values.isNamed;
}

/** The `travel_rule_info` of the payout; null without recipient details. */
export function travelRuleInfoOf(values: PayoutValues, facts: PayoutFacts): JsonValue {
  const known =
    values.recipientKind === "beneficiary" ? (facts.beneficiary?.travelRule ?? null) : null;
  if (known !== null && !values.usesForm) return known;
  return asksForPerson(values, facts) ? travelRuleOf(values) : null;
}

/** Extracts the payment page's UUID from a link; returns other text trimmed, for the service to validate. */
export function parseDepositId(text: string): string {
  const found = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text);
  return found?.[0].toLowerCase() ?? text.trim();
}

/** The steps of the form, in order. */
export const payoutSteps = [
  t("From and to"),
  t("Amount and fee"),
  t("Recipient"),
  t("Review"),
] as const;

const stepOfField: Readonly<Record<string, number>> = {
  wallet: 0,
  currency: 0,
  address: 0,
  tag: 0,
  beneficiary: 0,
  target_wallet: 0,
  target_deposit: 0,
  amount: 1,
  is_fee_included: 1,
  label: 1,
  tracking_id: 1,
  callback_url: 1,
  confirmations_needed: 1,
  fee_amount: 1,
  firstName: 2,
  lastName: 2,
  companyName: 2,
  country: 2,
  addressLine: 2,
};

/** The first step that shows one of the fields; null if there is none. */
export function stepOfFields(fields: readonly string[]): number | null {
  const steps = fields.flatMap((field) => {
    const step = stepOfField[field];
    return step === undefined ? [] : [step];
  });
  return steps.length === 0 ? null : Math.min(...steps);
}
