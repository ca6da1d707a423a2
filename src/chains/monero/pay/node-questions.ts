import { Malformed, readText } from "../../rpc/answer.ts";
import { readList, readNumber } from "../answer.ts";
import type { MonerodQuestion } from "../monerod-node.ts";
import type { FeeRates } from "./fee.ts";

/** What monerod estimates that transactions have to pay now, in units per unit of weight. */
export const feeRates: MonerodQuestion<FeeRates> = {
  method: "get_fee_estimate",
  body: {},
  read: (answer) => {
    const [low, medium, high] = readList(answer["fees"]).map((rate) => BigInt(readNumber(rate)));
    const step = BigInt(readNumber(answer["quantization_mask"]));
    if (low === undefined || medium === undefined || high === undefined || step === 0n)
      throw new Malformed("no fee rates");
    if (low === 0n || medium < low || high < medium) throw new Malformed("rates out of order");
    return { low, medium, high, step };
  },
};

/** What keeps a node from accepting a transaction, as it names them. */
const faults = [
  "double_spend",
  "fee_too_low",
  "invalid_input",
  "invalid_output",
  "low_mixin",
  "overspend",
  "sanity_check_failed",
  "too_big",
  "too_few_outputs",
  "tx_extra_too_big",
  "nonzero_unlock_time",
];

/** Submits a transaction; answers null if the node accepted it, otherwise why it did not. */
export function submit(raw: Uint8Array): MonerodQuestion<string | null> {
  return {
    path: "/send_raw_transaction",
    body: { tx_as_hex: Buffer.from(raw).toString("hex"), do_not_relay: false },
    read: () => null,
    onFailure: (answer) => {
      const named = faults.filter((fault) => answer[fault] === true);
      const { reason } = answer;
      if (typeof reason === "string" && reason !== "") named.push(reason);
      return named.length === 0 ? readText(answer["status"]) : named.join(", ");
    },
  };
}
