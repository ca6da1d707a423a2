import { describe, expect, it } from "vitest";
import { DepositHistory } from "../../../test/support/deposit-history.ts";
import { aDeposit, blockAt, someTime } from "../../../test/support/deposit-records.ts";
import { bnb, payment, testCurrencies, units } from "../../../test/support/deposit-world.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { noSums } from "../deposit.ts";
import { riskStatus } from "../transfers/transfer.ts";
import { decideDeposit } from "./decide-deposit.ts";
import {
  cancelTransfer,
  includeTransfer,
  orphanTransfer,
  reviveTransfer,
} from "./transfer-changes.ts";

/* What a deposit posts and announces after a sequence of events, in memory. */

const one = units("1", aDeposit().walletCurrency);

describe("callbacks of a payment", () => {
  const announcedAt = (confirmationsNeeded: number | null, isInMempool: boolean) => {
    const history = new DepositHistory(aDeposit({ confirmationsNeeded }));
    const list: string[] = [];
    const note = (): void => {
      list.push(history.announced.splice(0).join("+"));
    };
    if (isInMempool) {
      history.arrive("1", "1", null);
      note();
      history.tip += 1;
      history.changeTransfer("1", (transfer) =>
        includeTransfer(transfer, payment({ deposit: history.deposit, amount: "1" }), blockAt(11), {
          revalueAfterSeconds: 7_200,
        }),
      );
    } else {
      history.arrive("1", "1", 10);
    }
    note();
    for (let block = 0; block < 4; block += 1) {
      history.grow();
      note();
    }
    return list.join(" | ");
  };

  it.each([
    { needed: null, mined: " |  | confirmed |  | ", seen: " |  |  | confirmed |  | " },
    { needed: 0, mined: "confirmed |  | settled |  | ", seen: "confirmed |  |  | settled |  | " },
    { needed: 1, mined: "confirmed |  | settled |  | ", seen: " | confirmed |  | settled |  | " },
    { needed: 2, mined: " | confirmed | settled |  | ", seen: " |  | confirmed | settled |  | " },
    { needed: 3, mined: " |  | confirmed |  | ", seen: " |  |  | confirmed |  | " },
    { needed: 5, mined: " |  | settled |  | confirmed", seen: " |  |  | settled |  | confirmed" },
  ])(
    "sends the expected callbacks with confirmations_needed $needed and 3 required by the currency",
    ({ needed, mined, seen }) => {
      expect(announcedAt(needed, false)).toBe(mined);
      expect(announcedAt(needed, true)).toBe(seen);
    },
  );

  it("reports a reorg once and later confirmations again", () => {
    const history = new DepositHistory(aDeposit({ confirmationsNeeded: 1 }));
    history.arrive("1", "1", 10);
    history.grow(2);
    expect(history.announced.splice(0)).toEqual(["confirmed", "settled"]);
    history.changeTransfer("1", (transfer) => orphanTransfer(transfer, history.deposit));
    expect(history.announced.splice(0)).toEqual(["reversed"]);
    history.grow();
    expect(history.announced.splice(0)).toEqual([]);
    history.changeTransfer("1", (transfer) =>
      includeTransfer(transfer, payment({ deposit: history.deposit, amount: "1" }), blockAt(13), {
        revalueAfterSeconds: 7_200,
      }),
    );
    history.grow(2);
    expect(history.announced.splice(0)).toEqual(["confirmed", "settled"]);
  });

  it("reports a reorg of a payment that was settled but not yet confirmed", () => {
    const history = new DepositHistory(aDeposit({ confirmationsNeeded: 6 }));
    history.arrive("1", "1", 10);
    history.grow(3);
    expect(history.announced.splice(0)).toEqual(["settled"]);
    history.changeTransfer("1", (transfer) => orphanTransfer(transfer, history.deposit));
    expect(history.announced.splice(0)).toEqual(["reversed"]);
    history.changeTransfer("1", cancelTransfer);
    expect(history.announced.splice(0)).toEqual(["cancelled"]);
  });

  it.each([
    { needed: 0, settled: true, events: ["reversed", "settled"] },
    { needed: 1, settled: false, events: ["reversed", "confirmed"] },
    { needed: 1, settled: true, events: ["reversed", "confirmed", "settled"] },
    { needed: 3, settled: true, events: ["reversed", "confirmed"] },
  ])(
    "reports $events when one batch of blocks removes a payment and includes it again (confirmations_needed $needed)",
    ({ needed, settled, events }) => {
      const history = new DepositHistory(aDeposit({ confirmationsNeeded: needed }));
      history.arrive("1", "1", 10);
      history.grow(2);
      history.announced.splice(0);
      const hit = payment({ deposit: history.deposit, amount: "1" });
      history.changeTransfer("1", (transfer) =>
        includeTransfer(
          orphanTransfer(transfer, history.deposit),
          hit,
          { ...blockAt(settled ? 10 : 11), hash: "another" },
          { revalueAfterSeconds: 7_200 },
        ),
      );
      expect(history.announced).toEqual(events);
    },
  );

  it("does not report a reorg of an unreported payment", () => {
    const history = new DepositHistory(aDeposit());
    history.arrive("1", "1", 10);
    history.changeTransfer("1", (transfer) => orphanTransfer(transfer, history.deposit));
    history.changeTransfer("1", cancelTransfer);
    expect(history.announced).toEqual(["cancelled (feed)"]);
  });

  it("reports a conflict after a reorg once", () => {
    const history = new DepositHistory(aDeposit({ confirmationsNeeded: 1 }));
    history.arrive("1", "1", 10);
    history.changeTransfer("1", (transfer) => orphanTransfer(transfer, history.deposit));
    history.changeTransfer("1", cancelTransfer);
    expect(history.announced.splice(0)).toEqual(["confirmed", "reversed", "cancelled"]);
    const keys = [
      history.changeTransfer("1", reviveTransfer).announcements,
      history.changeTransfer("1", cancelTransfer).announcements,
    ].flat();
    expect(keys.map(({ key }) => key)).toEqual(["deposit:5:transfer:1:cancelled:1"]);
  });

  it("lists dust and other assets in the feed only, once, when they are settled", () => {
    const history = new DepositHistory(aDeposit({ confirmationsNeeded: 0 }));
    history.arrive("0.000001", "1", 10, { opType: 15 });
    history.arrive("1", "2", 10, { currency: bnb });
    history.arrive("1", "3", 10, { currency: null, assetLocator: "0xcafe" });
    expect(history.announced.splice(0)).toEqual(["misplaced (feed)"]);
    history.grow(20);
    expect(history.announced).toEqual(["dust (feed)", "misplaced (feed)"]);
    expect(history.deposit.sums).toEqual(noSums);
    expect(history.deposit.assets).toEqual({ 1002: 10n ** 12n, 1125: one });
  });

  it("reports a blocked payment once, books it as blocked, and continues after its release", () => {
    const history = new DepositHistory(aDeposit());
    history.arrive("1", "1", 10, { riskStatus: riskStatus.queued });
    history.grow(5);
    expect(history.announced).toEqual([]);
    history.changeTransfer("1", (transfer) => ({
      ...transfer,
      riskStatus: riskStatus.red,
      risk: 90,
    }));
    history.grow(2);
    expect(history.announced.splice(0)).toEqual(["blocked"]);
    expect(history.balances()).toEqual({ "chain/1002 1002": one, "blocked/1002 1002": -one });
    expect(history.deposit.sums).toEqual(noSums);
    history.changeTransfer("1", (transfer) => ({ ...transfer, releasedAt: history.now }));
    expect(history.announced).toEqual(["confirmed"]);
    expect(history.deposit.sums.enrolled).toBe(one);
  });

  it("sends a callback for a change of status after the transfer's", () => {
    const history = new DepositHistory(
      aDeposit({
        walletType: walletType.merchant,
        targetAmountRequested: one,
        confirmationsNeeded: 1,
      }),
    );
    history.arrive("1", "1", 10);
    history.grow(2);
    history.arrive("0.5", "2", 12);
    history.changeTransfer("2", (transfer) => orphanTransfer(transfer, history.deposit));
    expect(history.announced).toEqual([
      ...["confirmed", "status 3", "settled"],
      ...["confirmed", "status 5", "reversed", "status 3"],
    ]);
    expect(history.deposit.statusVersion).toBe(3);
  });
});

describe("decideDeposit", () => {
  it("returns the same objects and writes nothing when nothing changes", () => {
    const history = new DepositHistory(aDeposit({ walletType: walletType.merchant }));
    history.arrive("1", "1", 10);
    const before = history.deposit;
    const decision = history.step();
    expect(decision.deposit).toBe(before);
    expect(decision.changedTransfers).toEqual([]);
    expect(decision.postings).toEqual([]);
  });

  it("keeps payments credited when the minimum is raised later", () => {
    const history = new DepositHistory(aDeposit({ walletType: walletType.merchant }));
    history.arrive("1", "1", 10);
    history.grow(2);
    expect(history.deposit.sums.enrolled).toBe(one);
    const raised = {
      ...testCurrencies,
      get: (id: string) => ({ ...testCurrencies.get(id), minimalTransferUnits: 10n ** 20n }),
    };
    const transfers = [...history.transfers.values()];
    const decision = decideDeposit(
      history.deposit,
      history.deposit,
      transfers.map((transfer) => ({ before: transfer, now: transfer })),
      {
        currencies: raised,
        needsOpinion: () => false,
        tipOf: () => 12,
        lockedOf: () => null,
        now: history.now,
      },
    );
    expect(decision.deposit).toBe(history.deposit);
  });

  it("makes funds available before Confirmed when more confirmations are requested than the currency needs", () => {
    const history = new DepositHistory(aDeposit({ confirmationsNeeded: 5 }));
    history.arrive("1", "1", 10);
    history.grow(2);
    expect(history.deposit.sums).toMatchObject({
      enrolled: one,
      targetPaid: 0n,
      targetPaidPending: one,
    });
    history.grow(2);
    expect(history.deposit.sums).toMatchObject({
      enrolled: one,
      targetPaid: one,
      targetPaidPending: 0n,
    });
  });

  it("settles what the user accepted before it was confirmed, although a late payment came after it", () => {
    const history = new DepositHistory(
      aDeposit({
        walletType: walletType.merchant,
        targetAmountRequested: 2n * 10n ** 15n,
        expiresAt: (someTime + 1_000_000) as Instant,
      }),
    );
    history.arrive("0.001", "1", history.tip);
    history.step(undefined, { deposit: { acceptedAt: history.now } });
    history.arrive("0.001", "2", history.tip, { firstSeenAt: history.now });
    // The history compares each decision with the one from the changed payments alone.
    history.grow(3);
    history.arrive("0.001", "3", history.tip, { firstSeenAt: history.now });
    history.grow(3);
    const dispositions = [...history.transfers.values()].map(({ disposition }) => disposition);
    expect(dispositions).toEqual(["credited", "unresolved", "unresolved"]);
    expect(history.deposit.statusReason).toBe("late");
  });
});
