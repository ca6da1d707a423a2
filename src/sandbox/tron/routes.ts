import { type HexAddress, toBase58 } from "./address.ts";
import { type Json, type JsonRecord, NodeException } from "./json.ts";
import type { Ledger, View } from "./ledger.ts";

/** A request as a node's handlers see it, whichever HTTP method carried it. */
export type NodeRequest = {
  readonly ledger: Ledger;
  /** `/wallet/` answers from the head, `/walletsolidity/` from the solid block. */
  readonly view: View;
  readonly body: JsonRecord;
  /** Addresses in base58 instead of hexadecimal. */
  readonly visible: boolean;
};

export type Route = (request: NodeRequest) => Json | Promise<Json>;
export type Routes = Readonly<Record<string, Route>>;

/** A number of the request; 0 if it is missing, as in protobuf. */
export function numberIn({ body }: NodeRequest, name: string): number {
  const value = body[name] ?? 0n;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^-?\d+$/.test(value)) return Number(value);
  throw new NodeException("java.lang.NumberFormatException", "For input string");
}

export function textIn({ body }: NodeRequest, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}

export function printAddress(address: HexAddress, visible: boolean): string {
  return visible ? toBase58(address) : address;
}
