import type { JsonValue } from "../../../../../client/src/api-types.gen.ts";
import { type PersonValues, travelRuleOf } from "../../components/travel-rule-person.ts";

export type Speed = "low" | "medium" | "high";

/** A payout as the form asks for it. */
export type PayoutValues = PersonValues & {
  readonly wallet: string;
  readonly currency: string;
  readonly payeeKind: "address" | "beneficiary" | "wallet" | "deposit";
  readonly address: string;
  readonly tag: string;
  readonly beneficiary: string;
  readonly target_wallet: string;
  readonly target_deposit: string;
  readonly amount: string;
  /** The amount follows the balance and the fee. */
  readonly isAll: boolean;
  readonly is_fee_included: boolean;
  readonly speed: Speed;
  readonly label: string;
  readonly tracking_id: string;
  readonly callback_url: string;
  readonly confirmations_needed: string;
  /** Whether the receiver is named, where nobody has to be. */
  readonly isNamed: boolean;
  /** The beneficiary's data is not what the form says. */
  readonly usesForm: boolean;
  readonly isRemembered: boolean;
  readonly beneficiaryName: string;
};

/** What is sent to `POST /payout/`. */
export type PayoutOrder = {
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly relationships: Readonly<Record<string, { readonly type: string; readonly id: string }>>;
};

/** What the form does not hold itself. */
export type OrderFacts = {
  /** Null: it stays inside the service. */
  readonly feeAmount: string | null;
  /** Address and data of the beneficiary that was chosen. */
  readonly beneficiary: {
    readonly address: string;
    readonly tag: string | null;
    readonly tagType: string | null;
    readonly travelRule: JsonValue;
  } | null;
  readonly isTravelRuleRequired: boolean;
};

/** The document of a payout; what was left empty is left out. */
export function orderOf(values: PayoutValues, facts: OrderFacts): PayoutOrder {
  const { wallet, currency } = values;
  const given: Record<string, JsonValue> = {
    amount: values.amount.trim(),
    fee_amount: facts.feeAmount ?? "",
    ...payeeOf(values, facts),
    label: values.label.trim(),
    tracking_id: values.tracking_id.trim(),
    callback_url: values.callback_url.trim(),
    confirmations_needed: values.confirmations_needed.trim(),
    travel_rule_info: receiverOf(values, facts),
  };
  const attributes = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== "" && value !== null),
  );
  return {
    attributes: values.is_fee_included ? { ...attributes, is_fee_included: true } : attributes,
    relationships: {
      wallet: { type: "wallet", id: wallet },
      currency: { type: "currency", id: currency },
      ...(values.payeeKind === "wallet"
        ? { target_wallet: { type: "wallet", id: values.target_wallet } }
        : {}),
    },
  };
}

function payeeOf(values: PayoutValues, { beneficiary }: OrderFacts): Record<string, JsonValue> {
  switch (values.payeeKind) {
    case "address":
      return { address: values.address.trim(), tag: values.tag.trim() };
    case "beneficiary":
      return {
        address: beneficiary?.address ?? "",
        tag: beneficiary?.tag ?? "",
        tag_type: beneficiary?.tagType ?? "",
      };
    case "deposit":
      return { target_deposit: depositIn(values.target_deposit) };
    case "wallet":
      return {};
  }
}

/** Who receives it, as `travel_rule_info`; null where nobody is named. */
export function receiverOf(values: PayoutValues, facts: OrderFacts): JsonValue {
  const known = values.payeeKind === "beneficiary" ? (facts.beneficiary?.travelRule ?? null) : null;
  if (known !== null && !values.usesForm) return known;
  return facts.isTravelRuleRequired || values.isNamed ? travelRuleOf(values) : null;
}

/** The id of a payment page in what was typed: the id itself, or the page's address. */
export function depositIn(text: string): string {
  const found = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text);
  return found?.[0].toLowerCase() ?? text.trim();
}

/** The steps of the form, in their order. */
export const payoutSteps = ["From and to", "Amount and fee", "Receiver", "Review"] as const;

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

/** The step that shows the first of these fields; null: none of them is on any. */
export function stepOfFields(fields: readonly string[]): number | null {
  const steps = fields.flatMap((field) => {
    const step = stepOfField[field];
    return step === undefined ? [] : [step];
  });
  return steps.length === 0 ? null : Math.min(...steps);
}
