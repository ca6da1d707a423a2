import type { TagKind } from "./chain-record.ts";
import { commentFault } from "./ton-comment.ts";

/** A receiver's tag in its one spelling, and what is wrong with it. */
export type TagReading = {
  /** Null for none, and where there is a fault. */
  readonly tag: string | null;
  readonly faults: readonly TagFault[];
};

/** What is wrong with which member, as a sentence. */
export type TagFault = { readonly member: "tag" | "tag_type"; readonly detail: string };

const uint32Max = 2n ** 32n - 1n;
const uint64Max = 2n ** 64n - 1n;

/**
 * Reads the tag of a receiver and its type, as a request names them, on a chain with that kind of tags: "XRP: destination tag
 * (unsigned integer). XLM: memo matching tag_type. TON: free-form comment. Null otherwise." `who` begins the sentence about
 * members that the receiver does not take ("ETH payouts take no tag.").
 */
export function readTag(
  kind: TagKind | null,
  { tag, type }: { readonly tag: string | null; readonly type: string | null },
  who: string,
): TagReading {
  if (kind === "memo") return readMemo(tag, type);
  const noType = type === null ? [] : [faultOf("tag_type", `${who} take no tag_type.`)];
  if (kind === null) {
    const noTag = tag === null ? [] : [faultOf("tag", `${who} take no tag.`)];
    return { tag: null, faults: [...noTag, ...noType] };
  }
  if (tag === null) return { tag: null, faults: noType };
  if (kind === "comment") {
    const detail = commentFault(tag);
    const faults = [...noType, ...(detail === null ? [] : [faultOf("tag", detail)])];
    return { tag: faults.length > 0 ? null : tag, faults };
  }
  const number = wholeUpTo(tag, uint32Max);
  const detail = "A destination tag must be a whole number from 0 to 4294967295.";
  const faults = [...noType, ...(number === null ? [faultOf("tag", detail)] : [])];
  return { tag: faults.length > 0 ? null : number, faults };
}

/**
 * The `tag_type` of a receiver whose tag is known: 1 beside a memo, also beside one that the address itself contained. Without a memo as the
 * request gave it (0, or null for none).
 */
export function tagTypeOf(
  kind: TagKind | null,
  tag: string | null,
  given: string | null,
): string | null {
  return kind === "memo" && tag !== null ? "1" : given;
}

function readMemo(tag: string | null, type: string | null): TagReading {
  const fault = (member: TagFault["member"], detail: string): TagReading => ({
    tag: null,
    faults: [faultOf(member, detail)],
  });
  if ((type === null || type === "0") && tag === null) return { tag: null, faults: [] };
  if (type === null) return fault("tag_type", "A memo requires tag_type 1 (number).");
  if (type === "0") return fault("tag", "tag_type 0 means no memo, so tag must be empty.");
  if (type !== "1") return fault("tag_type", "tag_type must be 0 (no memo) or 1 (number).");
  const number = tag === null ? null : wholeUpTo(tag, uint64Max);
  return number === null
    ? fault("tag", "The memo must be a whole number from 0 to 18446744073709551615.")
    : { tag: number, faults: [] };
}

function faultOf(member: TagFault["member"], detail: string): TagFault {
  return { member, detail };
}

/** Without leading zeros, so that one number is one tag. */
function wholeUpTo(text: string, max: bigint): string | null {
  return /^\d{1,20}$/.test(text) && BigInt(text) <= max ? BigInt(text).toString() : null;
}
