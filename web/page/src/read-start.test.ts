import { expect, test } from "vitest";
import { readStart } from "./read-start.ts";

/* What the server wrote into the page, or did not. */

test.each([
  ["", { state: null, failure: "not_found", retryAfterSeconds: null }],
  ["null", { state: null, failure: "not_found", retryAfterSeconds: null }],
  ['{"failure":"unavailable"}', { state: null, failure: "unavailable", retryAfterSeconds: null }],
  [
    '{"failure":"throttled","retryAfterSeconds":7}',
    { state: null, failure: "throttled", retryAfterSeconds: 7 },
  ],
  ['{"stage":"paid"}', { state: { stage: "paid" }, failure: null, retryAfterSeconds: null }],
])("%j", (text, start) => {
  expect(readStart(text)).toEqual(start);
});
