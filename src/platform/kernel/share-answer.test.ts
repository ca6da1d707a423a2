import { expect, test } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { shareAnswer } from "./share-answer.ts";

test("who asks while an answer is under way, or shortly after, gets that one", async () => {
  const clock = manualClock();
  let asked = 0;
  let release: () => void = () => undefined;
  const share = shareAnswer(
    async () => {
      asked += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return asked;
    },
    clock,
    2,
  );
  const [first, second] = [share(), share()];
  clock.advance(60);
  const third = share();
  release();
  expect(await Promise.all([first, second, third])).toEqual([1, 1, 1]);
  clock.advance(1.9);
  expect(await share()).toBe(1);
  clock.advance(0.2);
  const later = share();
  release();
  expect(await later).toBe(2);
});

test("a failure is told to those who waited for it, and the next one asks anew", async () => {
  const clock = manualClock();
  const outcomes = [() => Promise.reject(new Error("away")), () => Promise.resolve("there")];
  const share = shareAnswer(() => outcomes.shift()?.() ?? Promise.resolve("more"), clock, 60);
  const both = await Promise.allSettled([share(), share()]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await share()).toBe("there");
  expect(await share()).toBe("there");
});
