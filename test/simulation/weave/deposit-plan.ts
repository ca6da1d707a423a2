import type { Seeded } from "../../support/seeded.ts";
import type { Plan } from "./history.ts";

/** What a program does in a history of deposits. `deposit` is a place among the site's deposits. */
export type DepositAction =
  | { readonly do: "pay"; readonly deposit: number; readonly percent: number }
  | { readonly do: "mine"; readonly blocks: number }
  /** `isLost`: the transactions of the replaced blocks are in none of the new ones. */
  | { readonly do: "reorg"; readonly depth: number; readonly isLost: boolean }
  /** A payment in the mempool is spent to someone else. */
  | { readonly do: "replace"; readonly which: number }
  /** The newest payment in a block is removed with its block and spent to someone else in the next one. */
  | { readonly do: "double spend" }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "step" }
  | { readonly do: "decide" }
  | { readonly do: "expire" }
  | { readonly do: "cancel" | "accept" | "refund" | "keep"; readonly deposit: number }
  | { readonly do: "limit"; readonly deposit: number; readonly seconds: number | null }
  | { readonly do: "create" }
  | { readonly do: "pay out"; readonly satoshis: number };

function repeat<Item>(count: number, item: () => Item): readonly Item[] {
  return Array.from({ length: count }, item);
}

/** A random plan: payments and blocks before the programs run, and what each of them then does. */
export function planDeposits(seeded: Seeded): Plan<DepositAction> {
  // Most of what happens concerns one deposit, because the programs meet there.
  const focus = seeded.between(0, 3);
  const deposit = (): number => (seeded.chance(0.7) ? focus : seeded.between(0, 3));
  const percent = (): number => seeded.oneOf([40, 60, 100, 130, 130]) ?? 100;
  const chainEvent = (): DepositAction => {
    const roll = seeded.between(1, 12);
    if (roll <= 4) return { do: "pay", deposit: deposit(), percent: percent() };
    if (roll <= 7) return { do: "mine", blocks: seeded.between(1, 2) };
    if (roll === 8) return { do: "reorg", depth: seeded.between(1, 2), isLost: false };
    if (roll === 9) return { do: "reorg", depth: 1, isLost: true };
    if (roll === 10) return { do: "replace", which: seeded.between(0, 2) };
    if (roll === 11) return { do: "double spend" };
    return { do: "wait", seconds: seeded.oneOf([30, 700]) ?? 30 };
  };
  const decision = (): DepositAction => {
    const roll = seeded.between(1, 12);
    if (roll <= 3) return { do: "cancel", deposit: deposit() };
    if (roll <= 6) return { do: "accept", deposit: deposit() };
    if (roll <= 8) return { do: "refund", deposit: deposit() };
    if (roll === 9) return { do: "keep", deposit: deposit() };
    if (roll === 10) return { do: "create" };
    return { do: "limit", deposit: deposit(), seconds: seeded.oneOf([1, 900, null]) };
  };
  const payment = (): DepositAction => ({ do: "pay", deposit: deposit(), percent: percent() });
  return [
    {
      program: "before",
      actions: [
        ...repeat(seeded.between(0, 3), payment),
        ...repeat(seeded.between(0, 2), (): DepositAction => ({ do: "mine", blocks: 1 })),
        ...repeat(seeded.between(0, 2), chainEvent),
      ],
    },
    { program: "outside", actions: repeat(seeded.between(2, 7), chainEvent) },
    {
      program: "follower",
      actions: repeat(seeded.between(4, 12), (): DepositAction => ({ do: "step" })),
    },
    {
      program: "decisions",
      actions: repeat(seeded.between(1, 4), (): DepositAction => ({ do: "decide" })),
    },
    {
      program: "expiry",
      actions: repeat(seeded.between(0, 2), (): DepositAction => ({ do: "expire" })),
    },
    { program: "owner", actions: repeat(seeded.between(1, 4), decision) },
    { program: "admin", actions: repeat(seeded.between(0, 3), decision) },
    {
      program: "spender",
      actions: repeat(
        seeded.between(0, 3),
        (): DepositAction => ({ do: "pay out", satoshis: seeded.between(10_000, 400_000) }),
      ),
    },
  ];
}
