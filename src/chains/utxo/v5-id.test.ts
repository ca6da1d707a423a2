import { describe, expect, it } from "vitest";
import { parseV5 } from "../../../test/support/parse-zcash-v5.ts";
import vectors from "../../../test/vectors/zcash-zip-0244.json" with { type: "json" };
import { MalformedBytes } from "./parse-transaction.ts";
import { idOfV5 } from "./v5-id.ts";

/**
 * A payment that BitGo's utxo-lib 11.24 built and signed for branch 37a5165b with the key 0x07 repeated; the id is also its own.
 */
const signed =
  "050000800a27a7265b16a53700000000f4010000011111111111111111111111111111111111111111111111111111111111111111000000006b48304502210091428ac30a66a027c47ef6cf290955cfcc2f069eb77ee852592c31714422bae102205251f6b9f50f50b8ea24b93c431faf457f275c929a270b56b0929a63b3adf452012102989c0b76cb563971fdc9bef31ec06c3560f3249d6ee9e5d83c57625596e05f6fffffffff01905f0100000000001976a914a3c6b1ee4a49d9f2af3b3802974744fba924164a88ac000000";

describe("idOfV5", () => {
  it("is the id that another library computes", () => {
    expect(parseV5(Buffer.from(signed, "hex")).expiryHeight).toBe(500);
    expect(idOfV5(Buffer.from(signed, "hex"))).toBe(
      "7811a25cbb38d0d71d98f1e7281422595630e90be4d6a9c6c26e22845a6f1e72",
    );
  });

  it("depends on everything but the signatures", () => {
    const id = idOfV5(Buffer.from(signed, "hex"));
    expect(idOfV5(Buffer.from(signed.replace("0091428a", "0091428b"), "hex"))).toBe(id);
    for (const [part, other] of [
      ["5b16a537", "30f33754"],
      ["f401000001", "f501000001"],
      ["905f01", "915f01"],
      ["ffffffff01905f", "feffffff01905f"],
    ] as const)
      expect(idOfV5(Buffer.from(signed.replace(part, other), "hex"))).not.toBe(id);
  });

  it("refuses a transaction with shielded parts, and one that is cut off", () => {
    const [tx] = vectors[2] as [string];
    expect(() => idOfV5(Buffer.from(tx, "hex"))).toThrow(MalformedBytes);
    expect(() => idOfV5(Buffer.from(signed.slice(0, -2), "hex"))).toThrow(MalformedBytes);
  });
});
