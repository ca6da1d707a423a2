import { describe, expect, it } from "vitest";
import { attemptOf, draftOf, spendOf } from "../../../test/support/spend-records.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import type { Attempt, Spend } from "./spend.ts";
import {
  addReplacement,
  adoptAttempt,
  expiriesOf,
  finalize,
  markDead,
  markExpired,
  recordBroadcast,
  recordEquivalent,
  recordInclusion,
  recordRefusal,
  recordRejection,
  recordSignature,
  refusalOf,
  startSigning,
  withdraw,
  withdrawUnsigned,
} from "./spend-transitions.ts";

/* What the transitions of a spend record beside its states: numbers, times, reasons, and the facts of its block. */

const now = 9 as Instant;
const mined = { txid: "t1", height: 5, hash: "h5", hasSucceeded: true, feeUnits: null };
const token = "2015" as CurrencyId;
const bytes = new Uint8Array([7]);

function attemptsIn(states: readonly Attempt["state"][], state: Spend["state"]): Spend {
  return spendOf(states, { state });
}

describe("a broadcast", () => {
  it("is counted, with the time of the first and the latest one", () => {
    const once = recordBroadcast(spendOf(["signed"]), 1, 3 as Instant);
    const twice = recordBroadcast(once, 1, now);
    expect(once.attempts[0]).toMatchObject({
      broadcasts: 1,
      firstBroadcastAt: 3,
      lastBroadcastAt: 3,
    });
    expect(twice.attempts[0]).toMatchObject({
      broadcasts: 2,
      firstBroadcastAt: 3,
      lastBroadcastAt: 9,
    });
  });

  it("that the node refuses is counted too, with its reason, until one succeeds", () => {
    const refused = recordRejection(spendOf(["signed"]), 1, "fee too low", now);
    expect(refused.attempts[0]).toMatchObject({
      state: "signed",
      refusal: "fee too low",
      broadcasts: 1,
      firstBroadcastAt: null,
      lastBroadcastAt: now,
    });
    expect(recordBroadcast(refused, 1, now).attempts[0]).toMatchObject({
      refusal: null,
      broadcasts: 2,
    });
  });
});

describe("a signature", () => {
  it("has bytes", () => {
    const signing = spendOf(["signing"]);
    const signed = { txid: "t1", raw: new Uint8Array() };
    expect(() => recordSignature(signing, 1, signed, now)).toThrow("empty bytes");
  });
});

describe("a spend that is over", () => {
  it("learns nothing more, even if one of its transactions is in that state", () => {
    for (const state of ["dropped", "dead", "confirmed"] as const) {
      for (const [states, learn] of [
        [["drafted"], (spend: Spend) => startSigning(spend, 1, now)],
        [["drafted"], (spend: Spend) => withdraw(spend, now)],
        [["signing"], (spend: Spend) => withdrawUnsigned(spend, now)],
        [["signed"], (spend: Spend) => recordInclusion(spend, mined, now)],
        [["signed"], (spend: Spend) => addReplacement(spend, spend, draftOf(["a:0"]), now)],
        [["signed"], (spend: Spend) => markDead(spend, now)],
        [["signed"], (spend: Spend) => recordEquivalent(spend, { ...mined, txid: "x" }, now)],
      ] as const) {
        const spend = attemptsIn(states, state);
        expect(learn(spend)).toBe(spend);
      }
      const valid = draftOf(["a:0"]);
      const expiring = attemptOf("signed", {
        draft: { ...valid, validity: { kind: "height", last: 8 } },
      });
      const spend = { ...spendOf([], { state }), attempts: [expiring] };
      expect(markExpired(spend, { height: 9, hash: "h9" }, now)).toBe(spend);
    }
  });

  it("is not dropped by the refusal of a transaction that was refused before", () => {
    const spend = spendOf(["refused"]);
    expect(recordRefusal(spend, 1, "no", now)).toBe(spend);
  });

  it("is final only once a block included it", () => {
    const inclusion = { ...mined, attempt: 1, burntUnits: 1n, delivery: null, lost: [] };
    const confirmed = spendOf(["mined"], { state: "confirmed", inclusion, dueHeight: 6 });
    expect(finalize(confirmed, 6, now)).toBe(confirmed);
  });
});

describe("the reason of a refusal", () => {
  it("is the signer's latest, of a refused transaction", () => {
    const attempts = [
      attemptOf("refused", { refusal: "first" }),
      attemptOf("refused", { number: 2, refusal: "second" }),
      attemptOf("signed", { number: 3, refusal: "of the node" }),
    ];
    expect(refusalOf({ ...spendOf([]), attempts })).toBe("second");
    expect(refusalOf(spendOf(["signed"]))).toBeNull();
  });

  it("is recorded where we gave a transaction up", () => {
    const refusals = (spend: Spend) => spend.attempts.map(({ refusal }) => refusal);
    expect(refusals(withdraw(spendOf(["drafted"]), now))).toEqual(["withdrawn"]);
    expect(refusals(markDead(spendOf(["broadcast", "signing"]), now))).toEqual([
      null,
      "a claim was used",
    ]);
    const included = recordInclusion(spendOf(["broadcast", "signing"]), mined, now);
    expect(refusals(finalize(included, 6, now))).toEqual([null, "another was mined"]);
    const earlier = recordRefusal(spendOf(["broadcast", "signing"]), 2, "too dear", now);
    expect(refusals(markDead(earlier, now))).toEqual([null, "too dear"]);
  });
});

describe("a transaction of the signer's journal", () => {
  const signed = { txid: "j", raw: bytes };

  it("belongs to the draft with the same body and claims, else it is one more", () => {
    const draft = draftOf(["a:0"]);
    const spend = spendOf(["signing"]);
    expect(adoptAttempt(spend, draft, signed, now).attempts).toHaveLength(1);
    const otherBody = adoptAttempt(spend, { ...draft, body: { claims: ["z"] } }, signed, now);
    expect(otherBody.attempts.map(({ number, state }) => [number, state])).toEqual([
      [1, "signing"],
      [2, "signed"],
    ]);
    expect(adoptAttempt(spend, { ...draft, claims: ["z"] }, signed, now).attempts).toHaveLength(2);
  });

  it("opens a dropped or expired spend again, and no other", () => {
    const adopt = (spend: Spend) => adoptAttempt(spend, draftOf(["b:0"]), signed, now);
    const states = (spend: Spend) =>
      `${spend.state}: ${spend.attempts.map(({ state }) => state).join()}`;
    expect(states(adopt(spendOf(["mined"], { state: "failed" })))).toBe("failed: mined,dead");
    expect(states(adopt(spendOf(["mined"], { state: "included" })))).toBe("included: mined,signed");
    expect(adopt(spendOf(["refused"], { state: "dropped" })).state).toBe("open");
  });
});

describe("a replacement", () => {
  it("gets the next number, and need not claim what a refused transaction claimed", () => {
    const attempts = [
      attemptOf("broadcast"),
      attemptOf("refused", { number: 2, draft: draftOf(["c:9"]) }),
    ];
    const spend = { ...spendOf([]), attempts };
    const replaced = addReplacement(spend, spend, draftOf(["a:0"]), now);
    expect(replaced.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});

describe("the block of a spend", () => {
  it("brings what became of each payment and delivery, and what a sweep lost", () => {
    const delivery = { currency: token, requestedUnits: 9n, receivedUnits: 8n, sentUnits: 9n };
    const facts = {
      payments: ["made", "refused"] as const,
      deliveries: [{ ...delivery, place: 0 }],
      lost: [money(1n, token)],
    };
    expect(recordInclusion(spendOf(["signed"]), { ...mined, ...facts }, now).inclusion).toEqual({
      attempt: 1,
      height: 5,
      hash: "h5",
      burntUnits: 10n,
      hasSucceeded: true,
      delivery: null,
      ...facts,
    });
    const plain = recordInclusion(spendOf(["signed"]), mined, now).inclusion ?? {};
    expect("payments" in plain || "deliveries" in plain).toBe(false);
  });

  it("contains a twin, which is one more transaction, or one of its own", () => {
    const spend = spendOf(["broadcast", "signed"]);
    const twin = recordEquivalent(spend, { ...mined, txid: "x" }, now);
    expect(twin.attempts.map(({ number, txid }) => [number, txid])).toEqual([
      [1, "t1"],
      [2, "t2"],
      [3, "x"],
    ]);
    expect(twin.inclusion?.attempt).toBe(3);
    const like = recordEquivalent(spend, { ...mined, txid: "x" }, now, spend.attempts[0]);
    expect(like.attempts.at(-1)?.draft).toBe(spend.attempts[0]?.draft);
    const own = recordEquivalent(spend, mined, now);
    expect(own.attempts).toHaveLength(2);
    expect(own).toEqual(recordInclusion(spend, mined, now));
  });

  it("is final at once where the network has locked it", () => {
    const included = recordInclusion(spendOf(["broadcast"]), mined, now);
    expect(finalize(included, 5, now, null)).toBe(included);
    expect(finalize(included, 5, now, 4)).toBe(included);
    expect(finalize(included, 5, now, 5).state).toBe("confirmed");
    expect(finalize(included, 5, now, 6).state).toBe("confirmed");
  });
});

describe("the expiry of a spend", () => {
  it("is unknown where nothing can be mined any more", () => {
    expect(expiriesOf(spendOf(["refused"]))).toBeNull();
    expect(expiriesOf(spendOf([]))).toBeNull();
  });
});
