import { describe, expect, it } from "vitest";
import { readInitialState } from "./read-initial-state.ts";

describe("readInitialState", () => {
  it.each([
    ["", { state: null, failure: "not_found", retryAfterSeconds: null }],
    ["null", { state: null, failure: "not_found", retryAfterSeconds: null }],
    ['{"failure":"unavailable"}', { state: null, failure: "unavailable", retryAfterSeconds: null }],
    [
      '{"failure":"throttled","retryAfterSeconds":7}',
      { state: null, failure: "throttled", retryAfterSeconds: 7 },
    ],
    ['{"stage":"paid"}', { state: { stage: "paid" }, failure: null, retryAfterSeconds: null }],
  ])("parses %j", (text, initial) => {
    expect(readInitialState(text)).toEqual(initial);
  });
});
