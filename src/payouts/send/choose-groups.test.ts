import { describe, expect, it } from "vitest";
import { newPayout } from "../../../test/support/payout-records.ts";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import { chooseGroups, defaultSendSettings, hasWaitedEnough, splitGroup } from "./choose-groups.ts";

/* Recent payouts wait to share a transaction. `3@8` is payout 3, created at second 8. */

describe("hasWaitedEnough", () => {
  it("counts from the approval, and lets a payout wait that is as old as now", () => {
    const [created, approved] = [instantFromSeconds(0), instantFromSeconds(10)];
    const waits = (createdAt: typeof created, approvedAt: typeof created | null) =>
      !hasWaitedEnough({ accountId: "1", createdAt, approvedAt }, new Map(), 1, approved);
    expect(waits(created, null)).toBe(false);
    expect(waits(created, approved)).toBe(true);
    expect(waits(instantFromSeconds(11), null)).toBe(false);
  });
});

describe("the default settings", () => {
  it("gather payouts for a second, and set up accounts to pay several at once", () => {
    expect(defaultSendSettings).toMatchObject({ gatherSeconds: 1, setsUpBatching: true });
  });
});

describe("chooseGroups", () => {
  it.each([
    // held, maximum per transaction, alone, groups at second 10 with one second to gather
    ["", 3, "", ""],
    ["1@9", 3, "", "1"],
    ["1@9.5", 3, "", ""],
    ["1@9.5 2@9.5 3@9.5", 3, "", "1 2 3"],
    ["1@0 2@9.9", 3, "", "1 2"],
    ["1@0 2@0 3@0 4@0", 3, "", "1 2 3 | 4"],
    ["1@0 2@0 3@0 4@9.9", 3, "", "1 2 3"],
    ["1@0 2@0 3@0", 3, "2", "1 3 | 2"],
    ["1@0 2@0 3@0", 3, "1", "1 | 2 3"],
    // Accounts pay one by one, at once.
    ["1@10 2@10", 1, "", "1 | 2"],
    // A clock that was set back delays nothing.
    ["1@99", 3, "", "1"],
  ] as const)("groups held %s, %i per transaction, alone %s, as %s", (held, max, alone, groups) => {
    const payouts = held
      .split(" ")
      .filter((text) => text !== "")
      .map((text) => {
        const [id = "", seconds = "0"] = text.split("@");
        return newPayout({ id, createdAt: instantFromSeconds(Number(seconds)) });
      });
    const chosen = chooseGroups(
      ...([payouts, max, new Set(alone.split(" "))] as const),
      ...([{ gatherSeconds: 1, waits: new Map() }, instantFromSeconds(10)] as const),
    );
    expect(chosen.map((group) => group.map(({ id }) => id).join(" ")).join(" | ")).toBe(groups);
  });

  it("lets payouts wait as long as their own account allows, but never behind one that is due", () => {
    const waits = new Map([["7", 60]]);
    const patient = { accountId: "7", createdAt: instantFromSeconds(0) };
    const held = ["1", "2"].map((id) => newPayout({ id, ...patient }));
    const groupsAt = (payouts: typeof held, second: number) =>
      chooseGroups(
        payouts,
        3,
        new Set(),
        { gatherSeconds: 1, waits },
        instantFromSeconds(second),
      ).map((group) => group.map(({ id }) => id));
    expect(groupsAt(held, 59)).toEqual([]);
    expect(groupsAt(held, 60)).toEqual([["1", "2"]]);
    const other = newPayout({ id: "3", accountId: "8", createdAt: instantFromSeconds(5) });
    expect(groupsAt([...held, other], 6)).toEqual([["1", "2", "3"]]);
  });

  it("splits a group that cannot be paid together until each payout is alone", () => {
    const group = ["1", "2", "3"].map((id) => newPayout({ id }));
    expect(splitGroup(group).map((half) => half.map(({ id }) => id))).toEqual([["1", "2"], ["3"]]);
  });
});
