import { expect, it } from "vitest";
import { beginAgain, type PairFolder, type Testimony } from "./begin-again.ts";
import { formatSeenEpoch, parseSeenEpoch } from "./epoch-file.ts";

/* Which of two signers may begin again after the witness lost the record or was restored, and with which epoch. */

const begin = (own: string, said: Partial<Testimony>, folder: Partial<PairFolder> = {}) => {
  const nothing = { other: undefined, isOtherLost: false, isFolderRestored: false };
  const mine = {
    folder: "/signer",
    seen: parseSeenEpoch(own),
    hasToken: own !== "none",
    ...folder,
  };
  const record = { epoch: 50, active: "b", inSync: ["a", "b"], folderToken: "t" };
  return beginAgain("a", mine, record, { ...nothing, ...said });
};
const other = (text: string): Partial<Testimony> => ({ other: parseSeenEpoch(text) });

it.each([
  ["57:a", "57:a", 58],
  ["57:a", "56:b", 58],
  ["57:a", "none", 58],
  ["57:a", "57:?", 58],
  // This one was granted epoch 58, and ended before it knew.
  ["57:a", "58:a", 59],
  ["57:?", "56:b", 58],
  ["40:a", "40:a", 51],
  ["none", "none", 51],
])("a begins again if its folder says %s and the other one %s", (own, theirs, epoch) => {
  const record = { epoch, active: "a", inSync: ["a"], folderToken: null };
  expect(begin(own, other(theirs))).toEqual(record);
});

it.each([
  ["57:a", "58:b", "b was active in epoch 58"],
  ["57:b", "57:b", "b was active in epoch 57"],
  ["57:b", "56:a", "b was active in epoch 57"],
  ["57:?", "57:b", "b was active in epoch 57"],
  ["57:a", "57:b", "b was active in epoch 57"],
  ["57:a", "58:?", "the other signer was active in epoch 58"],
  ["none", "57:b", "b was active in epoch 57"],
])("a does not if its folder says %s and the other one %s", (own, theirs, reason) => {
  expect(() => begin(own, other(theirs))).toThrow(reason);
});

it("does not begin again without a word about the other signer", () => {
  expect(() => begin("57:a", {})).toThrow("repeat with --other-folder");
});

it("begins with an epoch that no lost signer and no worker saw", () => {
  expect(begin("57:b", { isOtherLost: true }).epoch).toBe(1057);
});

it("does not begin with a restored folder unless it is the best there is", () => {
  const restored = { hasToken: false };
  expect(() => begin("57:a", other("57:a"), restored)).toThrow("/signer is a restored copy");
  expect(() => begin("57:a", { isOtherLost: true }, restored)).toThrow("is a restored copy");
  const said = { ...other("57:a"), isFolderRestored: true };
  expect(begin("57:a", said, restored).epoch).toBe(58);
  expect(() => begin("57:a", { ...other("58:b"), isFolderRestored: true }, restored)).toThrow(
    "b was active",
  );
});

it("reads what show prints", () => {
  for (const text of ["57:signer-a", "57:?"]) {
    expect(formatSeenEpoch(parseSeenEpoch(text))).toBe(text);
  }
  expect(formatSeenEpoch(null)).toBe("none");
  for (const text of ["none", "57", "0:a", "57:", "57:a b", "9999999999999999:a"]) {
    expect(parseSeenEpoch(text)).toBeNull();
  }
});
