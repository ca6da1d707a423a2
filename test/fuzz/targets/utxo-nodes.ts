import { bestChainHeader } from "../../../src/chains/utxo/headers.ts";
import { readJsonTransaction } from "../../../src/chains/utxo/json-block.ts";
import { parseBlock, splitBlock } from "../../../src/chains/utxo/parse-block.ts";
import { MalformedBytes, readTransaction } from "../../../src/chains/utxo/parse-transaction.ts";
import type { TransactionFormat } from "../../../src/currencies/utxo-facts.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import { Unavailable } from "../../../src/platform/kernel/unavailable.ts";
import dashTransactions from "../../vectors/dash-transactions.json" with { type: "json" };
import zcashAnswers from "../../vectors/zcash-node-answers.json" with { type: "json" };
import { documentOf, rejecting, type Target } from "../engine/target.ts";

/** Bitcoin's first block. */
const genesisBlock = Buffer.from(
  [
    "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81b",
    "c3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c010100000001000000000000000000000000000000000000000000000000",
    "0000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f",
    "6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0",
    "fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c70",
    "2b6bf11d5fac00000000",
  ].join(""),
  "hex",
);
/** One input and one output, with the given bytes between version and inputs, and before the lock time. */
const shortTransaction = (marker: string, script: string, tail: string): Buffer =>
  Buffer.from(
    `02000000${marker}01${"11".repeat(32)}0000000000ffffffff0110270000000000${script}${tail}00000000`,
    "hex",
  );
const witnessed = shortTransaction(
  "0001",
  `0016${"0014".padEnd(44, "2")}`.slice(2),
  "0102aabb01cc",
);
const withTokens = shortTransaction(
  "",
  `3fef${"33".repeat(32)}10fd1027${"76a9".padEnd(50, "4")}`,
  "",
);

const formats: readonly TransactionFormat[] = ["flagged", "typed", "tokens"];

/** Blocks as a node sends them, in bytes, in each of the formats. */
const blocks: readonly Target[] = formats.map((format) => ({
  name: `utxo-block-${format}`,
  form: "bytes",
  seeds: () => [
    genesisBlock,
    ...[witnessed, withTokens].map((one) =>
      Buffer.concat([genesisBlock.subarray(0, 80), Buffer.from([1]), one]),
    ),
  ],
  run: (input) => {
    const bytes = Buffer.from(input);
    rejecting([MalformedBytes], () => splitBlock(bytes, format));
    rejecting([MalformedBytes], () => parseBlock(bytes, format));
  },
}));

const transactions: readonly Target[] = formats.map((format) => ({
  name: `utxo-transaction-${format}`,
  form: "bytes",
  seeds: () => [
    witnessed,
    withTokens,
    ...dashTransactions.transactions.map(({ hex }) => Buffer.from(hex, "hex")),
  ],
  run: (input) => {
    const bytes = Buffer.from(input);
    const cursor = { bytes, at: 0 };
    const read = rejecting([MalformedBytes], () => readTransaction(cursor, format));
    if (read !== null && cursor.at > bytes.length) throw new Error("read past the end");
  },
}));

export const utxoNodeTargets: readonly Target[] = [
  ...blocks,
  ...transactions,
  {
    name: "utxo-json-transaction",
    form: "json",
    seeds: () =>
      [...zcashAnswers.firstBlock.tx, ...zcashAnswers.laterBlock.tx].map((one) =>
        JSON.stringify(one),
      ),
    run: (input) => rejecting([Unavailable], () => readJsonTransaction(documentOf(input))),
  },
  {
    name: "utxo-json-header",
    form: "json",
    seeds: () => [JSON.stringify(zcashAnswers.firstHeader)],
    run: (input) => {
      const value = documentOf(input);
      if (value === undefined) return;
      const read = rejecting([Unavailable], () => bestChainHeader(value));
      if (read !== null) formatTimestamp(read.time);
    },
  },
];
