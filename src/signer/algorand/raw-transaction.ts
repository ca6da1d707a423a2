import { DraftRefused } from "../draft-signer.ts";
import { addressText } from "./address.ts";

/*
 * A transaction of Algorand in canonical msgpack, as the signer reads it: a map with its names in order, every integer as short as it
 * can be, and no member that is 0 or empty. Only the members below are known, so whatever could do more (closing an account, giving its
 * key away, taking back assets, groups) is refused because it is unknown.
 */

/** What a transaction moves. `asset` is the asset's id as decimal text; null for coin. */
export type AlgorandMove = {
  readonly from: string;
  readonly to: string;
  readonly asset: string | null;
  readonly units: bigint;
};

export type RawTransaction = {
  readonly move: AlgorandMove;
  readonly fee: bigint;
  readonly firstValid: bigint;
  readonly lastValid: bigint;
  /** 32 bytes in hexadecimal. */
  readonly genesisHash: string;
  /** 32 bytes in hexadecimal; null for none. */
  readonly lease: string | null;
};

type Kind = "integer" | "bytes" | "text";

const common: Readonly<Record<string, Kind>> = {
  fee: "integer",
  fv: "integer",
  gh: "bytes",
  lv: "integer",
  lx: "bytes",
  snd: "bytes",
  type: "text",
};

const membersOf: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  pay: { ...common, amt: "integer", rcv: "bytes" },
  axfer: { ...common, aamt: "integer", arcv: "bytes", xaid: "integer" },
};

/** May be left out: the amount, when it is 0, and the lease. */
const optional = new Set(["amt", "aamt", "lx"]);

/** Reads a payment or a transfer of an asset. Throws `DraftRefused` for any other bytes. */
export function readRawTransaction(bytes: Uint8Array): RawTransaction {
  const members = readMap(bytes);
  const type = members.get("type");
  const known = typeof type === "string" && Object.hasOwn(membersOf, type) ? membersOf[type] : null;
  if (known === null || known === undefined)
    throw new DraftRefused("is neither a payment nor a transfer of an asset");
  for (const [name, value] of members) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) throw new DraftRefused(`has the member ${name}, which is never signed`);
    if (kindOf(value) !== kind) throw new DraftRefused(`the member ${name} is no ${kind}`);
    if (value instanceof Uint8Array && value.length !== 32)
      throw new DraftRefused(`the member ${name} has ${value.length} bytes instead of 32`);
  }
  for (const name of Object.keys(known))
    if (!members.has(name) && !optional.has(name)) throw new DraftRefused(`lacks ${name}`);
  const integer = (name: string): bigint => (members.get(name) as bigint | undefined) ?? 0n;
  const bytesIn = (name: string): Uint8Array => members.get(name) as Uint8Array;
  const isCoin = type === "pay";
  return {
    move: {
      from: addressText(bytesIn("snd")),
      to: addressText(bytesIn(isCoin ? "rcv" : "arcv")),
      asset: isCoin ? null : integer("xaid").toString(),
      units: integer(isCoin ? "amt" : "aamt"),
    },
    fee: integer("fee"),
    firstValid: integer("fv"),
    lastValid: integer("lv"),
    genesisHash: Buffer.from(bytesIn("gh")).toString("hex"),
    lease: members.has("lx") ? Buffer.from(bytesIn("lx")).toString("hex") : null,
  };
}

type Value = bigint | string | Uint8Array;

function kindOf(value: Value): Kind {
  if (typeof value === "bigint") return "integer";
  return typeof value === "string" ? "text" : "bytes";
}

/** Reads a map of text, integers and bytes in canonical form. */
function readMap(bytes: Uint8Array): ReadonlyMap<string, Value> {
  let at = 0;
  const take = (length: number): Uint8Array => {
    const taken = bytes.subarray(at, at + length);
    if (taken.length !== length) throw new DraftRefused("ends too early");
    at += length;
    return taken;
  };
  const byte = (): number => take(1)[0] ?? 0;
  const text = (tag: number): string => {
    if (tag < 0xa0 || tag > 0xbf) throw new DraftRefused("has no short text where one belongs");
    const read = Buffer.from(take(tag & 0x1f)).toString("latin1");
    if (!/^[a-z]+$/.test(read)) throw new DraftRefused("has text that is no name");
    return read;
  };
  const value = (): Value => {
    const tag = byte();
    if (tag < 0x80) return nonZero(BigInt(tag));
    if (tag >= 0xcc && tag <= 0xcf) return wide(take(2 ** (tag - 0xcc)));
    if (tag === 0xc4) return Uint8Array.from(take(byte()));
    return text(tag);
  };
  const head = byte();
  if (head < 0x80 || head > 0x8f) throw new DraftRefused("is no map of up to 15 members");
  const members = new Map<string, Value>();
  let before = "";
  for (let left = head & 0x0f; left > 0; left -= 1) {
    const name = text(byte());
    if (name <= before) throw new DraftRefused(`has ${name} after ${before}`);
    before = name;
    members.set(name, value());
  }
  if (at !== bytes.length) throw new DraftRefused("has bytes after its members");
  return members;
}

/** An integer of 1, 2, 4 or 8 bytes that fits into none shorter. */
function wide(bytes: Uint8Array): bigint {
  const read = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  const least = bytes.length === 1 ? 128n : 1n << BigInt(bytes.length * 4);
  if (read < least) throw new DraftRefused("has an integer that is longer than it needs to be");
  return read;
}

function nonZero(read: bigint): bigint {
  if (read === 0n) throw new DraftRefused("has a member that is 0");
  return read;
}
