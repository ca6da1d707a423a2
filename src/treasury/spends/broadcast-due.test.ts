import { expect, test } from "vitest";
import { attemptOf } from "../../../test/support/spend-records.ts";
import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { isBroadcastDue } from "./broadcast-due.ts";
import type { Attempt } from "./spend.ts";

const settings = { rebroadcastMinSeconds: 10, rebroadcastMaxSeconds: 60 };
const at = instantFromSeconds;

test.each<[string, Partial<Attempt> & Pick<Attempt, "state">, Instant, boolean]>([
  ["at once", { state: "signed" }, at(0), true],
  ["not before it is signed", { state: "signing" }, at(0), false],
  ["not once it is in a block", { state: "mined" }, at(0), false],
  ["not where there are no bytes", { state: "broadcast", raw: new Uint8Array() }, at(0), false],
  [
    "not again at once",
    { state: "broadcast", broadcasts: 1, lastBroadcastAt: at(0) },
    at(9),
    false,
  ],
  ["again", { state: "broadcast", broadcasts: 1, lastBroadcastAt: at(0) }, at(10), true],
  [
    "later the third time",
    { state: "signed", broadcasts: 2, lastBroadcastAt: at(0) },
    at(19),
    false,
  ],
  ["the third time", { state: "signed", broadcasts: 2, lastBroadcastAt: at(0) }, at(20), true],
  ["for ever", { state: "broadcast", broadcasts: 99, lastBroadcastAt: at(0) }, at(60), true],
  [
    "also after the clock was set back",
    { state: "signed", broadcasts: 9, lastBroadcastAt: at(99) },
    at(1),
    true,
  ],
])("%s", (_what, attempt, now, expected) => {
  expect(isBroadcastDue(attemptOf(attempt.state, attempt), settings, now)).toBe(expected);
});
