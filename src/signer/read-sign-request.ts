import type { JsonObject, JsonValue } from "../platform/kernel/json.ts";
import { isObjectId } from "../platform/kernel/object-id.ts";
import {
  type ApprovedPayout,
  assetName,
  canonicalLocator,
  type IntendedAsset,
  type SignRequest,
  type SpendIntent,
  type SweepSource,
} from "./intent.ts";
import { neutralAsset } from "./neutral-intent.ts";
import { indexEnd } from "./protocol.ts";

/**
 * Reads a signing request member by member: sizes are bounded, unknown members refused, and the result holds only what was
 * read. `fault` names the member and what it should be, never its value.
 */
export function readSignRequest(
  value: unknown,
): { readonly request: SignRequest } | { readonly fault: string } {
  try {
    return { request: readRequest(value) };
  } catch (error) {
    if (error instanceof Misshapen) return { fault: error.message };
    throw error;
  }
}

class Misshapen extends Error {
  override readonly name = "Misshapen";
  constructor(path: string, needed: string) {
    super(`${path}: ${needed} is needed`);
  }
}

const limits = {
  payouts: 5_000,
  sources: 5_000,
  assets: 1_000,
  claims: 20_000,
  /** The maximal nesting of arrays and objects in a draft. */
  depth: 32,
};

const unitsPattern = /^(0|[1-9]\d{0,77})$/;
const chainPattern = /^[\w-]{1,32}$/;
const currencyPattern = /^[\w.-]{1,32}$/;
/** Addresses of every chain are printable and without spaces. */
const addressPattern = /^[!-~]{1,128}$/;
const locatorPattern = /^[!-~]{1,128}$/;
const claimPattern = /^[!-~]{1,200}$/;
/** 64 bytes in base64. */
const approvalPattern = /^[A-Za-z0-9+/]{86}==$/;

type Read<Value> = (value: unknown, path: string) => Value;
type Shape = Readonly<Record<string, Read<unknown>>>;
type Shaped<Members extends Shape> = {
  readonly [Name in keyof Members]: ReturnType<Members[Name]>;
};

function readRequest(value: unknown): SignRequest {
  return readMembers(value, "request", {
    intent: readIntent,
    body: readBody,
    // Without claims on chains whose transactions only expire.
    claims: listOf(text(claimPattern, "a claim"), limits.claims, 0, (claim) => claim),
  });
}

const spendMembers = {
  kind: (value: unknown) => value,
  spendId: readId,
  chain: text(chainPattern, "a chain"),
  feeCeiling: text(unitsPattern, "an amount of smallest units as text"),
};

const readIntent: Read<SpendIntent> = (value, path) => {
  const kind: unknown = asObject(value, path)["kind"];
  const read = <Members extends Shape>(members: Members): Shaped<Members & typeof spendMembers> =>
    readMembers(value, path, { ...spendMembers, ...members });
  switch (kind) {
    case "payout": {
      const payouts = listOf(readPayout, limits.payouts, 1, ({ payoutId }) => payoutId);
      return { ...read({ payouts }), kind };
    }
    case "sweep": {
      // Without sources: it only makes batches possible, and moves nothing.
      const sources = listOf(readSource, limits.sources, 0, ({ keyIndex }) => String(keyIndex));
      return { ...read({ sources }), kind };
    }
    case "top_up":
    case "delegate":
      return { ...read({ keyIndex: readIndex, units: readPositive }), kind };
    case "cold":
      return { ...read({ asset: readAsset, units: readPositive }), kind };
    case "opt_in":
      return { ...read({ keyIndex: indexOrNull, asset: readAsset }), kind };
    case "undelegate":
      return { ...read({ keyIndexes: listOf(readIndex, limits.sources, 1, String) }), kind };
    case "consolidation":
    case "gap":
      return { ...read({}), kind };
    default:
      throw new Misshapen(`${path}.kind`, "a kind of spend");
  }
};

/** Ids of payouts and spends are the service's own: decimal, above 0. Workers could not look up anything else. */
function readId(value: unknown, path: string): string {
  if (typeof value === "string" && isObjectId(value)) return value;
  throw new Misshapen(path, "a decimal id of at most 18 digits");
}

const readPayout: Read<ApprovedPayout> = (value, path) =>
  readMembers(value, path, {
    payoutId: readId,
    chain: text(chainPattern, "a chain"),
    address: text(addressPattern, "an address"),
    tag: (tag, at) => (tag === null ? null : text(/^.{0,200}$/s, "a tag or null")(tag, at)),
    currency: text(currencyPattern, "a currency"),
    asset: readAsset,
    units: readPositive,
    approval: text(approvalPattern, "a signature of 64 bytes in base64"),
  });

const readSource: Read<SweepSource> = (value, path) =>
  readMembers(value, path, {
    keyIndex: readIndex,
    address: text(addressPattern, "an address"),
    assets: listOf(readAsset, limits.assets, 1, assetName),
  });

const readAsset: Read<IntendedAsset> = (value, path) => {
  const asset = neutralAsset(asObject(value, path));
  const { kind } = asset;
  if (kind === "coin") {
    readMembers(asset, path, { kind: () => kind });
    return { kind };
  }
  if (kind !== "token") throw new Misshapen(`${path}.kind`, "coin or token");
  const { locator } = readMembers(asset, path, {
    kind: () => kind,
    locator: text(locatorPattern, "a token's locator"),
  });
  return { kind, locator: canonicalLocator(locator) };
};

const readIndex: Read<number> = (value, path) => {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < indexEnd) {
    return value as number;
  }
  throw new Misshapen(path, "a number of a key");
};

const indexOrNull: Read<number | null> = (value, path) =>
  value === null ? null : readIndex(value, path);

const readPositive: Read<string> = (value, path) => {
  const units = text(unitsPattern, "an amount of smallest units as text")(value, path);
  if (units === "0") throw new Misshapen(path, "an amount above 0");
  return units;
};

/** The chain's draft signer checks the contents; here it only has to be JSON of a bounded depth. */
const readBody: Read<JsonObject> = (value, path) => {
  const body = asObject(value, path);
  assertDepth(body, path, limits.depth);
  return body as JsonObject;
};

function assertDepth(value: unknown, path: string, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new Misshapen(path, `JSON at most ${limits.depth} deep`);
  for (const member of Object.values(value as Readonly<Record<string, JsonValue>>)) {
    assertDepth(member, path, depth - 1);
  }
}

function text(pattern: RegExp, needed: string): Read<string> {
  return (value, path) => {
    if (typeof value === "string" && pattern.test(value)) return value;
    throw new Misshapen(path, needed);
  };
}

/** A list whose entries differ in `key`. */
function listOf<Value>(
  read: Read<Value>,
  lengthMax: number,
  lengthMin: number,
  key: (value: Value) => string,
): Read<readonly Value[]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < lengthMin || value.length > lengthMax) {
      throw new Misshapen(path, `a list of ${lengthMin} to ${lengthMax}`);
    }
    const values = value.map((entry, index) => read(entry, `${path}.${index}`));
    if (new Set(values.map(key)).size < values.length) {
      throw new Misshapen(path, "a list without repetition");
    }
    return values;
  };
}

function readMembers<Members extends Shape>(
  value: unknown,
  path: string,
  members: Members,
): Shaped<Members> {
  const object = asObject(value, path);
  const unknown = Object.keys(object).find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined) throw new Misshapen(path, `an object without other members`);
  const read = Object.entries(members).map(([name, member]) => {
    if (!Object.hasOwn(object, name)) throw new Misshapen(`${path}.${name}`, "a value");
    return [name, member(object[name], `${path}.${name}`)];
  });
  return Object.fromEntries(read) as Shaped<Members>;
}

function asObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new Misshapen(path, "an object");
}
