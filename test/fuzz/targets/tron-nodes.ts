import { Malformed } from "../../../src/chains/rpc/answer.ts";
import {
  isNothing,
  readBlock,
  readMessage,
  readReceipts,
  readTransaction,
} from "../../../src/chains/tron/answer.ts";
import { movesOf } from "../../../src/chains/tron/moves.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import answers from "../../vectors/tron-node-answers.json" with { type: "json" };
import { documentOf, rejecting, type Target } from "../engine/target.ts";

const recorded = (name: string): readonly string[] =>
  answers.filter((one) => one.name.startsWith(name)).map(({ answer }) => JSON.stringify(answer));

/** Answers of java-tron, after the transport has parsed their JSON. */
export const tronNodeTargets: readonly Target[] = [
  {
    name: "tron-block",
    form: "json",
    seeds: () => recorded("getblock"),
    run: (input) => {
      const read = rejecting([Malformed], () => readBlock(documentOf(input)));
      if (read !== null) formatTimestamp(read.header.time);
    },
  },
  {
    name: "tron-transaction",
    form: "json",
    seeds: () => [
      ...recorded("gettransactionbyid"),
      ...recorded("createtransaction"),
      ...recorded("triggersmartcontract"),
      ...recorded("broadcasttransaction"),
    ],
    run: (input) => {
      const value = documentOf(input);
      rejecting([Malformed], () => isNothing(value) || readTransaction(value));
      rejecting([Malformed], () => readMessage((value as { message?: unknown } | null)?.message));
    },
  },
  {
    name: "tron-receipts",
    form: "json",
    seeds: () => [
      ...recorded("gettransactioninfobyblocknum"),
      ...recorded("gettransactioninfobyid").map((one) => `[${one}]`),
    ],
    run: (input) => {
      const receipts = rejecting([Malformed], () => readReceipts(documentOf(input))) ?? [];
      for (const receipt of receipts)
        movesOf({
          receipt,
          transaction: {
            txid: receipt.txid,
            type: "TriggerSmartContract",
            owner: null,
            result: "SUCCESS",
            to: null,
            units: 0n,
            data: "",
          },
        });
    },
  },
];
