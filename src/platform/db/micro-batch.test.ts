import { describe, expect, it } from "vitest";
import { Unavailable } from "../kernel/unavailable.ts";
import { microBatch } from "./micro-batch.ts";

const limits = { slots: 1, maxSize: 10 };

/** A batched doubling that fails as `fault` says, and the batches it ran. */
function doubling(fault: (inputs: readonly number[]) => Error | null) {
  const batches: (readonly number[])[] = [];
  const double = microBatch((inputs: readonly number[]) => {
    batches.push(inputs);
    const error = fault(inputs);
    return error === null
      ? Promise.resolve(inputs.map((input) => input * 2))
      : Promise.reject(error);
  }, limits);
  return { batches, double };
}

describe("a micro-batch", () => {
  it("runs the calls of one event-loop turn together and answers each with its own outcome", async () => {
    const { batches, double } = doubling(() => null);
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it("runs each input alone after a batch failed, so that one bad input fails only itself", async () => {
    const { batches, double } = doubling((inputs) =>
      inputs.includes(2) ? new Error("bad") : null,
    );
    const outcomes = await Promise.allSettled([double(1), double(2), double(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it("fails the whole batch at once when the database is unavailable", async () => {
    const away = new Unavailable("database", "lock timeout");
    const { batches, double } = doubling(() => away);
    const outcomes = await Promise.allSettled([double(1), double(2), double(3)]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: away });
    expect(batches).toEqual([[1, 2, 3]]);
  });
});
