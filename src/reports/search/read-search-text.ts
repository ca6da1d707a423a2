import { isObjectId } from "../../platform/kernel/object-id.ts";

/** What a search text can be, and so which indexes to query. */
export type SearchText = {
  /** Lower case, as labels, tracking ids and addresses are compared. */
  readonly prefix: string;
  readonly id: string | null;
  readonly page: string | null;
  /** As written, for tags and complete addresses. */
  readonly exact: string;
  /** Spellings of a transaction's id. */
  readonly txids: readonly string[];
};

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const hash = /^(?:0x)?([0-9a-f]{64})$/;

/** Parses a search text: a number, an address, a transaction, the link of a payment page, or the start of a name. */
export function readSearchText(text: string): SearchText {
  const prefix = text.trim().toLowerCase();
  const [, digits] = hash.exec(prefix) ?? [];
  const number = prefix.replace(/^#/, "");
  return {
    prefix,
    id: isObjectId(number) ? number : null,
    page: uuid.exec(prefix)?.[0] ?? null,
    exact: text.trim(),
    txids: digits === undefined ? [] : [digits, `0x${digits}`, digits.toUpperCase()],
  };
}
