/** What counts as a payment, in transactions that wallets make and in those that an attacker can make. */
import { describe, expect, it } from "vitest";
import { type BuiltOptions, buildTransaction } from "../../../test/support/monero-builder.ts";
import vectors from "../../../test/vectors/monero-addresses.json" with { type: "json" };
import recorded from "../../../test/vectors/monero-transactions.json" with { type: "json" };
import { readMoneroAddress } from "../../currencies/monero-address.ts";
import { Malformed } from "../rpc/answer.ts";
import { secretKeyOf, toHex } from "./crypto/points.ts";
import { type ScannedOutput, scanTransaction } from "./scan.ts";
import { type MoneroTransaction, readTransaction } from "./transaction.ts";

const prefixes = { standard: 18, integrated: 19, subaddress: 42 };
const viewSecret = secretKeyOf(Buffer.from(vectors.wallet.viewKey, "hex"));
const [primary, first, second] = vectors.wallet.subaddresses.map(({ address }) => address);
const foreign = vectors.valid[1]!.address;
const spendKeyOf = (address: string): string =>
  toHex(readMoneroAddress(address, prefixes)!.spendKey);

function parse(options: BuiltOptions): MoneroTransaction {
  const { prunableHash, prunedHex, txid } = buildTransaction(options);
  const transaction = readTransaction(
    Buffer.from(prunedHex, "hex"),
    Buffer.from(prunableHash, "hex"),
  );
  expect(transaction.txid).toBe(txid);
  return transaction;
}

/** Who is paid how much, by output. */
function paid(options: BuiltOptions): readonly (readonly [number, string, bigint])[] {
  return scanTransaction(viewSecret, parse(options)).map(({ index, spendKey, units }) => [
    index,
    spendKey,
    units,
  ]);
}

const secret = 987_654_321_987_654_321n;

describe("the outputs of a transaction that pay the account", () => {
  it.each([primary!, first!, second!])("are found for its address %s", (address) => {
    expect(paid({ secret, outputs: [{ address, units: 12_345n }] })).toEqual([
      [0, spendKeyOf(address), 12_345n],
    ]);
  });

  it("are found among others by the key of each output", () => {
    const outputs = [
      { address: foreign, units: 5n },
      { address: first!, units: 1_000_000_000_000n },
      { address: second!, units: 2n ** 63n },
      { address: foreign, units: 7n },
      { address: first!, units: 0n },
    ];
    expect(paid({ secret, outputs, hasOutputKeys: true })).toEqual([
      [1, spendKeyOf(first!), 1_000_000_000_000n],
      [2, spendKeyOf(second!), 2n ** 63n],
      [4, spendKeyOf(first!), 0n],
    ]);
  });

  it("are not found with another view key", () => {
    const transaction = parse({ secret, outputs: [{ address: first!, units: 1n }] });
    const other: readonly ScannedOutput[] = scanTransaction(viewSecret + 1n, transaction);
    expect(other).toEqual([]);
  });

  it("count once when the transaction's key is written twice", () => {
    const outputs = [{ address: first!, units: 9n }];
    const once = paid({ secret, outputs });
    expect(paid({ secret, outputs, keyTimes: 2 })).toEqual(once);
    expect(paid({ secret, outputs, keyTimes: 12, hasOutputKeys: false })).toEqual(once);
  });

  it("do not count if they claim another amount than their commitment holds", () => {
    for (const claimed of [1n, 10n ** 18n, 0n])
      expect(paid({ secret, outputs: [{ address: first!, units: 5n, claimed }] })).toEqual([]);
  });

  it("are found whatever else senders write into the extra field", () => {
    const outputs = [{ address: first!, units: 9n }];
    const tails = [
      // An encrypted payment id, and a long one of the past.
      [2, 9, 1, 1, 2, 3, 4, 5, 6, 7, 8],
      [2, 33, 0, ...new Array<number>(32).fill(7)],
      // Padding, an unknown field, and fields that end early.
      new Array<number>(40).fill(0),
      [0x77, 1, 2, 3],
      [1, 5, 5],
      [4, 250, 1],
      [2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
    ];
    for (const tail of tails)
      expect(paid({ secret, outputs, extraTail: Uint8Array.from(tail) })).toEqual([
        [0, spendKeyOf(first!), 9n],
      ]);
  });
});

describe("a transaction that Monero's wallet signed", () => {
  it.each(recorded.transactions)("returns its change to the account: $name", ({ raw, txid }) => {
    const bytes = Buffer.from(raw, "hex");
    const own = secretKeyOf(Buffer.from(recorded.account.viewKey, "hex"));
    const transaction = withoutProofs(bytes);
    expect(transaction.outputs.length).toBeGreaterThan(1);
    const found = scanTransaction(own, transaction);
    const { address } = recorded.account;
    expect(found.map(({ spendKey }) => spendKey)).toEqual([spendKeyOf(address)]);
    expect(found[0]?.units).toBeGreaterThan(0n);
    expect(txid).toMatch(/^[0-9a-f]{64}$/);
  });

  /** What nodes leave out of the bytes begins behind the last commitment. */
  function withoutProofs(bytes: Buffer): MoneroTransaction {
    for (let end = 200; end < bytes.length; end += 1) {
      try {
        return readTransaction(bytes.subarray(0, end), null);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
      }
    }
    throw new Error("no end of the bytes before the proofs");
  }
});
