import type { Currency } from "../../../../client/src/api-types.gen.ts";
import type { TagKind } from "../../../../src/currencies/chain-record.ts";
import { findChain } from "../../../../src/currencies/chains.ts";
import type { ById } from "../api/lookups.ts";
import { t } from "../language/t.ts";

/** How the receivers of a currency share one address; null where each has its own. A token has its chain's tags. */
export function tagKindOf(currencies: ById<Currency>, id: string | null): TagKind | null {
  const currency = currencies.get(id ?? "");
  if (currency === undefined) return null;
  const coin = currencies.get(currency.relationships.parent.data?.id ?? currency.id);
  return findChain(coin?.attributes.alpha ?? "")?.tag ?? null;
}

/** The name that the chain's wallets use. */
export const tagLabels: Readonly<Record<TagKind, string>> = {
  "destination-tag": t("Destination tag"),
  memo: t("Memo"),
  comment: t("Comment"),
};

/**
 * The API's members for a tag that a person typed; none for an empty one, and none without a kind: the text then belongs to a currency
 * that was chosen before, and its field is not shown any more. A memo is a number (type 1).
 */
export function tagMembers(
  kind: TagKind | null,
  typed: string,
): { readonly tag?: string; readonly tag_type?: string } {
  const tag = typed.trim();
  if (kind === null || tag === "") return {};
  return kind === "memo" ? { tag, tag_type: "1" } : { tag };
}
