import { describe, expect, it } from "vitest";
import { attemptOf, draftOf, spendOf } from "../../../test/support/spend-records.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Attempt, Spend } from "./spend.ts";
import { liveClaims } from "./spend.ts";
import {
  addReplacement,
  adoptAttempt,
  finalize,
  markDead,
  markExpired,
  recordBroadcast,
  recordEquivalent,
  recordInclusion,
  recordRefusal,
  recordRejection,
  recordReorg,
  recordSignature,
  refusalOf,
  startSigning,
  withdraw,
  withdrawUnsigned,
} from "./spend-transitions.ts";

/* Every event in every state: the `state: attempt states` before and after; `-` for no change. */

const now = 9 as Instant;
const signature = { txid: "t1", raw: new Uint8Array([1]) };
const mined = { txid: "t1", height: 5, hash: "h5", hasSucceeded: true, feeUnits: null };

const events: Readonly<Record<string, (spend: Spend) => Spend>> = {
  beginSigning: (spend) => startSigning(spend, 1, now),
  signature: (spend) => recordSignature(spend, 1, signature, now),
  refusal: (spend) => recordRefusal(spend, 1, "no", now),
  refusal2: (spend) => recordRefusal(spend, 2, "no", now),
  withdraw: (spend) => withdraw(spend, now),
  withdrawUnsigned: (spend) => withdrawUnsigned(spend, now),
  broadcast: (spend) => recordBroadcast(spend, 1, now),
  rejection: (spend) => recordRejection(spend, 1, "no", now),
  mined1: (spend) => recordInclusion(spend, mined, now),
  mined2: (spend) => recordInclusion(spend, { ...mined, txid: "t2" }, now),
  twin: (spend) => recordEquivalent(spend, { ...mined, txid: "x" }, now),
  orphan: (spend) => recordReorg(spend, "h5", now),
  orphanElsewhere: (spend) => recordReorg(spend, "h6", now),
  mature5: (spend) => finalize(spend, 5, now),
  mature6: (spend) => finalize(spend, 6, now),
  death: (spend) => markDead(spend, now),
  expiry: (spend) => {
    const valid = expiring(spend);
    const learned = markExpired(valid, { height: 9, hash: "h9" }, now);
    return learned === valid ? spend : learned;
  },
  expiryNever: (spend) => markExpired(spend, { height: 9, hash: "h9" }, now),
  replace: (spend) => addReplacement(spend, spend, draftOf(["a:0", "b:0"]), now),
};

describe("a spend", () => {
  it.each(
    `
open: drafted            | beginSigning     | open: signing
open: signing            | beginSigning     | -
dropped: refused         | beginSigning     | -
open: signing            | signature        | open: signed
open: drafted            | signature        | -
open: broadcast          | signature        | -
included: mined          | signature        | -
open: signing            | refusal          | dropped: refused
open: drafted            | refusal          | dropped: refused
open: signed             | refusal          | -
open: broadcast signing  | refusal2         | open: broadcast refused
open: refused signing    | refusal2         | dropped: refused refused
open: drafted            | withdraw         | dropped: refused
open: signing            | withdraw         | -
open: signed             | withdraw         | -
open: broadcast drafted  | withdraw         | -
included: mined          | withdraw         | -
open: signing            | withdrawUnsigned | dropped: refused
open: signed             | withdrawUnsigned | -
open: broadcast signing  | withdrawUnsigned | -
open: signed             | broadcast        | open: broadcast
open: broadcast          | broadcast        | open: broadcast
open: signing            | broadcast        | -
included: mined          | broadcast        | -
open: signed             | rejection        | open: signed
open: broadcast          | rejection        | open: broadcast
open: signed             | mined1           | included: mined
open: broadcast          | mined1           | included: mined
open: broadcast signed   | mined1           | included: mined signed
open: broadcast signed   | mined2           | included: broadcast mined
open: signing            | mined1           | -
included: mined          | mined1           | -
dead: dead               | mined1           | -
dropped: refused         | mined1           | -
open: broadcast          | twin             | included: broadcast mined
included: mined          | orphan           | open: broadcast
included: mined signing  | orphan           | open: broadcast signing
confirmed: mined dead    | orphan           | open: broadcast broadcast
failed: mined            | orphan           | open: broadcast
included: mined          | orphanElsewhere  | -
open: broadcast          | orphan           | -
included: mined          | mature5          | -
included: mined          | mature6          | confirmed: mined
included: mined signed   | mature6          | confirmed: mined dead
included: mined signing  | mature6          | confirmed: mined refused
open: broadcast          | mature6          | -
open: broadcast          | death            | dead: dead
open: broadcast signing  | death            | dead: dead refused
included: mined          | death            | -
open: broadcast          | expiry           | dead: dead
open: signed signed      | expiry           | dead: dead dead
open: broadcast refused  | expiry           | dead: dead refused
open: broadcast signing  | expiry           | -
open: drafted            | expiry           | -
open: broadcast          | expiryNever      | -
included: mined          | expiry           | -
dead: dead               | expiry           | -
open: broadcast          | replace          | open: broadcast drafted
open: broadcast refused  | replace          | open: broadcast refused drafted
open: broadcast signing  | replace          | -
open: drafted            | replace          | -
included: mined          | replace          | -`
      .trim()
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim())),
  )("turns %s on %s into %s", (before = "", event = "", after = "") => {
    const spend = parse(before);
    const learned = events[event]!(spend);
    if (after === "-") expect(learned).toBe(spend);
    else expect(print(learned)).toBe(after);
  });
});

describe("an expired spend", () => {
  const expired = markExpired(expiring(spendOf(["broadcast"])), { height: 9, hash: "h9" }, now);

  it("is open again once the block that proved its expiry is orphaned", () => {
    expect(expired.expiredBy).toEqual({ height: 9, hash: "h9" });
    const again = recordReorg(expired, "h9", now);
    expect([print(again), again.expiredBy]).toEqual(["open: broadcast", null]);
    expect(recordReorg(expired, "h8", now)).toBe(expired);
  });

  it("is open again once another transaction of it turns up in the signer's journal", () => {
    const found = { txid: "t2", raw: new Uint8Array([2]) };
    const later = { ...draftOf(["a:0"], 20n), validity: { kind: "height", last: 20 } as const };
    const again = adoptAttempt(expired, later, found, now);
    expect([print(again), again.expiredBy]).toEqual(["open: dead signed", null]);
  });
});

/** Its transactions are valid up to block 8. */
function expiring(spend: Spend): Spend {
  const attempts = spend.attempts.map((attempt) => ({
    ...attempt,
    draft: { ...attempt.draft, validity: { kind: "height", last: 8 } as const },
  }));
  return { ...spend, attempts };
}

function parse(text: string): Spend {
  const [state = "", attempts = ""] = text.split(": ");
  const states = attempts.split(" ") as Attempt["state"][];
  const isMined = state === "included" || state === "confirmed" || state === "failed";
  return spendOf(states, {
    state: state as Spend["state"],
    ...(isMined
      ? {
          inclusion: {
            attempt: 1,
            height: 5,
            hash: "h5",
            burntUnits: 10n,
            hasSucceeded: state !== "failed",
            delivery: null,
            lost: [],
          },
          dueHeight: state === "included" ? 6 : null,
        }
      : {}),
  });
}

function print({ state, attempts }: Spend): string {
  return `${state}: ${attempts.map((attempt) => attempt.state).join(" ")}`;
}

describe("the transitions of a spend", () => {
  it("fails at the confirmation count if a block reverted it, and burns the block's fee", () => {
    const learned = recordInclusion(
      spendOf(["broadcast"]),
      { ...mined, hasSucceeded: false, feeUnits: 3n },
      now,
    );
    expect([learned.inclusion?.burntUnits, learned.dueHeight]).toEqual([3n, 6]);
    expect(print(finalize(learned, 6, now))).toBe("failed: mined");
  });

  it.each([
    [0n, 0n, "failed"],
    [0n, 100n, "failed"],
    [1n, 1n, "confirmed"],
    [99n, 100n, "confirmed"],
  ])(
    "a token that delivers %s of 100 units and takes %s makes it %s at the confirmation count; a reorg opens it again",
    (receivedUnits, sentUnits, state) => {
      const delivery = {
        currency: "2" as CurrencyId,
        requestedUnits: 100n,
        receivedUnits,
        sentUnits,
      };
      const included = recordInclusion(spendOf(["broadcast"]), { ...mined, delivery }, now);
      expect(included.inclusion?.delivery).toEqual(delivery);
      const over = finalize(included, 6, now);
      expect(print(over)).toBe(`${state}: mined`);
      const again = recordReorg(over, mined.hash, now);
      expect([print(again), again.inclusion]).toEqual(["open: broadcast", null]);
    },
  );

  it("rejects two blocks with the same transaction", () => {
    const included = recordInclusion(spendOf(["broadcast"]), mined, now);
    expect(() => recordInclusion(included, { ...mined, hash: "h6" }, now)).toThrow("h5 and h6");
  });

  it("rejects a replacement that drops a claim", () => {
    const spend = spendOf(["broadcast"]);
    expect(() => addReplacement(spend, spend, draftOf(["b:0"]), now)).toThrow(
      "lacks the claims a:0",
    );
  });

  it("rejects a replacement that claims nothing", () => {
    const spend = spendOf(["broadcast"]);
    expect(() => addReplacement(spend, spend, draftOf([]), now)).toThrow("claims nothing");
  });

  it("ignores the second of two concurrently drafted replacements", () => {
    const known = spendOf(["broadcast"]);
    const first = addReplacement(known, known, draftOf(["a:0"]), now);
    const signed = {
      ...first,
      attempts: [attemptOf("broadcast"), attemptOf("signed", { number: 2 })],
    };
    expect(addReplacement(signed, known, draftOf(["a:0"]), now)).toBe(signed);
  });

  it("holds claims until nothing can use them, and releases them if it is dropped, dead or refused", () => {
    const second = attemptOf("signing", { number: 2, draft: draftOf(["a:0", "b:0"]) });
    const spend = { ...spendOf(["broadcast"]), attempts: [attemptOf("broadcast"), second] };
    const claims = (learned: Spend): readonly string[] => [...liveClaims(learned)];
    expect(claims(spend)).toEqual(["a:0", "b:0"]);
    expect(claims(recordRefusal(spend, 2, "no", now))).toEqual(["a:0"]);
    expect(claims(markDead(spend, now))).toEqual([]);
    const included = recordInclusion(spend, mined, now);
    expect(claims(included)).toEqual(["a:0", "b:0"]);
    expect(claims(finalize(included, 6, now))).toEqual(["a:0"]);
  });

  it("returns why a spend was dropped, unless we withdrew it", () => {
    expect(refusalOf(withdraw(spendOf(["drafted"]), now))).toBeNull();
    expect(refusalOf(recordRefusal(spendOf(["signing"]), 1, "too much", now))).toBe("too much");
  });

  it.each([
    ["open: signing", "open: signed"],
    ["open: drafted", "open: signed"],
    ["dropped: refused", "open: signed"],
    ["open: signed", "open: signed signed"],
    ["confirmed: mined", "confirmed: mined dead"],
    ["dead: dead", "dead: dead dead"],
  ])("adopts bytes of the signer's journal: %s becomes %s", (before, after) => {
    const adopted = adoptAttempt(parse(before), draftOf(["a:0"]), { ...signature, txid: "j" }, now);
    expect(print(adopted)).toBe(after);
    expect(adopted.attempts.some(({ txid }) => txid === "j")).toBe(true);
    expect(adoptAttempt(adopted, draftOf(["a:0"]), { ...signature, txid: "j" }, now)).toBe(adopted);
  });
});
