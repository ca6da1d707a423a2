import { describe, expect, it } from "vitest";
import { aDeposit } from "../../test/support/deposit-records.ts";
import { btc, eth, testCurrencies, usd } from "../../test/support/deposit-world.ts";
import { newPayout } from "../../test/support/payout-records.ts";
import { depositStatus } from "../deposits/deposit-status.ts";
import { depositNotice } from "../deposits/payments/deposit-notice.ts";
import type { Notice } from "../notifications/notice.ts";
import { noticeLine } from "../notifications/notice-text.ts";
import { minimumFaults } from "../payouts/create/decide-terms.ts";
import { receiverFaults } from "../payouts/create/receiver-faults.ts";
import { reserveFaults } from "../payouts/create/reserve-faults.ts";
import { payoutNotice } from "../payouts/payout-notice.ts";
import { amountText } from "./amount-text.ts";

const ether = testCurrencies.get(eth);
const milli = 10n ** 15n;

const lineOf = (notice: Notice | null): string | undefined =>
  notice === null ? undefined : noticeLine(notice.event, "en", { hasAddress: true });
const source = { pointer: "/amount" };

describe("an amount in a sentence", () => {
  it.each([
    [40n * milli, eth, "0.04 ETH"],
    [1_000n * milli, eth, "1 ETH"],
    [0n, eth, "0 ETH"],
    [1n, eth, "0.000000000000000001 ETH"],
    [-600n, btc, "-0.000006 BTC"],
    [1_050n, usd, "10.50 USD"],
    [1_000n, usd, "10.00 USD"],
  ])("of %d units of currency %s is %s", (units, currency, text) => {
    expect(amountText(units, testCurrencies.get(currency))).toBe(text);
  });

  it.each([
    [
      "the minimum of a payout",
      minimumFaults(1n, ether, source)[0]?.detail,
      "The minimum payout is 0.00001 ETH.",
    ],
    [
      "what creates a receiver's account",
      receiverFaults({ kind: "needsActivation", minimumUnits: 20n * milli }, 1n, ether, {
        address: source,
        tag: source,
        amount: source,
      })[0]?.detail,
      "The receiver's account does not exist yet. The payment that creates it must bring at least 0.02 ETH.",
    ],
    [
      "what a reserve leaves",
      reserveFaults(
        {
          payer: { latest: 5_000n * milli, final: 5_000n * milli, reserved: 1_500n * milli },
          low: 100n * milli,
        },
        4_000n * milli,
        ether,
        source,
      )[0]?.detail,
      "At most 3.4 ETH can be paid out now. The paying account's reserve, 1.5 ETH, cannot be spent.",
    ],
    [
      "an email about a payment",
      lineOf(
        depositNotice(
          {
            trigger: "status",
            deposit: aDeposit({
              id: "7",
              status: depositStatus.paid,
              sums: { ...aDeposit().sums, targetPaid: 250n * milli },
            }),
            transfer: null,
            transfers: [],
          },
          testCurrencies,
        ),
      ),
      "0.25 ETH for deposit 7",
    ],
    [
      "an email about a payout",
      lineOf(
        payoutNotice(
          "payout_approval",
          newPayout({ id: "9", label: "Rent", currency: eth, units: 1_200n * milli }),
          null,
          { recipient: "Landlord", by: null },
          testCurrencies,
        ),
      ),
      "1.2 ETH to Landlord (Rent)",
    ],
  ])("has no needless zeros: %s", (_case, text, expected) => {
    expect(text).toBe(expected);
  });
});
