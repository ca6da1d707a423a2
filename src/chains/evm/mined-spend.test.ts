import { expect, test } from "vitest";
import { readReceipt } from "./answer.ts";
import { minedSpend } from "./mined-spend.ts";

/* What receipts of several networks say that a transaction cost; the form is that of their nodes. */

const txid = `0x${"ab".repeat(32)}`;
const receipt = {
  transactionHash: txid,
  blockHash: `0x${"cd".repeat(32)}`,
  blockNumber: "0x10",
  status: "0x1",
  gasUsed: "0x5208",
  effectiveGasPrice: "0x3b9aca07",
  type: "0x2",
  logs: [],
};

test.each([
  ["an L1", {}, 21_000n * 1_000_000_007n],
  [
    "the OP stack, which takes the data's fee apart",
    { l1Fee: "0x2540be400", l1GasUsed: "0x640", l1GasPrice: "0x1", l1FeeScalar: "0" },
    21_000n * 1_000_000_007n + 10_000_000_000n,
  ],
  [
    "Arbitrum, whose gas contains it",
    { gasUsed: "0x9c40", gasUsedForL1: "0x4a38", l1BlockNumber: "0x1" },
    40_000n * 1_000_000_007n,
  ],
] as const)("%s", (_case, added, feeUnits) => {
  const read = readReceipt({ ...receipt, ...added });
  expect(read === null ? null : minedSpend(read)).toEqual({ txid, hasSucceeded: true, feeUnits });
});

test("a reverted one costs its fee all the same", () => {
  const read = readReceipt({ ...receipt, status: "0x0" });
  expect(read === null ? null : minedSpend(read)).toEqual({
    txid,
    hasSucceeded: false,
    feeUnits: 21_000n * 1_000_000_007n,
  });
});
