import { expect, test } from "vitest";
import { attemptOf, draftOf, spendOf } from "../../../test/support/spend-records.ts";
import type { Coin, Funds } from "../../chains/paying-port.ts";
import type { Executor } from "../../platform/db/database.ts";
import { type Instant, instantFromSeconds } from "../../platform/kernel/clock.ts";
import { coinsOfChild, findUnreplaceable } from "./bump-by-child.ts";
import { firstPerSender, fundsOfReplacement, isStuck } from "./replace-spend.ts";
import type { Attempt } from "./spend.ts";
import { defaultSpendSettings } from "./spend-context.ts";

const at = instantFromSeconds;
const settings = { ...defaultSpendSettings, stuckAfterSeconds: 100, refusedAfterSeconds: 20 };
const taken = { firstBroadcastAt: at(0) };
const refused = { refusal: "no", createdAt: at(0) };

test.each<[string, readonly Attempt[], Instant | null, Instant, boolean]>([
  ["waits for a block", [attemptOf("broadcast", taken)], null, at(99), false],
  ["waits too long", [attemptOf("broadcast", taken)], null, at(100), true],
  ["was not its turn until now", [attemptOf("broadcast", taken)], at(50), at(149), false],
  ["waits too long since its turn", [attemptOf("broadcast", taken)], at(50), at(150), true],
  ["was refused all the time", [attemptOf("signed", refused)], null, at(20), true],
  ["was refused a moment ago", [attemptOf("signed", refused)], null, at(19), false],
  ["is not signed", [attemptOf("signing", taken)], null, at(999), false],
  [
    "has a replacement under way",
    [attemptOf("broadcast", taken), attemptOf("drafted", { number: 2 })],
    ...([null, at(999), false] as const),
  ],
  [
    "had a replacement refused by the signer",
    [attemptOf("broadcast", taken), attemptOf("refused", { number: 2, createdAt: at(150) })],
    ...([null, at(249), false] as const),
  ],
  [
    "had one refused long ago",
    [attemptOf("broadcast", taken), attemptOf("refused", { number: 2, createdAt: at(150) })],
    ...([null, at(250), true] as const),
  ],
])("what %s", (_what, attempts, movedAt, now, expected) => {
  expect(isStuck({ ...spendOf([]), attempts }, movedAt, settings, now)).toBe(expected);
});

test("of each account only the lowest nonce is replaced; coins wait for nobody", () => {
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

test("a child pays where the node has the old one and refuses the new one for long", () => {
  const replacement = attemptOf("signed", { number: 2, ...refused });
  const spend = { ...spendOf([]), attempts: [attemptOf("broadcast", taken), replacement] };
  expect(findUnreplaceable(spend, settings, at(20))?.parent.number).toBe(1);
  expect(findUnreplaceable(spend, settings, at(19))).toBeNull();
  const accepted = { ...replacement, firstBroadcastAt: at(1) };
  const replaced = { ...spend, attempts: [attemptOf("broadcast", taken), accepted] };
  expect(findUnreplaceable(replaced, settings, at(99))).toBeNull();
  expect(findUnreplaceable(spendOf(["broadcast"]), settings, at(99))).toBeNull();
});

test("a child takes the largest part of the change, and all of them only where that is too small", () => {
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

test("a replacement is made of its own coins and free ones, never of those that others took since", async () => {
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
