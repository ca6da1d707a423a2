/** What wallets sign is computed again from the transaction's keys; every manipulated version of it is refused. */
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors/monero-transactions.json" with { type: "json" };
import { moneroKeysOf, primaryAddress, secretHex } from "./account-keys.ts";
import { readAddress } from "./address.ts";
import { assertOutputs, type RequiredPayment, readTransactionKeys } from "./check-outputs.ts";
import { integerOf } from "./curve.ts";
import { readRawTransaction } from "./raw-transaction.ts";

const own = moneroKeysOf(integerOf(Buffer.from(vectors.account.spendKey, "hex")));
const [standard, subaddress, integrated, several] = vectors.transactions;
type Recorded = (typeof vectors.transactions)[number];

function paymentsOf({ payments }: Recorded): readonly RequiredPayment[] {
  return payments.map(({ address, amount }) => ({
    receiver: readAddress(address, "main", "the receiver"),
    units: BigInt(amount),
  }));
}

function assertPays(recorded: Recorded, payments: readonly RequiredPayment[], keys = own): void {
  const transaction = readRawTransaction(Buffer.from(recorded.raw, "hex"));
  assertOutputs(transaction, readTransactionKeys(recorded.key), payments, keys);
}

/** The bytes with one of them changed. */
function altered(recorded: Recorded, at: number): Recorded {
  const bytes = Buffer.from(recorded.raw, "hex");
  bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
  return { ...recorded, raw: bytes.toString("hex") };
}

describe("the account of a secret spend key", () => {
  it("has the view key and the address that Monero's wallet computes", () => {
    expect(secretHex(own.viewSecret)).toBe(vectors.account.viewKey);
    expect(primaryAddress(own, "main")).toBe(vectors.account.address);
  });
});

describe("a transaction that wallets signed", () => {
  it.each(vectors.transactions)("has the id and pays the $name receivers", (recorded) => {
    const { txid, outputs } = readRawTransaction(Buffer.from(recorded.raw, "hex"));
    expect(txid).toBe(recorded.txid);
    expect(outputs).toHaveLength(recorded.payments.length + 1);
    expect(() => {
      assertPays(recorded, paymentsOf(recorded));
    }).not.toThrow();
  });

  it("is refused if it pays another amount, another receiver, one payment less or one more", () => {
    for (const recorded of vectors.transactions) {
      const payments = paymentsOf(recorded);
      const [first] = payments;
      const elsewhere = { ...first!.receiver, spend: moneroKeysOf(5n).spend };
      const others = payments.slice(1);
      const wrong = [
        [{ ...first!, units: first!.units + 1n }, ...others],
        [{ receiver: elsewhere, units: first!.units }, ...others],
        others,
        [...payments, first!],
      ];
      for (const payments of wrong)
        expect(() => {
          assertPays(recorded, payments);
        }).toThrow(/pays nobody|are missing/);
    }
  });

  it("is refused if its change returns to another account", () => {
    for (const recorded of vectors.transactions)
      expect(() => {
        assertPays(recorded, paymentsOf(recorded), moneroKeysOf(5n));
      }).toThrow("is not ours");
  });

  it("is refused without the payment id of the receiver's address, and with another one", () => {
    const [payment] = paymentsOf(integrated!);
    const other = {
      ...payment!,
      receiver: { ...payment!.receiver, paymentId: Buffer.alloc(8, 7) },
    };
    expect(() => {
      assertPays(integrated!, [other]);
    }).toThrow("pays nobody");
    const plain = paymentsOf(standard!)[0]!;
    expect(() => {
      assertPays(standard!, [
        { ...plain, receiver: { ...plain.receiver, paymentId: Buffer.alloc(8, 7) } },
      ]);
    }).toThrow("pays nobody");
  });

  it("is refused with the keys of another transaction", () => {
    for (const recorded of [standard!, subaddress!, several!]) {
      const key = recorded === standard ? subaddress!.key : standard!.key;
      expect(() => {
        assertPays({ ...recorded, key }, paymentsOf(recorded));
      }).toThrow("pays nobody");
    }
    for (const key of ["", "00".repeat(32), "ff".repeat(32), "00"])
      expect(() => {
        assertPays({ ...standard!, key }, paymentsOf(standard!));
      }).toThrow(/cannot be read|not a scalar/);
  });

  it("is refused, or pays the same, whichever byte before its proofs is changed", () => {
    const { raw } = standard!;
    const payments = paymentsOf(standard!);
    const read = readRawTransaction(Buffer.from(raw, "hex"));
    const end = raw.indexOf(Buffer.from(read.outputs[1]!.commitment).toString("hex")) / 2 + 32;
    let accepted = 0;
    // Every third byte; the last one is the end of the last commitment.
    for (let at = end - 1; at >= 0; at -= 3) {
      const found = altered(standard!, at);
      try {
        assertPays(found, payments);
      } catch {
        continue;
      }
      accepted += 1;
      const changed = readRawTransaction(Buffer.from(found.raw, "hex"));
      expect(changed.txid).not.toBe(read.txid);
      expect(changed.outputs).toEqual(read.outputs);
    }
    // Rings, key images, the fee and an unused payment id: the fee and the key images are compared with the request, and the rest is signed.
    expect(accepted).toBeGreaterThan(0);
  });
});
