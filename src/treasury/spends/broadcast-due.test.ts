import { describe, expect, it } from "vitest";
import { attemptOf, draftOf } from "../../../test/support/spend-records.ts";
import type { Draft } from "../../chains/paying-port.ts";
import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { isBroadcastDue } from "./broadcast-due.ts";
import type { Attempt } from "./spend.ts";

const settings = { rebroadcastMinSeconds: 10, rebroadcastMaxSeconds: 60 };
const at = instantFromSeconds;
const until = (seconds: number): Draft => ({
  ...draftOf([]),
  validity: { kind: "time", until: at(seconds) },
});
const upTo = (last: number): Draft => ({ ...draftOf([]), validity: { kind: "height", last } });

describe("isBroadcastDue", () => {
  it.each<[string, Partial<Attempt> & Pick<Attempt, "state">, Instant, boolean]>([
    ["is due at once after signing", { state: "signed" }, at(0), true],
    ["is not due before it is signed", { state: "signing" }, at(0), false],
    ["is not due once it is in a block", { state: "mined" }, at(0), false],
    ["is not due without bytes", { state: "broadcast", raw: new Uint8Array() }, at(0), false],
    [
      "is not due again at once",
      { state: "broadcast", broadcasts: 1, lastBroadcastAt: at(0) },
      at(9),
      false,
    ],
    [
      "is due again after the minimum delay",
      { state: "broadcast", broadcasts: 1, lastBroadcastAt: at(0) },
      at(10),
      true,
    ],
    [
      "is not due a third time after the minimum delay",
      { state: "signed", broadcasts: 2, lastBroadcastAt: at(0) },
      at(19),
      false,
    ],
    [
      "is due a third time after twice the minimum delay",
      { state: "signed", broadcasts: 2, lastBroadcastAt: at(0) },
      at(20),
      true,
    ],
    [
      "is due again after the maximum delay, however often it was broadcast",
      { state: "broadcast", broadcasts: 99, lastBroadcastAt: at(0) },
      at(60),
      true,
    ],
    [
      "is due if the clock was set back",
      { state: "signed", broadcasts: 9, lastBroadcastAt: at(99) },
      at(1),
      true,
    ],
    ["is due before the time it expires", { state: "signed", draft: until(100) }, at(99), true],
    ["is not due from the time it expires", { state: "signed", draft: until(100) }, at(100), false],
    ["is due until its last block is read", { state: "signed", draft: upTo(8) }, at(0), true],
    ["is not due after its last block", { state: "signed", draft: upTo(7) }, at(0), false],
  ])("%s", (_what, attempt, now, expected) => {
    expect(isBroadcastDue(attemptOf(attempt.state, attempt), settings, now, 7)).toBe(expected);
  });
});
