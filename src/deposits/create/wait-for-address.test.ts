import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { waitForAddress } from "./wait-for-address.ts";

describe("waiting for an address", () => {
  it("asks for a retry, not for another currency, when addresses are issued again right after the last attempt", async () => {
    let isIssued = false;
    const writer = {
      assertAdmitted: () =>
        isIssued ? Promise.resolve() : Promise.reject(new Unavailable("database", "an old copy")),
    };
    const take = () => {
      isIssued = true;
      return Promise.resolve(null);
    };
    const context = { clock: manualClock(), writer, addressPatienceMs: 0 };
    await expect(waitForAddress(context, take)).rejects.toThrow(Unavailable);
  });
});
