/** What counts as a payment, in transactions that wallets make and in those that an attacker can make. */
import { describe, expect, it } from "vitest";
import {
  type BuiltOptions,
  buildFirstVersion,
  buildTransaction,
  noPoint,
} from "../../../test/support/monero-builder.ts";
import vectors from "../../../test/vectors/monero-addresses.json" with { type: "json" };
import recorded from "../../../test/vectors/monero-transactions.json" with { type: "json" };
import { readMoneroAddress } from "../../currencies/monero-address.ts";
import { Malformed } from "../rpc/answer.ts";
import { secretKeyOf, timesBase, toHex, varint } from "./crypto/points.ts";
import { type ScannedOutput, scanTransaction } from "./scan.ts";
import { type MoneroTransaction, readFirstVersion, readTransaction } from "./transaction.ts";

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
      { address: first!, units: 3n },
    ];
    expect(paid({ secret, outputs, hasOutputKeys: true })).toEqual([
      [1, spendKeyOf(first!), 1_000_000_000_000n],
      [2, spendKeyOf(second!), 2n ** 63n],
      [4, spendKeyOf(first!), 3n],
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

/*
 * What the wallet does not see, it can neither draft nor sign (`process_new_transaction` in src/wallet/wallet2.cpp, `parse_tx_extra` in
 * src/cryptonote_basic/cryptonote_format_utils.cpp): it would be credited, and could not be paid out.
 */
describe("outputs that Monero's own wallet does not see", () => {
  const outputs = [{ address: first!, units: 9n }];
  const found = [[0, spendKeyOf(first!), 9n]];
  const nonce = (length: number): number[] => [
    2,
    ...varint(length),
    ...new Array<number>(length).fill(7),
  ];
  const root = new Array<number>(32).fill(7);

  it("are those of a transaction that has no key of its own", () => {
    expect(paid({ secret, outputs, hasOutputKeys: true })).toEqual(found);
    expect(paid({ secret, outputs, hasOutputKeys: true, keyTimes: 0 })).toEqual([]);
  });

  it("are those whose keys are behind a second field of keys", () => {
    const extraHead = Uint8Array.of(4, 0);
    expect(paid({ secret, outputs, hasOutputKeys: true, extraHead })).toEqual([]);
  });

  it("are those of a transaction of which one key for an output is no point, which it sees and cannot spend", () => {
    const several = [{ address: foreign, units: 5n }, ...outputs, { address: second!, units: 7n }];
    expect(paid({ secret, outputs: several, hasOutputKeys: true })).toHaveLength(2);
    for (const invalid of [0, 1, 2])
      expect(
        paid({ secret, outputs: several, hasOutputKeys: true, invalidOutputKeys: [invalid] }),
      ).toEqual([]);
  });

  it("are not those of a transaction of which one key of its own is no point", () => {
    for (const hasOutputKeys of [false, true]) {
      const extraHead = Uint8Array.of(1, ...noPoint);
      expect(paid({ secret, outputs, hasOutputKeys, extraHead })).toEqual(found);
    }
  });

  it("are those of nothing", () => {
    expect(paid({ secret, outputs: [{ address: first!, units: 0n }] })).toEqual([]);
  });

  it.each<[string, readonly number[], boolean]>([
    ["a nonce of 255 bytes", nonce(255), true],
    ["a nonce of 256 bytes", nonce(256), false],
    ["a length in more bytes than it needs", [2, 0x81, 0x00, 7], false],
    ["a merge-mining field", [3, 33, 0, ...root], true],
    ["a merge-mining field with a byte behind the root", [3, 34, 0, ...root, 1], false],
    ["a merge-mining field without a root", [3, 2, 0, 1], false],
  ])("need the transaction's key before what is no field: %s", (_what, head, isSeen) => {
    const extraHead = Uint8Array.from(head);
    expect(paid({ secret, outputs, extraHead })).toEqual(isSeen ? found : []);
  });
});

describe("a public amount", () => {
  const publicOf = (options: BuiltOptions): MoneroTransaction => {
    const { prunableHex, prunedHex } = buildFirstVersion(options);
    return readFirstVersion(Buffer.from(prunedHex + prunableHex, "hex"));
  };

  it("is found in a transaction of version 1, for each address", () => {
    for (const address of [primary!, first!, second!]) {
      const found = scanTransaction(
        viewSecret,
        publicOf({ secret, outputs: [{ address, units: 5n }] }),
      );
      expect(found).toMatchObject([{ index: 0, spendKey: spendKeyOf(address), units: 5n }]);
    }
  });

  it("is found although another key of the transaction fits its view tag", () => {
    const outputs = [{ address: first!, units: 5n }];
    // A byte fits one of 256 times.
    const fitting = Array.from({ length: 3_000 }, (_, place) => BigInt(place + 2)).find((decoy) => {
      const extraHead = Uint8Array.of(1, ...timesBase(decoy).toBytes());
      return scanTransaction(viewSecret, publicOf({ secret, outputs, extraHead })).length > 1;
    });
    expect(fitting).toBeDefined();
    const extraHead = Uint8Array.of(1, ...timesBase(fitting!).toBytes());
    const keys = scanTransaction(viewSecret, publicOf({ secret, outputs, extraHead }));
    expect(keys.map(({ spendKey }) => spendKey)).toContain(spendKeyOf(first!));
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
