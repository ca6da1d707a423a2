import { addressText } from "../address.ts";
import type { Block } from "../block.ts";
import { type Entry, isUnspentAt, type Spending } from "../chain.ts";
import { hash256, hex, unhex } from "../hash.ts";
import type { Ledger } from "../ledger.ts";
import type { Printable, PrintableObject } from "../print-json.ts";
import { type Script, scriptHash } from "../script.ts";
import type { Output } from "../transaction.ts";
import { Hint } from "./hint.ts";
import { hasAsset, readPattern } from "./pattern.ts";

type Created = NonNullable<Entry["created"]>;
/** An output that a block of the index created, and how it was spent by then. */
type Match = { readonly entry: Entry; readonly created: Created; readonly spent: Spending | null };

export type MatchesQuery = {
  readonly pattern: string;
  readonly query: URLSearchParams;
  /** Whether quantities are printed as text (`Accept: application/json;asset-quantity=string`). */
  readonly hasTextQuantities: boolean;
};

/** `/matches/PATTERN`, for an index whose newest block is the given one. Throws `Hint`. */
export function matches(
  ledger: Ledger,
  newest: Block | null,
  { hasTextQuantities, pattern: text, query }: MatchesQuery,
): readonly Printable[] {
  const pattern = readPattern(text);
  if (pattern === null) throw new Hint(400, "The pattern is invalid.");
  const filters = [statusFilter(query), rangeFilter(ledger, query), contentFilter(query)];
  const direction = directionOf(query);
  const found: Match[] = [];
  for (const entry of ledger.entries()) {
    const { created } = entry;
    if (created === null || created.block.height > (newest?.height ?? -1)) continue;
    const match = { entry, created, spent: isUnspentAt(entry, newest) ? null : entry.spent };
    if (pattern(entry) && filters.every((passes) => passes(match))) found.push(match);
  }
  const resolvesHashes = query.has("resolve_hashes");
  return found
    .toSorted((a, b) => direction * compare(a, b))
    .map((match) => printMatch(ledger, match, resolvesHashes, hasTextQuantities));
}

function compare(a: Match, b: Match): number {
  if (a.created.block !== b.created.block) return a.created.block.slot - b.created.block.slot;
  if (a.created.transactionIndex !== b.created.transactionIndex)
    return a.created.transactionIndex - b.created.transactionIndex;
  return a.entry.reference.index - b.entry.reference.index;
}

function directionOf(query: URLSearchParams): 1 | -1 {
  const order = query.get("order");
  if (order === null || order === "most_recent_first") return -1;
  if (order === "oldest_first") return 1;
  throw new Hint(400, "order is most_recent_first or oldest_first.");
}

type Filter = (match: Match) => boolean;

function statusFilter(query: URLSearchParams): Filter {
  const [isSpent, isUnspent] = [query.has("spent"), query.has("unspent")];
  if (isSpent && isUnspent) throw new Hint(400, "Only one of spent and unspent can be given.");
  return ({ spent }) => (isSpent ? spent !== null : !isUnspent || spent === null);
}

/** Between two slots, or points, where outputs were created or spent; both ends are included. */
function rangeFilter(ledger: Ledger, query: URLSearchParams): Filter {
  const bounds = [
    { name: "created_after", slotOf: createdSlot, sign: 1 },
    { name: "created_before", slotOf: createdSlot, sign: -1 },
    { name: "spent_after", slotOf: spentSlot, sign: 1 },
    { name: "spent_before", slotOf: spentSlot, sign: -1 },
  ].flatMap(({ name, sign, slotOf }) => {
    const text = query.get(name);
    return text === null ? [] : [{ slotOf, sign, limit: slotIn(ledger, text) }];
  });
  for (const sign of [1, -1])
    if (bounds.filter((bound) => bound.sign === sign).length > 1)
      throw new Hint(400, "A range has one lower and one upper end.");
  return (match) =>
    bounds.every(({ limit, sign, slotOf }) => {
      const slot = slotOf(match);
      return slot !== null && sign * (slot - limit) >= 0;
    });
}

function createdSlot({ created }: Match): number {
  return created.block.slot;
}

function spentSlot({ spent }: Match): number | null {
  return spent?.block.slot ?? null;
}

/** A slot, or a point that has to be on the chain. */
function slotIn(ledger: Ledger, text: string): number {
  const [, slot, id] = /^(\d+)(?:\.([0-9a-f]{64}))?$/.exec(text) ?? [];
  if (slot === undefined) throw new Hint(400, "A range has slots, or points as SLOT.HASH.");
  if (id !== undefined) {
    const block = ledger.find(id);
    if (block === null || block.slot !== Number(slot) || !ledger.isOnChain(block))
      throw new Hint(400, "There is no such point on the chain.");
  }
  return Number(slot);
}

function contentFilter(query: URLSearchParams): Filter {
  const [policy, name] = [query.get("policy_id"), query.get("asset_name")];
  const [txid, index] = [query.get("transaction_id"), query.get("output_index")];
  const isAlone = (name !== null && policy === null) || (index !== null && txid === null);
  if (isAlone || (policy !== null && txid !== null))
    throw new Hint(
      400,
      "asset_name needs policy_id, output_index needs transaction_id, and not both.",
    );
  return ({ entry }) =>
    (policy === null || hasAsset(entry, policy, name)) &&
    (txid === null || entry.reference.txid === txid) &&
    (index === null || entry.reference.index === Number(index));
}

function printMatch(
  ledger: Ledger,
  { created, entry, spent }: Match,
  resolvesHashes: boolean,
  hasTextQuantities: boolean,
): PrintableObject {
  const { output, reference } = entry;
  const datumHash = datumHashOf(output);
  const { script } = output;
  return {
    transaction_index: created.transactionIndex,
    transaction_id: reference.txid,
    output_index: reference.index,
    address: addressText(output.address),
    value: printValue(output, hasTextQuantities),
    datum_hash: datumHash,
    ...(resolvesHashes ? { datum: datumHash === null ? null : ledger.datum(datumHash) } : {}),
    ...(datumHash === null ? {} : { datum_type: output.datum === null ? "hash" : "inline" }),
    script_hash: script === null ? null : hex(scriptHash(script)),
    ...(resolvesHashes ? { script: script === null ? null : printScript(script) } : {}),
    created_at: point(created.block),
    spent_at: spent === null ? null : printSpending(spent),
  };
}

function point({ id, slot }: Block): PrintableObject {
  return { slot_no: slot, header_hash: id };
}

function printSpending({ block, inputIndex, transaction }: Spending): PrintableObject {
  const redeemer = transaction.redeemers.find(
    ({ index, purpose }) => purpose === "spend" && index === inputIndex,
  );
  return {
    ...point(block),
    transaction_id: transaction.id,
    input_index: inputIndex,
    redeemer: transaction.isValid ? (redeemer?.data ?? null) : null,
  };
}

function printValue({ value }: Output, hasTextQuantities: boolean): PrintableObject {
  const printed = (quantity: bigint): Printable =>
    hasTextQuantities ? String(quantity) : quantity;
  const assets = [...value.assets].flatMap(([policy, names]) =>
    [...names].map(
      ([name, amount]) => [name === "" ? policy : `${policy}.${name}`, printed(amount)] as const,
    ),
  );
  return { coins: printed(value.lovelace), assets: Object.fromEntries(assets) };
}

function datumHashOf({ datum, datumHash }: Output): string | null {
  return datum === null ? datumHash : hex(hash256(unhex(datum)));
}

export function printScript({ bytes, language }: Script): PrintableObject {
  return { language, script: hex(bytes) };
}
