import { ImpossibleAnswer } from "../../../src/chains/port.ts";
import { Malformed } from "../../../src/chains/rpc/answer.ts";
import { readHeader } from "../../../src/chains/xrpl/header.ts";
import { contentOf } from "../../../src/chains/xrpl/ledger-content.ts";
import { readTransaction } from "../../../src/chains/xrpl/transaction.ts";
import type { CurrencyId } from "../../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../../src/platform/kernel/timestamp.ts";
import accounts from "../../recorded/xrpl-ledger-38129.json" with { type: "json" };
import trades from "../../recorded/xrpl-ledger-7501326.json" with { type: "json" };
import { documentOf, rejecting, type Target } from "../engine/target.ts";

const header = readHeader(accounts);
const smallest = (transactions: readonly unknown[]): readonly string[] =>
  transactions
    .map((one) => JSON.stringify(one))
    .toSorted((a, b) => a.length - b.length)
    .slice(0, 12);

/** Answers of rippled, after the transport has parsed their JSON. */
export const xrplNodeTargets: readonly Target[] = [
  {
    name: "xrpl-header",
    form: "json",
    seeds: () => [
      JSON.stringify({ ...accounts, ledger: { ...accounts.ledger, transactions: [] } }),
    ],
    run: (input) => {
      const value = documentOf(input);
      if (typeof value !== "object" || value === null) return;
      const read = rejecting([Malformed], () => readHeader(value as Record<string, unknown>));
      if (read !== null) formatTimestamp(read.time);
    },
  },
  {
    name: "xrpl-transaction",
    form: "json",
    seeds: () => smallest([...accounts.ledger.transactions, ...trades.ledger.transactions]),
    run: (input) => {
      const read = rejecting([Malformed], () => readTransaction(documentOf(input)));
      if (read !== null)
        rejecting([ImpossibleAnswer], () =>
          contentOf("XRP", "1010" as CurrencyId, { header, executed: [read] }),
        );
    },
  },
];
