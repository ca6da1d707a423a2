import type { Seeded } from "../../support/seeded.ts";
import type { Plan } from "./history.ts";

/** What a program does in a history of payouts. `payout` is the number of a request, which each client may send. */
export type PayoutAction =
  | { readonly do: "mine"; readonly isEmpty: boolean }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "reorg"; readonly depth: number; readonly forgets: boolean }
  /** The node loses a transaction that waits for a block. */
  | { readonly do: "forget"; readonly which: number }
  /** What the signer's disk loses, and how far its clock is off, follow from this. */
  | { readonly do: "set up the signer"; readonly seed: number }
  /** The signer dies during that operation on its disk, counted from its next request. */
  | { readonly do: "signer dies"; readonly at: number; readonly losesPower: boolean }
  | { readonly do: "signer's answers"; readonly fate: "fine" | "lost" }
  /** What becomes of the next broadcasts. */
  | { readonly do: "broadcasts"; readonly fate: "fine" | "dropped" | "unanswered" }
  /** One pass of the pipeline. */
  | { readonly do: "pass" }
  /** The follower takes one step. */
  | { readonly do: "read" }
  /** `waits`: another member has to approve it. */
  | {
      readonly do: "request";
      readonly payout: number;
      readonly units: number;
      readonly waits: boolean;
    }
  | { readonly do: "cancel" | "approve"; readonly payout: number }
  | { readonly do: "pause" | "resume" };

function repeat<Item>(count: number, item: (at: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

/** A random plan. Both clients request some of the same payouts, with the same idempotency keys. */
export function planPayouts(seeded: Seeded): Plan<PayoutAction> {
  const requests = repeat(
    seeded.between(1, 4),
    (payout): PayoutAction => ({
      do: "request",
      payout,
      // Some cannot be paid beside each other.
      units: seeded.oneOf([200, 5_000, 400_000]) ?? 200,
      waits: seeded.chance(0.3),
    }),
  );
  const change = (): PayoutAction => {
    const payout = seeded.between(0, requests.length - 1);
    return { do: seeded.chance(0.5) ? "cancel" : "approve", payout };
  };
  const outsideEvent = (): PayoutAction => {
    const roll = seeded.between(1, 15);
    if (roll <= 5) return { do: "mine", isEmpty: seeded.chance(0.2) };
    if (roll <= 8) return { do: "wait", seconds: seeded.oneOf([2, 8, 25, 70]) ?? 2 };
    if (roll <= 9) return { do: "forget", which: 0 };
    if (roll === 10) return { do: "reorg", depth: 1, forgets: seeded.chance(0.4) };
    if (roll === 13) return { do: "signer's answers", fate: seeded.chance(0.5) ? "lost" : "fine" };
    if (roll > 13)
      return { do: "signer dies", at: seeded.between(1, 16), losesPower: seeded.chance(0.6) };
    return {
      do: "broadcasts",
      fate: seeded.oneOf(["fine", "dropped", "unanswered"] as const) ?? "fine",
    };
  };
  return [
    {
      program: "before",
      actions: [
        { do: "set up the signer", seed: seeded.between(1, 1_000_000) },
        ...requests.filter(() => seeded.chance(0.3)),
      ],
    },
    {
      program: "client",
      actions: [...requests, ...repeat(seeded.between(0, 2), change)],
    },
    {
      program: "colleague",
      actions: [
        ...requests.filter(() => seeded.chance(0.5)),
        ...repeat(seeded.between(1, 4), change),
      ],
    },
    { program: "outside", actions: repeat(seeded.between(2, 10), outsideEvent) },
    {
      program: "worker one",
      actions: repeat(seeded.between(1, 4), (): PayoutAction => ({ do: "pass" })),
    },
    {
      program: "worker other",
      actions: repeat(seeded.between(1, 4), (): PayoutAction => ({ do: "pass" })),
    },
    {
      program: "follower",
      actions: repeat(seeded.between(2, 8), (): PayoutAction => ({ do: "read" })),
    },
    {
      program: "operator",
      actions: seeded.chance(0.4) ? [{ do: "pause" }, { do: "resume" }] : [],
    },
  ];
}
