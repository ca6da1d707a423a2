import { describe, expect, it } from "vitest";
import { reserveFaults } from "./reserve-faults.ts";

const xrp = { alpha: "XRP", exp: 6 };
const source = { pointer: "/data/attributes/amount" };
/** It holds 10 XRP, of which 1.2 are its reserve. */
const payer = { latest: 10_000_000n, final: 10_000_000n, reserved: 1_200_000n };

describe("reserveFaults", () => {
  it.each([
    // What is free with the fee, and above everything: that waits for more money.
    [8_799_990n, false],
    [8_799_991n, true],
    [9_999_990n, true],
    [9_999_991n, false],
  ])("looks at a payment of %s drops: refused %s", (units, isRefused) => {
    const faults = reserveFaults({ payer, low: 10n }, units, xrp, source);
    expect(faults.length === 1).toBe(isRefused);
  });

  it("names the reserve, and what can be paid", () => {
    const [fault] = reserveFaults({ payer, low: 10n }, 9_000_000n, xrp, source);
    expect(fault).toMatchObject({
      name: "insufficientFunds",
      detail:
        "At most 8.79999 XRP can be paid out now. The paying account's reserve, 1.2 XRP, cannot be spent.",
      source,
    });
  });

  it("says that nothing can be paid if the fee exceeds what is free", () => {
    const short = { ...payer, latest: 1_200_005n };
    const [fault] = reserveFaults({ payer: short, low: 10n }, 1_000n, xrp, source);
    expect(fault?.detail).toContain("At most 0 XRP can be paid out now.");
  });

  it("accepts everything where the chain keeps nothing back", () => {
    expect(reserveFaults({ low: 10n }, 9_000_000n, xrp, source)).toEqual([]);
  });
});
