/** How many transactions, and outputs, a worker scans per second for payments to a Monero account: `node test/bench/monero-scan.ts`. */
import { secretKeyOf } from "../../src/chains/monero/crypto/points.ts";
import { scanTransaction } from "../../src/chains/monero/scan.ts";
import { readTransaction } from "../../src/chains/monero/transaction.ts";
import { buildTransaction } from "../support/monero-builder.ts";
import vectors from "../vectors/monero-addresses.json" with { type: "json" };

const viewSecret = secretKeyOf(Buffer.from(vectors.wallet.viewKey, "hex"));
const foreign = vectors.valid[1]!.address;
const count = 500;

const transactions = Array.from({ length: count }, (_, place) => {
  const { prunableHash, prunedHex } = buildTransaction({
    secret: BigInt(place) + 1_000_003n,
    outputs: [
      { address: foreign, units: 5n },
      { address: foreign, units: 7n },
    ],
  });
  return { bytes: Buffer.from(prunedHex, "hex"), prunableHash: Buffer.from(prunableHash, "hex") };
});

const scanAll = (): number => {
  const start = performance.now();
  for (const { bytes, prunableHash } of transactions)
    scanTransaction(viewSecret, readTransaction(bytes, prunableHash));
  return (performance.now() - start) / 1000;
};

scanAll();
const seconds = Math.min(scanAll(), scanAll(), scanAll());
console.log(
  `${Math.round(count / seconds)} transactions/s, ${Math.round((2 * count) / seconds)} outputs/s`,
);
