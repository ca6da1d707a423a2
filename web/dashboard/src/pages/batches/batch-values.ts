import type { Currency } from "../../../../../client/src/api-types.gen.ts";
import type { ById } from "../../api/lookups.ts";
import { t } from "../../language/t.ts";

/** The API's values of `fee_speed`. */
export const speeds = [
  { value: "low", label: t("Slow") },
  { value: "medium", label: t("Standard") },
  { value: "high", label: t("Fast") },
] as const;

/** The fields of the new-batch form; `csv` is the text of the file once it was read. */
export type BatchValues = {
  readonly wallet: string;
  readonly currency: string;
  readonly reference: string;
  readonly fee_speed: (typeof speeds)[number]["value"];
  readonly file: File | null;
  readonly csv: string;
};

export const emptyBatch: BatchValues = {
  wallet: "",
  currency: "",
  reference: "",
  fee_speed: "medium",
  file: null,
  csv: "",
};

/** The relationships of a batch's requests. */
export function related({ wallet, currency }: BatchValues) {
  return {
    wallet: { type: "wallet" as const, id: wallet },
    currency: { type: "currency" as const, id: currency },
  };
}

/** The ID of the coin that pays the network fees of a currency; null while currencies are loading. */
export function coinOf(currencies: ById<Currency>, currency: string): string | null {
  const found = currencies.get(currency);
  return found === undefined ? null : (found.relationships.parent.data?.id ?? found.id);
}
