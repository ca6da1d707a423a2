import { describe, expect, it } from "vitest";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { readReceipt } from "./answer.ts";
import { sweepManyCall } from "./sweep-delegate.ts";
import { toTransactionReceipt } from "./transaction-receipt.ts";

describe("toTransactionReceipt", () => {
  /*
   * The fee and the moves that receipts report for our transactions. The receipts are written for these tests in the form of each
   * network's nodes.
   */

  const txid = `0x${"ab".repeat(32)}`;
  const receipt = {
    transactionHash: txid,
    blockHash: `0x${"cd".repeat(32)}`,
    blockNumber: "0x10",
    status: "0x1",
    gasUsed: "0x5208",
    effectiveGasPrice: "0x3b9aca07",
    type: "0x2",
    logs: [] as readonly object[],
  };
  const [hot, payee, other, token] = ["11", "22", "33", "44"].map(
    (byte) => `0x${byte.repeat(20)}`,
  ) as [string, string, string, string];
  const nothing = { from: hot, to: payee, data: "0x" };

  function spendOf(fields: object, call = nothing) {
    const read = present(readReceipt(withNumberedLogs({ ...receipt, ...fields })), "a receipt");
    return toTransactionReceipt(read, call, {
      listed: new Map([[token, "2014" as CurrencyId]]),
      hot,
    });
  }

  /** As in a block whose earlier transactions have seven logs. */
  function withNumberedLogs(fields: typeof receipt) {
    const { transactionHash, blockHash } = fields;
    const logs = fields.logs.map((log, place) => ({
      ...log,
      transactionHash,
      blockHash,
      logIndex: `0x${(7 + place).toString(16)}`,
    }));
    return { ...fields, logs };
  }

  it.each([
    ["repeats an index", [{ logIndex: "0x3" }, { logIndex: "0x3" }], /not numbered/],
    ["leaves an index out", [{ logIndex: "0x3" }, { logIndex: "0x5" }], /not numbered/],
    ["has no index", [{}], /no quantity/],
    [
      "belongs to another transaction",
      [{ logIndex: "0x3", transactionHash: `0x${"99".repeat(32)}` }],
      /another transaction or block/,
    ],
    [
      "belongs to another block",
      [{ logIndex: "0x3", blockHash: `0x${"99".repeat(32)}` }],
      /another transaction or block/,
    ],
  ] as const)("refuses a receipt whose log %s", (_case, marks, expected) => {
    const { transactionHash, blockHash } = receipt;
    const log = { address: token, topics: [], data: "0x", transactionHash, blockHash };
    const logs = marks.map((mark) => ({ ...log, ...mark }));
    expect(() => readReceipt({ ...receipt, logs })).toThrow(expected);
  });

  it("gives a log the same position when another block includes the transaction", () => {
    const { transactionHash, blockHash } = receipt;
    const log = { address: token, topics: [], data: "0x", transactionHash, blockHash };
    const placesFrom = (first: number) =>
      readReceipt({
        ...receipt,
        logs: [first, first + 1].map((index) => ({ ...log, logIndex: `0x${index.toString(16)}` })),
      })?.logs.map(({ place }) => place);
    expect(placesFrom(0)).toEqual([0, 1]);
    expect(placesFrom(40)).toEqual([0, 1]);
  });

  const gasFee = 21_000n * 1_000_000_007n;
  const opStack = { l1Fee: "0x2540be400", l1GasUsed: "0x640", l1GasPrice: "0x1", l1FeeScalar: "0" };

  it.each([
    ["an L1", {}, gasFee],
    ["the OP stack, which charges the data fee separately", opStack, gasFee + 10_000_000_000n],
    [
      "the OP stack since Isthmus, with an operator fee",
      { ...opStack, operatorFeeScalar: "0x7a120", operatorFeeConstant: "0xe8d4a51000" },
      gasFee + 10_000_000_000n + 10_500n + 1_000_000_000_000n,
    ],
    [
      "the OP stack since Isthmus, whose operator fee is below a wei per gas, rounded down",
      { ...opStack, operatorFeeScalar: "0x55", operatorFeeConstant: "0x0" },
      gasFee + 10_000_000_000n + 1n,
    ],
    [
      "the OP stack since Jovian, which applies another scale to the operator fee",
      {
        ...opStack,
        daFootprintGasScalar: "0x190",
        blobGasUsed: "0x9c40",
        operatorFeeScalar: "0x7a120",
        operatorFeeConstant: "0x5",
      },
      gasFee + 10_000_000_000n + 21_000n * 500_000n * 100n + 5n,
    ],
    [
      "the OP stack since Jovian, without an operator fee",
      { ...opStack, daFootprintGasScalar: "0x190", blobGasUsed: "0x9c40" },
      gasFee + 10_000_000_000n,
    ],
    [
      "Arbitrum, whose gas includes L1 data",
      { gasUsed: "0x9c40", gasUsedForL1: "0x4a38", l1BlockNumber: "0x1" },
      40_000n * 1_000_000_007n,
    ],
  ] as const)("computes the fee on %s", (_case, added, feeUnits) => {
    expect(spendOf(added)).toEqual({ txid, hasSucceeded: true, feeUnits });
  });

  it.each([
    ["an L1", {}, gasFee],
    ["the OP stack", { operatorFeeScalar: "0x0", operatorFeeConstant: "0x9" }, gasFee + 9n],
  ])("charges a reverted transaction its fee: %s", (_case, added, feeUnits) => {
    expect(spendOf({ ...added, status: "0x0" })).toEqual({ txid, hasSucceeded: false, feeUnits });
  });

  const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const word = (value: string | bigint): string =>
    typeof value === "bigint"
      ? value.toString(16).padStart(64, "0")
      : value.slice(2).padStart(64, "0");

  function moved(from: string, to: string, units: bigint, contract = token) {
    const topics = [topic, `0x${word(from)}`, `0x${word(to)}`];
    return { address: contract, topics, data: `0x${word(units)}`, removed: false };
  }

  const transfer = { from: hot, to: token, data: `0xa9059cbb${word(payee)}${word(100n)}` };
  const odd = (receivedUnits: bigint, sentUnits: bigint) => ({
    txid,
    hasSucceeded: true,
    feeUnits: gasFee,
    delivery: { currency: "2014", requestedUnits: 100n, receivedUnits, sentUnits },
  });
  const whole = { txid, hasSucceeded: true, feeUnits: gasFee };

  it.each([
    ["exactly the payment", [moved(hot, payee, 100n)], whole],
    ["the payment in two parts", [moved(hot, payee, 60n), moved(hot, payee, 40n)], whole],
    [
      "the payment and unrelated moves of others, other tokens and zero",
      [
        moved(other, payee, 7n),
        moved(hot, payee, 100n),
        moved(hot, other, 5n, other),
        moved(hot, other, 0n),
      ],
      whole,
    ],
    ["nothing", [], odd(0n, 0n)],
    ["the payment by another contract", [moved(hot, payee, 100n, other)], odd(0n, 0n)],
    ["the payment from another account", [moved(other, payee, 100n)], odd(0n, 0n)],
    ["a part", [moved(hot, payee, 40n)], odd(40n, 40n)],
    [
      "a token fee out of the amount",
      [moved(hot, other, 1n), moved(hot, payee, 99n)],
      odd(99n, 100n),
    ],
    [
      "a token fee on top of the amount",
      [moved(hot, payee, 100n), moved(hot, other, 1n)],
      odd(100n, 101n),
    ],
    ["another receiver", [moved(hot, other, 100n)], odd(0n, 100n)],
    ["more", [moved(hot, payee, 101n)], odd(101n, 101n)],
  ])("reads a token transfer whose logs report %s", (_case, logs, expected) => {
    expect(spendOf({ logs }, transfer)).toEqual(expected);
  });

  it("reports nothing for a reverted transfer, another call or an unlisted token", () => {
    const reverted = { txid, hasSucceeded: false, feeUnits: gasFee };
    expect(spendOf({ status: "0x0" }, transfer)).toEqual(reverted);
    expect(spendOf({}, { ...transfer, data: `${transfer.data}00` })).toEqual(whole);
    expect(spendOf({}, { ...transfer, to: other })).toEqual(whole);
  });

  it("reports what a sweep takes from deposit addresses without delivering it to the hot account as lost", () => {
    const [first, second, gas] = ["55", "66", "77"].map((byte) => `0x${byte.repeat(20)}`) as [
      string,
      string,
      string,
    ];
    const { data } = sweepManyCall(
      other,
      [{ assets: [token], deposits: [first, second] }],
      90_000n,
    );
    const sweep = { from: gas, to: other, data };
    const logs = [
      ...[moved(first, hot, 99n), moved(first, token, 1n), moved(second, payee, 100n)],
      // Ignored: moves between our own addresses, between others, and of an unlisted token.
      ...[moved(first, second, 3n), moved(payee, other, 5n), moved(first, payee, 7n, payee)],
    ];
    const lost = [{ currency: "2014", units: 101n }];
    expect(spendOf({ logs }, sweep)).toEqual({ ...whole, lost });
    expect(spendOf({ logs: [moved(first, hot, 99n)] }, sweep)).toEqual(whole);
    expect(spendOf({ logs, status: "0x0" }, sweep)).toEqual({ ...whole, hasSucceeded: false });
    expect(spendOf({ logs }, { ...sweep, data: "0x" })).toEqual(whole);
  });
});
