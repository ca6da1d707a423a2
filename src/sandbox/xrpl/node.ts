import type { JsonObject } from "../../platform/kernel/json.ts";
import type { Ledger } from "./ledger.ts";

/** A range of ledgers by their heights, both included. */
export type Range = { readonly from: number; readonly to: number };

/** A node of the network: its ledger, and the part of the history that it has lost. */
export type Node = {
  readonly ledger: Ledger;
  readonly keeps: (index: number) => boolean;
  readonly lose: (range: Range) => void;
  /** As rippled writes it: `1-40,51-99`. */
  readonly completeLedgers: () => string;
};

/** A request of API version 1 or 2. */
export type Call = { readonly node: Node; readonly params: JsonObject; readonly version: 1 | 2 };

/** Answers a method's result, or throws `RpcError`. */
export type Method = (call: Call) => JsonObject | Promise<JsonObject>;
export type Methods = Readonly<Record<string, Method>>;

export function createNode(ledger: Ledger): Node {
  const lost: Range[] = [];
  const keeps = (index: number): boolean =>
    index >= 1 &&
    index <= ledger.newest().index &&
    lost.every(({ from, to }) => index < from || index > to);
  return {
    ledger,
    keeps,
    lose: (range) => {
      lost.push(range);
    },
    completeLedgers: () => {
      const ranges: string[] = [];
      let from: number | null = null;
      for (let index = 1; index <= ledger.newest().index + 1; index += 1) {
        if (keeps(index)) from ??= index;
        else if (from !== null) {
          ranges.push(from === index - 1 ? String(from) : `${from}-${index - 1}`);
          from = null;
        }
      }
      return ranges.join(",");
    },
  };
}
