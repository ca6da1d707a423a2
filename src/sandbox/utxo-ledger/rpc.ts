import { formatDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";

/** An error that the node answers. */
export class RpcFault extends Error {
  override readonly name = "RpcFault";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Error codes that all nodes of the family share (`rpc/protocol.h`). */
export const rpcCode = {
  misc: -1,
  type: -3,
  wallet: -4,
  invalidAddressOrKey: -5,
  insufficientFunds: -6,
  invalidParameter: -8,
  walletNotFound: -18,
  deserialization: -22,
  verify: -25,
  rejected: -26,
  alreadyInChain: -27,
  invalidRequest: -32600,
  methodNotFound: -32601,
  parse: -32700,
} as const;

/** JSON in which a `bigint` is an amount in units, printed as a number of coins with eight decimals. */
export type RpcJson =
  | bigint
  | number
  | string
  | boolean
  | null
  | readonly RpcJson[]
  | { readonly [member: string]: RpcJson };
export type RpcObject = { readonly [member: string]: RpcJson };

/** Positional parameters. Numbers that are no integers arrive as their text, since an amount must not pass through a double. */
export type Params = readonly unknown[];

/** `signal` aborts when the client hangs up or the node stops. */
export type Method = (params: Params, signal: AbortSignal) => RpcJson | Promise<RpcJson>;
export type Methods = Readonly<Record<string, Method>>;

const exp = 8;

// TypeScript's library types lack `JSON.rawJSON`.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

export function printJson(value: RpcJson): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? rawJSON(formatDecimal(member, exp)) : member,
  );
}

/** Parses JSON text; see `Params` for numbers. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  const revive = (_: string, value: unknown, { source }: { readonly source?: string }): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) ? (source ?? "") : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as unknown;
}

/** Throws `RpcFault` unless the parameter is a text. */
export function textAt(params: Params, index: number): string {
  const value = params[index];
  if (typeof value !== "string") throw wrongType("string", value);
  return value;
}

/** An integer; `absent` if the parameter is missing or null. Throws `RpcFault` for anything else. */
export function integerAt(params: Params, index: number, absent?: number): number {
  const value = params[index] ?? absent;
  if (typeof value !== "number") throw wrongType("number", value);
  return value;
}

/** A boolean; `absent` if the parameter is missing or null. Throws `RpcFault` for anything else. */
export function booleanAt(params: Params, index: number, absent: boolean): boolean {
  const value = params[index] ?? absent;
  if (typeof value !== "boolean") throw wrongType("boolean", value);
  return value;
}

/** A list. Throws `RpcFault` for anything else. */
export function listAt(params: Params, index: number): readonly unknown[] {
  const value = params[index];
  if (!Array.isArray(value)) throw wrongType("array", value);
  return value as readonly unknown[];
}

/** An object. Throws `RpcFault` for anything else. */
export function objectAt(params: Params, index: number): Readonly<Record<string, unknown>> {
  const value = params[index];
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrongType("object", value);
  return value as Readonly<Record<string, unknown>>;
}

/** A hash of 64 hexadecimal digits, named as in the node's error. Throws `RpcFault`. */
export function hashAt(params: Params, index: number, name: string): string {
  const text = textAt(params, index);
  if (text.length !== 64)
    throw new RpcFault(
      rpcCode.invalidParameter,
      `${name} must be of length 64 (not ${text.length}, for '${text}')`,
    );
  if (!/^[0-9a-fA-F]*$/.test(text))
    throw new RpcFault(
      rpcCode.invalidParameter,
      `${name} must be hexadecimal string (not '${text}')`,
    );
  return text.toLowerCase();
}

/** An amount of coins in units. Throws `RpcFault`. */
export function unitsOf(value: unknown): bigint {
  if (typeof value !== "number" && typeof value !== "string")
    throw new RpcFault(rpcCode.type, "Amount is not a number or string");
  const parsed = parseDecimal(String(value), exp);
  if (parsed.kind !== "units") throw new RpcFault(rpcCode.type, "Invalid amount");
  if (parsed.units < 0n) throw new RpcFault(rpcCode.type, "Amount out of range");
  return parsed.units;
}

function wrongType(wanted: string, value: unknown): RpcFault {
  const found = value === null || value === undefined ? "null" : typeof value;
  return new RpcFault(rpcCode.type, `Expected type ${wanted}, got ${found}`);
}
