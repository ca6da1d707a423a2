import { describe, expect, it } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { refreshEvery } from "./refresh-every.ts";

const refused = (status: number) =>
  new SluiceError({ status, errors: [], meta: {}, requestId: null, retryAfterMs: null });
const unreachable = new SluiceUnreachable("no answer", { cause: null, isTimeout: false });

describe("refreshEvery", () => {
  it.each([
    ["success", 60_000, null],
    ["a 404", 60_000, refused(404)],
    ["no response", 5_000, unreachable],
    ["a 500", 5_000, refused(500)],
    ["a 429", 5_000, refused(429)],
  ])("refetches after %s in %i ms", (_name, expected, error) => {
    expect(refreshEvery(60_000)({ state: { error } })).toBe(expected);
  });

  it("refetches a query without an interval only after a transient error", () => {
    expect(refreshEvery(null)({ state: { error: null } })).toBe(false);
    expect(refreshEvery(null)({ state: { error: refused(403) } })).toBe(false);
    expect(refreshEvery(null)({ state: { error: unreachable } })).toBe(5_000);
    expect(refreshEvery(2_000)({ state: { error: unreachable } })).toBe(2_000);
  });
});
