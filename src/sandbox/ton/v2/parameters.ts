import { Address, Cell } from "@ton/core";
import type { JsonObject } from "../../../platform/kernel/json.ts";
import type { Block, BlockId } from "../chain.ts";
import type { Ledger } from "../ledger.ts";
import { masterchain } from "../network.ts";
import { ToncenterError, wrongRequest } from "../toncenter-error.ts";

/** A call of a method with its parameters, from JSON or from a query, where all are texts. */
export type Call = { readonly ledger: Ledger; readonly params: JsonObject };

/** Answers a method's result, or throws `ToncenterError`. */
export type Method = (call: Call) => unknown;
export type Methods = Readonly<Record<string, Method>>;

/** An integer, also as a text; null without one. */
export function integerOrNull(params: JsonObject, name: string): bigint | null {
  const value = params[name];
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value);
  throw wrongRequest(`failed to parse ${name}`);
}

export function integer(params: JsonObject, name: string): bigint {
  const value = integerOrNull(params, name);
  if (value === null) throw wrongRequest(`failed to parse ${name}: field is missing`);
  return value;
}

export function count(params: JsonObject, name: string, fallback: number, most: number): number {
  const value = Number(integerOrNull(params, name) ?? fallback);
  if (value <= 0) throw wrongRequest(`failed to validate request: ${name} should be positive`);
  if (value > most)
    throw wrongRequest(`failed to validate request: ${name} should be less or equal ${most}`);
  return value;
}

export function text(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "")
    throw wrongRequest(`failed to validate request: empty ${name}`);
  return value;
}

/** An address in any form. */
export function address(params: JsonObject, name = "address"): Address {
  const value = text(params, name);
  const parsed = parseAddress(value);
  if (parsed === null)
    throw wrongRequest(`failed to parse post request: Failed to parse ton_addr: '${value}'`);
  return parsed;
}

export function parseAddress(value: string): Address | null {
  try {
    return Address.parse(value);
  } catch {
    return null;
  }
}

/** A hash in base64, base64url or hexadecimal, as 64 hexadecimal digits. */
export function parseHash(value: string): string | null {
  if (/^[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase();
  const bytes = Buffer.from(value, "base64");
  return bytes.length === 32 ? bytes.toString("hex") : null;
}

/** The newest masterchain block, or the one that a request names. */
export function masterBlockOf({ ledger, params }: Call): Block {
  const seqno = integerOrNull(params, "seqno");
  if (seqno === null) return ledger.newest();
  if (seqno <= 0n) throw wrongRequest("failed to validate request: seqno should be positive");
  return knownBlock(ledger, { ...masterchain, seqno: Number(seqno) });
}

/** The block of a shard with that number. */
export function knownBlock(
  ledger: Ledger,
  id: Pick<BlockId, "workchain" | "shard" | "seqno">,
): Block {
  const block = ledger.block(id, id.seqno);
  if (block !== null) return block;
  const shard = BigInt.asUintN(64, id.shard).toString(16);
  throw notReady(ledger, `(${id.workchain},${shard},${id.seqno}) seqno=${id.seqno}`);
}

export function notReady(ledger: Ledger, what: string): ToncenterError {
  const last = ledger.newest().id.seqno;
  return new ToncenterError(
    500,
    `LITE_SERVER_NOTREADY: cannot find block ${what}: ltdb: block not found (last known masterchain block: ${last})`,
  );
}

/** A bag with one cell in base64; `INVALID_BAG_OF_CELLS` otherwise. */
export function bagOfCells(value: string, name: string): Cell {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value))
    throw wrongRequest(
      "failed to parse post request: invalid base64 encoded bytes: Wrong string length",
    );
  const bytes = Buffer.from(value, "base64");
  try {
    const [cell] = Cell.fromBoc(bytes);
    if (cell !== undefined) return cell;
  } catch {
    // Reported below.
  }
  throw new ToncenterError(
    500,
    `INVALID_BAG_OF_CELLS: ${name}cannot deserialize bag-of-cells: invalid bag (${bytes.length} bytes present)`,
  );
}
