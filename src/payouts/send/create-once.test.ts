import { describe, expect, it } from "vitest";
import { createOnce } from "./create-once.ts";
import type { Candidate } from "./open-batches.ts";

/** Stands for a payout: `a1` and `a2` pay to the account `a`, which exists only if its name is a capital. */
type Named = { readonly name: string };

const known = new Map<string, Named>();
function named(name: string): Candidate {
  const candidate = known.get(name) ?? { name };
  known.set(name, candidate);
  return candidate as unknown as Candidate;
}

function kept(...batches: readonly string[]): readonly string[] {
  const all = batches.map((batch) => batch.split(" ").map(named));
  const created = new Map(
    all.flat().map((candidate) => {
      const account = (candidate as unknown as Named).name.charAt(0);
      return [candidate, account === account.toUpperCase() ? null : account] as const;
    }),
  );
  return createOnce(all, created).map((batch) =>
    batch.map((candidate) => (candidate as unknown as Named).name).join(" "),
  );
}

describe("accounts that only one transaction can create", () => {
  it("are created by the first batch that pays to them, with all of its payments to them", () => {
    expect(kept("a1 b1 a2", "a3 c1", "b2", "c2 d1")).toEqual(["a1 b1 a2", "c1", "", "d1"]);
  });

  it("do not concern payments to accounts that exist", () => {
    expect(kept("A1", "A2 b1", "A3 b2")).toEqual(["A1", "A2 b1", "A3"]);
  });
});
