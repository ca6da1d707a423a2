import { parseDecimal } from "../../platform/kernel/decimal.ts";
import { type Fields, Malformed, readFields, readText } from "../rpc/answer.ts";
import { readDrops } from "./answer.ts";
import type { RippledQuestion } from "./rippled-node.ts";

/** The fees of the open ledger, in drops. */
export type Fees = {
  /** The least fee of a transaction on an idle network. */
  readonly minimum: bigint;
  /** What a transaction pays to enter the open ledger at once; cheaper ones wait. */
  readonly openLedger: bigint;
};

export const currentFees: RippledQuestion<Fees> = {
  method: "fee",
  params: {},
  read: (result) => {
    const drops = readFields(result["drops"]);
    const minimum = readDrops(drops["base_fee"]);
    const openLedger = readDrops(drops["open_ledger_fee"]);
    return { minimum, openLedger: openLedger > minimum ? openLedger : minimum };
  },
};

/** What the network does not let accounts send, in drops: a base, and a part for each object that an account owns. */
export type Reserves = { readonly base: bigint; readonly increment: bigint };

export const currentReserves: RippledQuestion<Reserves> = {
  method: "server_info",
  params: {},
  read: (result) => {
    const ledger = readFields(readFields(result["info"])["validated_ledger"]);
    return {
      base: dropsOf(ledger["reserve_base_xrp"]),
      increment: dropsOf(ledger["reserve_inc_xrp"]),
    };
  },
};

const dropDigits = 6;

/** XRP as a JSON number (`0.2`), which arrives as its source text if it is not whole. */
function dropsOf(value: unknown): bigint {
  const isDecimal = typeof value === "number" || typeof value === "string";
  const parsed = isDecimal ? parseDecimal(String(value), dropDigits) : null;
  if (parsed?.kind !== "units" || parsed.units < 0n) throw new Malformed("no amount of XRP");
  return parsed.units;
}

/** A node's answer to a submission: the engine's result (`tesSUCCESS`, `tecNO_DST`, ...) and its text. */
export type Submission = {
  readonly result: string;
  readonly message: string;
  /** It is in the open ledger, and relayed. */
  readonly isApplied: boolean;
};

export function submissionOf(raw: Uint8Array): RippledQuestion<Submission> {
  const refused = (result: Fields): Submission => ({
    result: readText(result["error"]),
    message: textOf(result["error_exception"] ?? result["error_message"]),
    isApplied: false,
  });
  return {
    method: "submit",
    params: { tx_blob: Buffer.from(raw).toString("hex").toUpperCase() },
    read: (answer) => {
      const result = readText(answer["engine_result"]);
      if (!/^te[a-z][A-Z]/.test(result)) throw new Malformed(`the engine's result ${result}`);
      return {
        result,
        message: textOf(answer["engine_result_message"]),
        isApplied: answer["applied"] === true,
      };
    },
    onError: { invalidTransaction: refused, invalidParams: refused },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
