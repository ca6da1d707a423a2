import { describe, expect, it } from "vitest";
import { attemptOf, draftOf, spendOf } from "../../../test/support/spend-records.ts";
import type { AttemptState } from "./spend.ts";
import { currentTxid, holdsClaims, isMinable, liveClaims } from "./spend.ts";

const states: readonly AttemptState[] = [
  "drafted",
  "signing",
  "signed",
  "broadcast",
  "refused",
  "mined",
  "dead",
];

describe("an attempt", () => {
  it("may be mined while it is signed, and holds its claims unless it is refused or dead", () => {
    const which = (judge: typeof isMinable) => states.filter((state) => judge(attemptOf(state)));
    expect(which(isMinable)).toEqual(["signed", "broadcast"]);
    expect(which(holdsClaims)).toEqual(["drafted", "signing", "signed", "broadcast", "mined"]);
  });
});

describe("the transaction of a spend", () => {
  const attempts = [
    attemptOf("broadcast", { number: 1, txid: "t1" }),
    attemptOf("broadcast", { number: 2, txid: "t2" }),
    attemptOf("signed", { number: 3, txid: "t3" }),
  ];
  const inclusion = {
    height: 5,
    hash: "h",
    burntUnits: 1n,
    hasSucceeded: true,
    delivery: null,
    lost: [],
  };

  it("is the one in a block, else the newest that was broadcast, else none", () => {
    const spend = { ...spendOf([]), attempts };
    expect(currentTxid(spend)).toBe("t2");
    expect(currentTxid({ ...spend, inclusion: { ...inclusion, attempt: 1 } })).toBe("t1");
    expect(currentTxid({ ...spend, inclusion: { ...inclusion, attempt: 9 } })).toBeNull();
    expect(currentTxid({ ...spend, attempts: [attemptOf("signed")] })).toBeNull();
  });
});

describe("the claims of a spend", () => {
  it("are those of its attempts, and none once it is dropped or dead", () => {
    const attempts = [
      attemptOf("signed", { draft: draftOf(["a:0"]) }),
      attemptOf("drafted", { number: 2, draft: draftOf(["a:0", "b:1"]) }),
      attemptOf("refused", { number: 3, draft: draftOf(["c:2"]) }),
    ];
    const claims = (state: "open" | "dropped" | "dead" | "confirmed") => [
      ...liveClaims({ ...spendOf([]), attempts, state }),
    ];
    expect(claims("open")).toEqual(["a:0", "b:1"]);
    expect(claims("confirmed")).toEqual(["a:0", "b:1"]);
    expect(claims("dropped")).toEqual([]);
    expect(claims("dead")).toEqual([]);
  });
});
