import { describe, expect, it } from "vitest";
import { attemptOf, draftOf, spendOf } from "../../../test/support/spend-records.ts";
import type { Coin, Funds } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { coinsOfChild, findUnreplaceable } from "./bump-by-child.ts";
import { firstPerSender, fundsOfReplacement, isExpired, isStuck } from "./replace-spend.ts";
import type { Attempt } from "./spend.ts";
import { defaultSpendSettings } from "./spend-context.ts";

const at = instantFromSeconds;
const settings = { ...defaultSpendSettings, stuckAfterSeconds: 100, refusedAfterSeconds: 20 };
const taken = { firstBroadcastAt: at(0) };
const refused = { refusal: "no", createdAt: at(0) };

describe("isExpired", () => {
  const draft = {
    ...draftOf(["a:0"]),
    validity: { kind: "height", last: 40 },
  } as const;
  const sent = attemptOf("broadcast", { draft });
  const block = (height: number, seconds = 0) => ({ height, time: at(seconds) });
  const now = at(119);
  const open = (...attempts: readonly Attempt[]) => ({ ...spendOf([]), attempts });

  it("is true from the last block that may contain the transaction on, however long it waited", () => {
    expect(isExpired(open(sent), settings, block(39, 999), now)).toBe(false);
    expect(isExpired(open(sent), settings, block(40), now)).toBe(true);
  });

  it("is decided by the time of blocks, not by our clock", () => {
    const timed = attemptOf("broadcast", {
      draft: { ...draft, validity: { kind: "time", until: at(50) } },
    });
    expect(isExpired(open(timed), settings, block(99, 49), at(999))).toBe(false);
    expect(isExpired(open(timed), settings, block(99, 50), at(0))).toBe(true);
  });

  it("is false for transactions that never expire, and for those that claim nothing", () => {
    const lasting = attemptOf("broadcast", { draft: { ...draft, validity: null } });
    const claimless = attemptOf("broadcast", { draft: { ...draft, claims: [] } });
    for (const attempt of [lasting, claimless])
      expect(isExpired(open(attempt), settings, block(99), now)).toBe(false);
  });

  it("is false while the next one is being signed, and for a while after the signer refused it", () => {
    const next = { number: 2, draft, createdAt: at(100) };
    const refusedNext = open(sent, attemptOf("refused", next));
    expect(isExpired(open(sent, attemptOf("drafted", next)), settings, block(99), now)).toBe(false);
    expect(isExpired(refusedNext, settings, block(99), now)).toBe(false);
    expect(isExpired(refusedNext, settings, block(99), at(120))).toBe(true);
  });

  it("is false once the spend is over", () => {
    expect(isExpired({ ...open(sent), state: "dead" }, settings, block(99), now)).toBe(false);
  });
});

describe("isStuck", () => {
  it.each<[string, readonly Attempt[], Instant | null, Instant, boolean]>([
    ["is false while it waits for a block", [attemptOf("broadcast", taken)], null, at(99), false],
    ["is true if it waits too long", [attemptOf("broadcast", taken)], null, at(100), true],
    [
      "is false if it was not its turn until now",
      [attemptOf("broadcast", taken)],
      at(50),
      at(149),
      false,
    ],
    [
      "is true if it waits too long since its turn",
      [attemptOf("broadcast", taken)],
      at(50),
      at(150),
      true,
    ],
    [
      "is true if the node refuses it all the time",
      [attemptOf("signed", refused)],
      null,
      at(20),
      true,
    ],
    [
      "is false if the node refused it a moment ago",
      [attemptOf("signed", refused)],
      null,
      at(19),
      false,
    ],
    ["is false while it is not signed", [attemptOf("signing", taken)], null, at(999), false],
    [
      "is false while a replacement is being signed",
      [attemptOf("broadcast", taken), attemptOf("drafted", { number: 2 })],
      ...([null, at(999), false] as const),
    ],
    [
      "is false after the signer refused a replacement",
      [attemptOf("broadcast", taken), attemptOf("refused", { number: 2, createdAt: at(150) })],
      ...([null, at(249), false] as const),
    ],
    [
      "is true long after the signer refused a replacement",
      [attemptOf("broadcast", taken), attemptOf("refused", { number: 2, createdAt: at(150) })],
      ...([null, at(250), true] as const),
    ],
  ])("%s", (_what, attempts, movedAt, now, expected) => {
    expect(isStuck({ ...spendOf([]), attempts }, movedAt, settings, now)).toBe(expected);
  });
});

describe("firstPerSender", () => {
  it("selects only the lowest nonce of each account, and every spend of coins", () => {
    const account = (id: string, sender: string, nonce: number) => ({
      ...spendOf(["broadcast"], { id, sender }),
      attempts: [attemptOf("broadcast", { draft: draftOf([`${sender}#${nonce}`]) })],
    });
    const open = [
      account("1", "0xa", 8),
      account("2", "0xa", 7),
      account("3", "0xb", 9),
      spendOf(["broadcast"], { id: "4" }),
    ];
    expect(firstPerSender(open).map(({ id }) => id)).toEqual(["2", "3", "4"]);
  });
});

describe("findUnreplaceable", () => {
  it("finds a pair if the node has the old transaction and keeps refusing the new one", () => {
    const replacement = attemptOf("signed", { number: 2, ...refused });
    const spend = { ...spendOf([]), attempts: [attemptOf("broadcast", taken), replacement] };
    expect(findUnreplaceable(spend, settings, at(20))?.parent.number).toBe(1);
    expect(findUnreplaceable(spend, settings, at(19))).toBeNull();
    const accepted = { ...replacement, firstBroadcastAt: at(1) };
    const replaced = { ...spend, attempts: [attemptOf("broadcast", taken), accepted] };
    expect(findUnreplaceable(replaced, settings, at(99))).toBeNull();
    expect(findUnreplaceable(spendOf(["broadcast"]), settings, at(99))).toBeNull();
  });
});

describe("coinsOfChild", () => {
  it("takes the largest change output, or all of them if it is too small", () => {
    const coin = (units: bigint): Coin => ({
      claim: `${units}:0`,
      units,
      addressType: "bech32",
      branch: 1,
      keyIndex: 0,
    });
    const change = [100n, 300n, 200n].map(coin);
    expect(coinsOfChild(change, 150n)).toEqual([coin(300n)]);
    expect(coinsOfChild(change, 151n)).toEqual(change);
    expect(coinsOfChild([coin(100n)], 99n)).toEqual([coin(100n)]);
  });
});

describe("fundsOfReplacement", () => {
  it("uses the spend's own coins and free ones, never coins that others have taken since", async () => {
    const coin = (claim: string): Coin => ({
      claim,
      units: 1n,
      addressType: "bech32",
      branch: 0,
      keyIndex: 0,
    });
    const change = { address: "c", addressType: "bech32", keyIndex: 1 };
    const offered: Funds = { kind: "coins", coins: ["own:0", "taken:0"].map(coin), change };
    const spend = {
      ...spendOf([]),
      attempts: [attemptOf("broadcast", { draft: draftOf(["own:0"]) })],
    };
    const coins = {
      spendable: () => Promise.resolve([coin("free:0")]),
      nextChange: () => Promise.resolve(change),
      changeOf: () => Promise.resolve([]),
    };
    const db: Executor = { query: () => Promise.resolve([]) };
    const funds = await fundsOfReplacement({ db, coins }, spend, offered);
    expect(funds).toEqual({ kind: "coins", coins: ["own:0", "free:0"].map(coin), change });
  });
});
