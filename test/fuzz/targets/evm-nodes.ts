import { readBlock, readReceipts, readTransaction } from "../../../src/chains/evm/answer.ts";
import { movesOfCallTrace, movesOfTraceBlock } from "../../../src/chains/evm/internal-transfers.ts";
import { tokenTransfers } from "../../../src/chains/evm/token-transfers.ts";
import { Malformed } from "../../../src/chains/rpc/answer.ts";
import type { CurrencyId } from "../../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import { documentOf, rejecting, type Target } from "../engine/target.ts";

const hash = `0x${"ab".repeat(32)}`;
const account = `0x${"12".repeat(20)}`;
const contract = `0x${"34".repeat(20)}`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const padded = `0x${"0".repeat(24)}${"56".repeat(20)}`;

const block = {
  number: "0x1b4",
  hash,
  parentHash: `0x${"cd".repeat(32)}`,
  timestamp: "0x5bfb1b20",
  transactions: [
    {
      hash,
      from: account,
      to: contract,
      value: "0x0",
      nonce: "0x1",
      type: "0x2",
      blockNumber: "0x1b4",
    },
  ],
};
const receipt = {
  transactionHash: hash,
  blockHash: hash,
  blockNumber: "0x1b4",
  status: "0x1",
  gasUsed: "0x5208",
  effectiveGasPrice: "0x3b9aca00",
  l1Fee: "0x1",
  operatorFeeScalar: "0x1",
  operatorFeeConstant: "0x2",
  daFootprintGasScalar: "0x190",
  logs: [
    {
      address: contract,
      topics: [transferTopic, padded, padded.replace("56", "57")],
      data: `0x${"0".repeat(62)}ff`,
      logIndex: "0x0",
      transactionHash: hash,
      blockHash: hash,
    },
  ],
};
const call = { type: "CALL", from: account, to: contract, value: "0xde0b6b3a7640000" };
const trace = {
  blockHash: hash,
  transactionHash: hash,
  type: "call",
  traceAddress: [0],
  action: { callType: "call", from: account, to: contract, value: "0x1" },
};

/** Answers of an Ethereum node, after the transport has parsed their JSON. */
export const evmNodeTargets: readonly Target[] = [
  {
    name: "evm-block",
    form: "json",
    seeds: () => [JSON.stringify(block), JSON.stringify(block.transactions[0])],
    run: (input) => {
      const value = documentOf(input);
      rejecting([Malformed], () => readTransaction(value));
      const read = rejecting([Malformed], () => readBlock(value));
      if (read !== null) formatTimestamp(read.header.time);
    },
  },
  {
    name: "evm-receipts",
    form: "json",
    seeds: () => [JSON.stringify([receipt])],
    run: (input) => {
      const receipts = rejecting([Malformed], () => readReceipts(documentOf(input))) ?? [];
      const listed = new Map([[contract, "2015" as CurrencyId]]);
      for (const one of receipts) tokenTransfers(one, { listed, ignored: new Set() });
    },
  },
  {
    name: "evm-traces",
    form: "json",
    seeds: () => [
      JSON.stringify({ ...call, calls: [call, { ...call, error: "reverted", calls: [call] }] }),
      JSON.stringify([trace, { ...trace, traceAddress: [0, 1] }, { ...trace, type: "suicide" }]),
    ],
    run: (input) => {
      const value = documentOf(input);
      rejecting([Malformed], () => movesOfCallTrace(value));
      if (Array.isArray(value)) rejecting([Malformed], () => movesOfTraceBlock(value, hash));
    },
  },
];
