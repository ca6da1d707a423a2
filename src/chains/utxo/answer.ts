import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { RpcAnswer } from "../rpc/decode-reply.ts";
import { RpcError } from "../rpc/node-error.ts";

/* Parsers for a node's answers. An unexpected form makes the node unavailable. */

export type Fields = Readonly<Record<string, unknown>>;

/** Decimals of every coin of the family. */
const exp = 8;
/** `RPC_INVALID_ADDRESS_OR_KEY`: no such block or transaction. */
const noSuchThing = -5;
/** `RPC_INVALID_PARAMETER`: a height above the tip. */
const outOfRange = -8;
const methodNotFound = -32601;
/** Zebra's answer for a height above the tip, with the code for invalid parameters. */
const aboveTip = /greater than the current tip/;

/**
 * Parses an object and returns its members. This and all parsers below throw `Unavailable` for anything else: such a node is of
 * no use.
 */
export function readFields(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unexpected(value);
  return value as Fields;
}

/** Parses an array of any elements. */
export function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unexpected(value);
  return value;
}

/** A string of any length. */
export function readText(value: unknown): string {
  if (typeof value !== "string") throw unexpected(value);
  return value;
}

/** An integer: a height, a count, seconds. */
export function readInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw unexpected(value);
  return value as number;
}

/** A decimal number of coins in units, from its source text. */
export function readCoins(value: unknown): bigint {
  const parsed =
    typeof value === "string" || typeof value === "number"
      ? parseDecimal(String(value), exp)
      : null;
  if (parsed?.kind !== "units") throw unexpected(value);
  return parsed.units;
}

/** The result, or null if the node knows no such block or transaction; throws any other error of the call. */
export function resultOrNull(answer: RpcAnswer): unknown {
  if ("result" in answer) return answer.result;
  const { code, message } = answer.error;
  if (code === noSuchThing) return null;
  throw new RpcError(code, message);
}

/** Awaits the answer; null if the node knows no such object, or the height is above its tip. */
export async function absentAsNull<Result>(answer: Promise<Result>): Promise<Result | null> {
  try {
    return await answer;
  } catch (error) {
    if (
      error instanceof RpcError &&
      (error.code === noSuchThing || error.code === outOfRange || aboveTip.test(error.message))
    )
      return null;
    throw error;
  }
}

/** Whether a node reported that it does not know the method. */
export function isMethodNotFound(error: unknown): boolean {
  return error instanceof RpcError && error.code === methodNotFound;
}

function unexpected(value: unknown): Unavailable {
  // `JSON.stringify` returns undefined for undefined, despite its type.
  const text = JSON.stringify(value) as string | undefined;
  const shown = text === undefined ? "nothing" : text.slice(0, 100);
  return new Unavailable("node", `answered something unexpected: ${shown}`);
}
