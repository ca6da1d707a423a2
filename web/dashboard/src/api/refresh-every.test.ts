import { expect, test } from "vitest";
import { SluiceError, SluiceUnreachable } from "../../../../client/src/sluice-error.ts";
import { refreshEvery } from "./refresh-every.ts";

const refused = (status: number) =>
  new SluiceError({ status, errors: [], meta: {}, requestId: null, retryAfterMs: null });
const unreachable = new SluiceUnreachable("no answer", { cause: null, isTimeout: false });

test.each([
  ["what was read", null, 60_000],
  ["what is refused", refused(404), 60_000],
  ["what could not be reached", unreachable, 5_000],
  ["what a broken service answered", refused(500), 5_000],
  ["what came too often", refused(429), 5_000],
])("%s is asked again in its turn, or soon", (_name, error, expected) => {
  expect(refreshEvery(60_000)({ state: { error } })).toBe(expected);
});

test("what is asked once is asked again only after a failure that may pass", () => {
  expect(refreshEvery(null)({ state: { error: null } })).toBe(false);
  expect(refreshEvery(null)({ state: { error: refused(403) } })).toBe(false);
  expect(refreshEvery(null)({ state: { error: unreachable } })).toBe(5_000);
  expect(refreshEvery(2_000)({ state: { error: unreachable } })).toBe(2_000);
});
