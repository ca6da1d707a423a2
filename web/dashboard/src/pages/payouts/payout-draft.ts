import { emptyPerson } from "../../components/travel-rule-person.ts";
import type { PayoutOrder, PayoutValues } from "./payout-order.ts";

export const emptyPayout: PayoutValues = {
  ...emptyPerson,
  wallet: "",
  currency: "",
  payeeKind: "address",
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

/** A payout that was sent, until it is answered: the same key and the same document find it again and never make a second one. */
export type SentPayout = {
  readonly key: string;
  readonly order: PayoutOrder;
};

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const name = "sluice-payout-sent";

/** Of this tab, also after it was loaded anew; null: everything was answered. */
export function readSent(storage: DraftStorage): SentPayout | null {
  const text = storage.getItem(name);
  if (text === null) return null;
  try {
    const sent = JSON.parse(text) as Partial<SentPayout> | null;
    return typeof sent?.key === "string" && typeof sent.order === "object"
      ? (sent as SentPayout)
      : null;
  } catch {
    return null;
  }
}

/** Before it is sent, so that nothing can be sent that is not on record. */
export function rememberSent(storage: DraftStorage, sent: SentPayout): void {
  storage.setItem(name, JSON.stringify(sent));
}

/** Once it was answered, either way. */
export function forgetSent(storage: DraftStorage): void {
  storage.removeItem(name);
}
