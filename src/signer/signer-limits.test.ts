/** The signer's own limits, whatever a caller that holds the approval key requests. */
import { describe, expect, it } from "vitest";
import { manualClock } from "../../test/support/manual-clock.ts";
import {
  payoutOf,
  payoutRequest,
  reasonOf,
  requestOf,
  useSignerSite,
} from "../../test/support/signer-site.ts";

const site = useSignerSite();
const { withSigning } = site;
const signed = { kind: "signed" } as const;

const limits = (bitcoin: object) => ({
  chains: {
    BTC: { fee_per_transaction: "100", fees_per_day: "150", currencies: "none", ...bitcoin },
  },
});

describe("the signer's limits", () => {
  it("limits payouts, hours and days by its own clock and over restarts, counting a replacement once", async () => {
    const clock = manualClock();
    const currencies = { 1000: { per_payout: "600", per_hour: "1000", per_day: "1500" } };
    const options = { limits: limits({ currencies, fees_per_day: "none" }) };
    const folder = await site.newFolder();
    const ask = async (id: string, units: string, claim: string, fee = "10"): Promise<string> => {
      const opened = await site.open(folder, clock, options);
      try {
        const payout = site.approved(payoutOf(id, units));
        const outcome = await opened.signing.sign(payoutRequest(id, [payout], [claim], fee));
        return outcome.kind === "signed" ? "signed" : outcome.reason;
      } finally {
        await opened.close();
      }
    };
    expect(await ask("1", "601", "a")).toContain("above the 600 allowed per payout");
    expect(await ask("2", "600", "b")).toBe("signed");
    expect(await ask("3", "401", "c")).toBe(
      "an hour's payouts of currency 1000 would be 1001, above the 1000 allowed",
    );
    expect(await ask("4", "400", "d")).toBe("signed");
    // A replacement does not count as another payout.
    expect(await ask("2", "600", "b", "20")).toBe("signed");
    clock.advance(3_599);
    expect(await ask("5", "1", "e")).toContain("an hour's payouts");
    clock.advance(1);
    expect(await ask("5", "500", "e")).toBe("signed");
    expect(await ask("6", "1", "f")).toBe(
      "a day's payouts of currency 1000 would be 1501, above the 1500 allowed",
    );
    clock.advance(86_400);
    expect(await ask("6", "600", "f")).toBe("signed");
  });

  it("counts a batch as a whole", async () => {
    const currencies = { 1000: { per_payout: "none", per_hour: "1000", per_day: "none" } };
    await withSigning(
      async ({ signing }) => {
        const two = ["1", "2"].map((id) => site.approved(payoutOf(id, "501")));
        expect(reasonOf(await signing.sign(payoutRequest("1", two, ["a"])))).toContain(
          "would be 1002",
        );
        expect(await signing.sign(payoutRequest("1", two.slice(1), ["a"]))).toMatchObject(signed);
      },
      manualClock(),
      { limits: limits({ currencies }) },
    );
  });

  it("bounds fees per transaction and per day, counting attempts of one spend as the most expensive one", async () => {
    const clock = manualClock();
    await withSigning(
      async ({ signing }) => {
        const ask = async (spendId: string, fee: string): Promise<string> => {
          const spend = { spendId, chain: "BTC", feeCeiling: "500" };
          const intent = { kind: "consolidation", ...spend } as const;
          return reasonOf(await signing.sign(requestOf(intent, [`${spendId}:0`], [], fee)));
        };
        expect(await ask("1", "101")).toBe("burns up to 101, above 100");
        expect(await ask("1", "60")).toBe("");
        expect(await ask("1", "100")).toBe("");
        expect(await ask("1", "70")).toBe("");
        expect(await ask("2", "51")).toBe(
          "fees of a day would be 151, above the 150 allowed on BTC",
        );
        expect(await ask("2", "50")).toBe("");
        clock.advance(86_400);
        expect(await ask("3", "51")).toBe("");
      },
      clock,
      { limits: limits({}) },
    );
  });

  it("pays without approval to the cold address only, and refuses kinds and chains that are not allowed", async () => {
    const cold = { kind: "cold", spendId: "1", chain: "BTC", feeCeiling: "50" } as const;
    const intent = { ...cold, asset: { kind: "coin" }, units: "5" } as const;
    const request = requestOf(intent, ["a"], [{ address: "vault", units: "5" }]);
    const ask = (options: { readonly limits: object | "none" }, asked = request): Promise<string> =>
      withSigning(
        async ({ signing }) => {
          const outcome = await signing.sign(asked);
          return outcome.kind === "signed" ? "signed" : outcome.reason;
        },
        manualClock(),
        options as never,
      );
    expect(await ask({ limits: "none" })).toBe("no cold address is set for BTC");
    expect(await ask({ limits: limits({}) })).toBe("no cold address is set for BTC");
    expect(await ask({ limits: limits({ cold: "vault" }) })).toBe("signed");
    expect(await ask({ limits: limits({ cold: "other" }) })).toBe("it pays something else");
    expect(await ask({ limits: limits({ cold: "vault", kinds: ["payout"] }) })).toBe(
      "the signer's limits allow no cold on BTC",
    );
    const elsewhere = { kind: "gap", spendId: "1", chain: "LTC", feeCeiling: "50" } as const;
    expect(await ask({ limits: limits({}) }, requestOf(elsewhere, ["a"]))).toBe(
      "the signer's limits allow no gap on LTC",
    );
    const payout = payoutRequest("1", [site.approved(payoutOf("1"))], ["a"]);
    expect(await ask({ limits: limits({ currencies: {} }) }, payout)).toContain(
      "no limits are set for currency 1000",
    );
  });
});
