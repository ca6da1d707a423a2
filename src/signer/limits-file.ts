import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { JsonValue } from "../platform/kernel/json.ts";
import { canonicalLocator, type SpendIntent } from "./intent.ts";

export type SpendKind = SpendIntent["kind"];

/** The most that may be paid in one currency, in smallest units; null if unlimited. */
export type CurrencyLimits = {
  /** The locator of the currency's token, `contract` in the file; null: as in the signer's configuration. */
  readonly locator: string | null;
  readonly perPayout: bigint | null;
  readonly perHour: bigint | null;
  readonly perDay: bigint | null;
};

export type ChainLimits = {
  readonly kinds: ReadonlySet<SpendKind>;
  /** The most that one transaction, and all of 24 hours, may burn, in smallest units of the chain's coin; null if unlimited. */
  readonly feePerTransaction: bigint | null;
  readonly feesPerDay: bigint | null;
  /** The only address outside the deployment that gets money without an approved payout; null if there is none. */
  readonly cold: string | null;
  /** By currency id; others are not paid. Null: every currency, unlimited. */
  readonly currencies: ReadonlyMap<string, CurrencyLimits> | null;
};

/** The signer's own rules, regardless of the caller; a chain that is not named signs nothing. `none`: no rules. */
export type SignerLimits = ReadonlyMap<string, ChainLimits> | "none";

/** The faults of a limits file, each with its position: `limits.json:4:20 chains.BTC.fees_per_day: ...`. */
export class LimitsFault extends Error {
  override readonly name = "LimitsFault";
}

const spendKinds: readonly SpendKind[] = [
  "payout",
  "sweep",
  "top_up",
  "consolidation",
  "cold",
  "gap",
  "delegate",
  "undelegate",
  "opt_in",
];

/**
 * Reads the limits file, or `whenAbsent`, a document of the same form, if there is none. Null if there is neither. Rejects with
 * `LimitsFault`, which lists all faults.
 */
export async function readLimits(
  path: string,
  whenAbsent: JsonValue,
): Promise<SignerLimits | null> {
  try {
    return parseLimits(await readFile(path, "utf8"), basename(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return whenAbsent === null ? null : parseLimits(JSON.stringify(whenAbsent), "default limits");
  }
}

/** Throws `LimitsFault`. `file` is its name in faults. */
export function parseLimits(text: string, file: string): SignerLimits {
  const faults: string[] = [];
  const report: Report = (offset, path, message) => {
    const before = text.slice(0, offset).split("\n");
    const place = `${file}:${before.length}:${(before.at(-1) ?? "").length + 1}`;
    faults.push([place, path.join("."), message].filter((part) => part !== "").join(" "));
  };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  for (const error of errors) report(error.offset, [], printParseErrorCode(error.error));
  const limits = root === undefined || errors.length > 0 ? null : readRoot(root, report);
  if (faults.length > 0 || limits === null) {
    throw new LimitsFault(faults.length > 0 ? faults.join("\n") : `${file}:1:1 is empty`);
  }
  return limits;
}

type Path = readonly string[];
type Report = (offset: number, path: Path, message: string) => void;
type Read<Value> = (node: Node, path: Path, report: Report) => Value;

function readRoot(root: Node, report: Report): SignerLimits | null {
  if (root.type === "string" && root.value === "none") return "none";
  const { chains } = readObject(root, [], report, {
    chains: mapOf(/^[A-Z0-9-]{1,32}$/, readChain),
  });
  return chains ?? null;
}

function readChain(node: Node, path: Path, report: Report): ChainLimits {
  const read = readObject(
    node,
    path,
    report,
    {
      fee_per_transaction: readBound,
      fees_per_day: readBound,
      currencies: readCurrencies,
      kinds: readKinds,
      cold: readCold,
    },
    ["kinds", "cold"],
  );
  return {
    kinds: read.kinds ?? new Set(spendKinds),
    feePerTransaction: read.fee_per_transaction ?? null,
    feesPerDay: read.fees_per_day ?? null,
    cold: read.cold ?? null,
    currencies: read.currencies ?? null,
  };
}

const readCurrencies: Read<ReadonlyMap<string, CurrencyLimits> | null> = (node, path, report) => {
  if (node.type === "string" && node.value === "none") return null;
  const currencies = mapOf(/^\d{1,8}$/, readCurrency)(node, path, report);
  const owners = new Map<string, string>();
  for (const [currency, { locator }] of currencies) {
    const owner = locator === null ? undefined : owners.get(locator);
    if (owner !== undefined)
      report(node.offset, [...path, currency, "contract"], `is also the contract of ${owner}`);
    if (locator !== null) owners.set(locator, currency);
  }
  return currencies;
};

const readCurrency: Read<CurrencyLimits> = (node, path, report) => {
  const read = readObject(
    node,
    path,
    report,
    { per_payout: readBound, per_hour: readBound, per_day: readBound, contract: readContract },
    ["contract"],
  );
  return {
    locator: read.contract ?? null,
    perPayout: read.per_payout ?? null,
    perHour: read.per_hour ?? null,
    perDay: read.per_day ?? null,
  };
};

const readBound: Read<bigint | null> = (node, path, report) => {
  const value: unknown = node.type === "string" ? node.value : null;
  if (value === "none") return null;
  if (typeof value === "string" && /^(0|[1-9]\d{0,77})$/.test(value)) return BigInt(value);
  report(node.offset, path, 'must be smallest units as text, such as "250000", or "none"');
  return null;
};

/** What begins with `0x` is an EVM contract, and is checked as one; chains write other locators in many forms. */
const readContract: Read<string | null> = (node, path, report) => {
  const value: unknown = node.value;
  if (typeof value === "string" && /^(0x[0-9a-fA-F]{40}|(?!0x)[!-~]{1,128})$/.test(value))
    return canonicalLocator(value);
  report(
    node.offset,
    path,
    "must be a token's contract, issuer or id; after 0x, 40 hexadecimal digits",
  );
  return null;
};

const readKinds: Read<ReadonlySet<SpendKind>> = (node, path, report) => {
  if (node.type !== "array") report(node.offset, path, "must be a list");
  const kinds = node.type === "array" ? (node.children ?? []) : [];
  const known = kinds.filter((kind) => {
    const isKnown = spendKinds.includes(kind.value as SpendKind);
    if (!isKnown) report(kind.offset, path, `must be one of ${spendKinds.join(", ")}`);
    return isKnown;
  });
  return new Set(known.map((kind) => kind.value as SpendKind));
};

const readCold: Read<string | null> = (node, path, report) => {
  if (node.type === "null") return null;
  const value: unknown = node.value;
  if (typeof value === "string" && /^[\w:.-]{1,128}$/.test(value)) return value;
  report(node.offset, path, "must be an address or null");
  return null;
};

/** An object whose members are all read by `read`, with names that match `pattern`. */
function mapOf<Value>(pattern: RegExp, read: Read<Value>): Read<ReadonlyMap<string, Value>> {
  return (node, path, report) => {
    const found = new Map<string, Value>();
    for (const { name, key, value } of membersOf(node, path, report)) {
      if (!pattern.test(name)) report(key.offset, [...path, name], "is not a valid name");
      found.set(name, read(value, [...path, name], report));
    }
    return found;
  };
}

/** An object of exactly these members; those of `optional` may be absent. */
function readObject<Shape extends Readonly<Record<string, Read<unknown>>>>(
  node: Node,
  path: Path,
  report: Report,
  shape: Shape,
  optional: readonly string[] = [],
): { readonly [Name in keyof Shape]?: ReturnType<Shape[Name]> } {
  const found: Record<string, unknown> = {};
  const members = membersOf(node, path, report);
  for (const { name, key, value } of members) {
    const read = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (read === undefined) report(key.offset, [...path, name], "is not a known member");
    else found[name] = read(value, [...path, name], report);
  }
  const isRequired = (name: string): boolean => !optional.includes(name);
  const missing = Object.keys(shape).filter((name) => isRequired(name) && !(name in found));
  if (node.type === "object") {
    for (const name of missing) report(node.offset, [...path, name], "is missing");
  }
  return found as { readonly [Name in keyof Shape]?: ReturnType<Shape[Name]> };
}

type Member = { readonly name: string; readonly key: Node; readonly value: Node };

/** A repeated member is refused: a reader of the file could overlook one of them. */
function membersOf(node: Node, path: Path, report: Report): readonly Member[] {
  if (node.type !== "object") {
    report(node.offset, path, "must be an object");
    return [];
  }
  const seen = new Set<string>();
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    if (key === undefined || value === undefined) return [];
    const name = String(key.value);
    if (seen.has(name)) report(key.offset, [...path, name], "is repeated");
    seen.add(name);
    return [{ name, key, value }];
  });
}
