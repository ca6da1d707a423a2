import { type JsonSchema, nullable, text } from "../platform/resources/json-schema.ts";
import { findChain } from "./chains.ts";
import type { Currency } from "./currency.ts";

/** The `destination` of a deposit or payout; `tag` and `tag_type` are members on the chains that use them. */
export const destinationSchema: JsonSchema = nullable({
  type: "object",
  required: ["address_type", "address"],
  properties: {
    address_type: nullable(text),
    address: text,
    tag_type: nullable(text),
    tag: nullable(text),
  },
});

/**
 * A destination as one object: with `tag` on chains with destination tags, and with `tag_type` and `tag` on chains with memos (type 1,
 * a number; 0, none) and with comments, which have no types (null). `addressType` is empty on chains with one type.
 */
export function renderDestination(
  { chain }: Pick<Currency, "chain">,
  {
    address,
    addressType,
    tag,
  }: { readonly address: string; readonly addressType: string; readonly tag: string | null },
) {
  const plain = { address_type: addressType === "" ? null : addressType, address };
  switch (findChain(chain ?? "")?.tag ?? null) {
    case null:
      return plain;
    case "destination-tag":
      return { ...plain, tag };
    case "memo":
      return { ...plain, tag_type: tag === null ? "0" : "1", tag };
    case "comment":
      return { ...plain, tag_type: null, tag };
  }
}
