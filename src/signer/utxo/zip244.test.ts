import { describe, expect, it } from "vitest";
import { parseV5 } from "../../../test/support/parse-zcash-v5.ts";
import vectors from "../../../test/vectors/zcash-zip-0244.json" with { type: "json" };
import { serialize, signatureDigest, transactionDigest } from "./zip244.ts";

/*
 * The vectors of zcash/zcash-test-vectors (`test-vectors/json/zip_0244.json`). Their first two rows name the source and the
 * columns. Ids and digests are in the order of the wire.
 */

type Vector = readonly [
  tx: string,
  txid: string,
  authDigest: string,
  amounts: readonly number[],
  scripts: readonly string[],
  input: number | null,
  sighashShielded: string,
  sighashAll: string | null,
];

const known = (vectors.slice(2) as unknown as readonly Vector[]).map(
  ([tx, txid, , amounts, scripts, input, , sighashAll]) => {
    const parsed = parseV5(Buffer.from(tx, "hex"));
    const isCoinbase = parsed.inputs.length !== amounts.length;
    const inputs = parsed.inputs.map((one, index) => ({
      ...one,
      units: BigInt(amounts[index]!),
      script: Buffer.from(scripts[index]!, "hex"),
    }));
    return { txid, input, sighashAll, isCoinbase, transaction: { ...parsed, inputs } };
  },
);

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("the digests of ZIP-244", () => {
  const spending = known.filter(({ transaction }) => transaction.inputs.length > 0);

  it.each(spending)("give id $txid", ({ transaction, txid }) => {
    expect(hex(transactionDigest(transaction, transaction))).toBe(txid);
  });

  it.each(spending.filter(({ sighashAll }) => sighashAll !== null))(
    "give what input $input of $txid signs",
    ({ transaction, input, sighashAll }) => {
      expect(hex(signatureDigest(transaction, input!, transaction))).toBe(sighashAll);
    },
  );

  it("are compared with at least six transactions", () => {
    expect(spending.length).toBeGreaterThanOrEqual(6);
  });
});

describe("a transaction of version 5", () => {
  it("is read back as it was written", () => {
    const transaction = known.find(({ transaction }) => transaction.inputs.length > 1)!.transaction;
    const scriptSigs = transaction.inputs.map(() => new Uint8Array(300).fill(0x51));
    const { inputs, outputs, branchId, expiryHeight, lockTime } = parseV5(
      serialize(transaction, scriptSigs),
    );
    expect(outputs.map(({ script, units }) => ({ script: hex(script), units }))).toEqual(
      transaction.outputs.map(({ script, units }) => ({ script: hex(script), units })),
    );
    expect({ branchId, expiryHeight, lockTime }).toEqual({
      branchId: transaction.branchId,
      expiryHeight: transaction.expiryHeight,
      lockTime: transaction.lockTime,
    });
    expect(inputs).toEqual(
      transaction.inputs.map(({ txid, vout, sequence }) => ({ txid, vout, sequence })),
    );
  });
});
