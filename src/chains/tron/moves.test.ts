/** What a transaction moved: only what it delivered, under keys that never change. */
import { describe, expect, it } from "vitest";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { coreHex } from "./address.ts";
import type { TronLog } from "./answer.ts";
import { type ExecutedTransaction, movesOf, toTransfer } from "./moves.ts";

const payer = "TQ7pF3NTDL2Tjz5rdJ6ECjQWjaWHpLZJMH";
const payee = "TAVrrARNdnjHgCGMQYeQV7hv4PSu7mVsMj";
const usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const lookAlike = "TBTKksBxExw5sCDBAgMqQHrfz2ngGbjgrR";
const txid = "47086db397eac45d2fe7dacedcb6f77267d6895dce645210e495e64f8a2a7910";
const word = (digits: string): string => digits.padStart(64, "0");
const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const log = (units: bigint, more: Partial<TronLog> = {}): TronLog => ({
  contract: usdt,
  topics: [transferTopic, word(coreHex(payer)), word(coreHex(payee))],
  data: word(units.toString(16)),
  ...more,
});
const executed = (
  transaction: Partial<ExecutedTransaction["transaction"]> = {},
  receipt: Partial<ExecutedTransaction["receipt"]> = {},
): ExecutedTransaction => ({
  transaction: {
    txid,
    type: "TriggerSmartContract",
    owner: payer,
    result: "SUCCESS",
    to: usdt,
    units: 0n,
    data: "",
    ...transaction,
  },
  receipt: { txid, height: 1, feeUnits: 0n, hasFailed: false, logs: [], internal: [], ...receipt },
});

describe("the moves of a transaction", () => {
  it("are its own coin, contracts' coin and tokens, each at its own index", () => {
    const moves = movesOf(
      executed(
        { type: "TransferContract", to: payee, units: 5n },
        {
          internal: [null, { from: usdt, to: payee, units: 6n }],
          logs: [log(0n), log(7n), log(8n, { contract: lookAlike })],
        },
      ),
    );
    expect(moves).toEqual([
      { txid, index: 0, contract: null, from: payer, to: payee, units: 5n },
      { txid, index: 4, contract: null, from: usdt, to: payee, units: 6n },
      { txid, index: 3, contract: usdt, from: payer, to: payee, units: 7n },
      { txid, index: 5, contract: lookAlike, from: payer, to: payee, units: 8n },
    ]);
  });

  it.each<[string, ExecutedTransaction]>([
    ["the block reports a failure", executed({ result: "OUT_OF_ENERGY" }, { logs: [log(7n)] })],
    ["the block contains no result", executed({ result: "" }, { logs: [log(7n)] })],
    ["the receipt reports a failure", executed({}, { hasFailed: true, logs: [log(7n)] })],
    ["the amount is 0", executed({ type: "TransferContract", to: payee })],
    ["it pays its own account", executed({ to: payer, units: 5n })],
    ["it moves TRC-10", executed({ type: "TransferAssetContract", to: null })],
    [
      "a log has the topics of TRC-721",
      executed({}, { logs: [log(7n, { topics: [...log(7n).topics, word("1")] })] }),
    ],
    ["a log has no amount", executed({}, { logs: [log(7n, { data: "" })] })],
    [
      "a log names an address of more than 20 bytes",
      executed(
        {},
        { logs: [log(7n, { topics: [transferTopic, word(coreHex(payer)), "f".repeat(64)] })] },
      ),
    ],
    [
      "a log moves to its own account",
      executed(
        {},
        {
          logs: [log(7n, { topics: [transferTopic, word(coreHex(payer)), word(coreHex(payer))] })],
        },
      ),
    ],
  ])("are empty if %s", (_, transaction) => {
    expect(movesOf(transaction)).toEqual([]);
  });

  it("identify a token by its contract, and are unlisted for any other", () => {
    const coin = "1026" as CurrencyId;
    const token = "2145" as CurrencyId;
    const moves = movesOf(executed({}, { logs: [log(7n), log(8n, { contract: lookAlike })] }));
    const transfers = moves.map((move) => toTransfer(move, coin, new Map([[usdt, token]])));
    expect(transfers.map(({ to, asset }) => [to, asset])).toEqual([
      [payee, { kind: "currency", amount: { currency: token, units: 7n } }],
      [payee, { kind: "unlisted", locator: lookAlike, units: 8n }],
    ]);
  });
});
