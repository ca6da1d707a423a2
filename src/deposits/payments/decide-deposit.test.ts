import { describe, expect, it } from "vitest";
import { aDeposit, blockAt } from "../../../test/support/deposit-records.ts";
import { bnb, payment, testCurrencies, units } from "../../../test/support/deposit-world.ts";
import { ToldDeposit } from "../../../test/support/told-deposit.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
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
    const told = new ToldDeposit(aDeposit({ confirmationsNeeded }));
    const list: string[] = [];
    const note = (): void => {
      list.push(told.announced.splice(0).join("+"));
    };
    if (isInMempool) {
      told.arrive("1", "1", null);
      note();
      told.tip += 1;
      told.changeTransfer("1", (transfer) =>
        includeTransfer(transfer, payment({ deposit: told.deposit, amount: "1" }), blockAt(11), {
          revalueAfterSeconds: 7_200,
        }),
      );
    } else {
      told.arrive("1", "1", 10);
    }
    note();
    for (let block = 0; block < 4; block += 1) {
      told.grow();
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
    const told = new ToldDeposit(aDeposit({ confirmationsNeeded: 1 }));
    told.arrive("1", "1", 10);
    told.grow(2);
    expect(told.announced.splice(0)).toEqual(["confirmed", "settled"]);
    told.changeTransfer("1", (transfer) => orphanTransfer(transfer, told.deposit));
    expect(told.announced.splice(0)).toEqual(["reversed"]);
    told.grow();
    expect(told.announced.splice(0)).toEqual([]);
    told.changeTransfer("1", (transfer) =>
      includeTransfer(transfer, payment({ deposit: told.deposit, amount: "1" }), blockAt(13), {
        revalueAfterSeconds: 7_200,
      }),
    );
    told.grow(2);
    expect(told.announced.splice(0)).toEqual(["confirmed", "settled"]);
  });

  it("does not report a reorg of an unreported payment", () => {
    const told = new ToldDeposit(aDeposit());
    told.arrive("1", "1", 10);
    told.changeTransfer("1", (transfer) => orphanTransfer(transfer, told.deposit));
    told.changeTransfer("1", cancelTransfer);
    expect(told.announced).toEqual(["cancelled (feed)"]);
  });

  it("reports a conflict after a reorg once", () => {
    const told = new ToldDeposit(aDeposit({ confirmationsNeeded: 1 }));
    told.arrive("1", "1", 10);
    told.changeTransfer("1", (transfer) => orphanTransfer(transfer, told.deposit));
    told.changeTransfer("1", cancelTransfer);
    expect(told.announced.splice(0)).toEqual(["confirmed", "reversed", "cancelled"]);
    const keys = [
      told.changeTransfer("1", reviveTransfer).announcements,
      told.changeTransfer("1", cancelTransfer).announcements,
    ].flat();
    expect(keys.map(({ key }) => key)).toEqual(["deposit:5:transfer:1:cancelled:1"]);
  });

  it("lists dust and other assets in the feed only, once, when they are settled", () => {
    const told = new ToldDeposit(aDeposit({ confirmationsNeeded: 0 }));
    told.arrive("0.000001", "1", 10, { opType: 15 });
    told.arrive("1", "2", 10, { currency: bnb });
    told.arrive("1", "3", 10, { currency: null, assetLocator: "0xcafe" });
    expect(told.announced.splice(0)).toEqual(["misplaced (feed)"]);
    told.grow(20);
    expect(told.announced).toEqual(["dust (feed)", "misplaced (feed)"]);
    expect(told.deposit.sums).toEqual(noSums);
    expect(told.deposit.assets).toEqual({ 1002: 10n ** 12n, 1125: one });
  });

  it("reports a blocked payment once, books it as blocked, and continues after its release", () => {
    const told = new ToldDeposit(aDeposit());
    told.arrive("1", "1", 10, { riskStatus: riskStatus.queued });
    told.grow(5);
    expect(told.announced).toEqual([]);
    told.changeTransfer("1", (transfer) => ({ ...transfer, riskStatus: riskStatus.red, risk: 90 }));
    told.grow(2);
    expect(told.announced.splice(0)).toEqual(["blocked"]);
    expect(told.balances()).toEqual({ "chain/1002 1002": one, "blocked/1002 1002": -one });
    expect(told.deposit.sums).toEqual(noSums);
    told.changeTransfer("1", (transfer) => ({ ...transfer, releasedAt: told.now }));
    expect(told.announced).toEqual(["confirmed"]);
    expect(told.deposit.sums.enrolled).toBe(one);
  });

  it("sends a callback for a change of status after the transfer's", () => {
    const told = new ToldDeposit(
      aDeposit({
        walletType: walletType.merchant,
        targetAmountRequested: one,
        confirmationsNeeded: 1,
      }),
    );
    told.arrive("1", "1", 10);
    told.grow(2);
    told.arrive("0.5", "2", 12);
    told.changeTransfer("2", (transfer) => orphanTransfer(transfer, told.deposit));
    expect(told.announced).toEqual([
      ...["confirmed", "status 3", "settled"],
      ...["confirmed", "status 5", "reversed", "status 3"],
    ]);
    expect(told.deposit.statusVersion).toBe(3);
  });
});

describe("decideDeposit", () => {
  it("returns the same objects and writes nothing when nothing changes", () => {
    const told = new ToldDeposit(aDeposit({ walletType: walletType.merchant }));
    told.arrive("1", "1", 10);
    const before = told.deposit;
    const decision = told.tell();
    expect(decision.deposit).toBe(before);
    expect(decision.changedTransfers).toEqual([]);
    expect(decision.postings).toEqual([]);
  });

  it("keeps payments credited when the minimum is raised later", () => {
    const told = new ToldDeposit(aDeposit({ walletType: walletType.merchant }));
    told.arrive("1", "1", 10);
    told.grow(2);
    expect(told.deposit.sums.enrolled).toBe(one);
    const raised = {
      ...testCurrencies,
      get: (id: string) => ({ ...testCurrencies.get(id), minimalTransferUnits: 10n ** 20n }),
    };
    const transfers = [...told.transfers.values()];
    const decision = decideDeposit(
      told.deposit,
      told.deposit,
      transfers.map((transfer) => ({ before: transfer, now: transfer })),
      { currencies: raised, needsOpinion: () => false, tipOf: () => 12, now: told.now },
    );
    expect(decision.deposit).toBe(told.deposit);
  });

  it("makes funds available before Confirmed when more confirmations are requested than the currency needs", () => {
    const told = new ToldDeposit(aDeposit({ confirmationsNeeded: 5 }));
    told.arrive("1", "1", 10);
    told.grow(2);
    expect(told.deposit.sums).toMatchObject({
      enrolled: one,
      targetPaid: 0n,
      targetPaidPending: one,
    });
    told.grow(2);
    expect(told.deposit.sums).toMatchObject({
      enrolled: one,
      targetPaid: one,
      targetPaidPending: 0n,
    });
  });
});
