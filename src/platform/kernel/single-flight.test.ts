import { describe, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { singleFlight } from "./single-flight.ts";

describe("singleFlight", () => {
  it("shares one result among callers during the call and shortly after it", async () => {
    const clock = manualClock();
    let calls = 0;
    let release: () => void = () => undefined;
    const share = singleFlight(
      async () => {
        calls += 1;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return calls;
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

  it("rejects waiting callers with a failure and calls again for the next one", async () => {
    const clock = manualClock();
    const outcomes = [() => Promise.reject(new Error("away")), () => Promise.resolve("there")];
    const share = singleFlight(() => outcomes.shift()?.() ?? Promise.resolve("more"), clock, 60);
    const both = await Promise.allSettled([share(), share()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await share()).toBe("there");
    expect(await share()).toBe("there");
  });

  it("renews an answer ahead of its end without letting callers wait, and never shows it after its end", async () => {
    const clock = manualClock();
    const pending: ((answer: string | Error) => void)[] = [];
    const share = singleFlight(
      () =>
        new Promise<string>((resolve, reject) => {
          pending.push((answer) => {
            if (answer instanceof Error) reject(answer);
            else resolve(answer);
          });
        }),
      clock,
      4,
      2,
    );
    const first = share();
    pending.shift()?.("old");
    expect(await first).toBe("old");
    clock.advance(1.9);
    expect(await share()).toBe("old");
    expect(pending).toHaveLength(0);
    clock.advance(0.2);
    expect(await Promise.all([share(), share()])).toEqual(["old", "old"]);
    expect(pending).toHaveLength(1);
    pending.shift()?.(new Error("away"));
    await Promise.resolve();
    expect(await share()).toBe("old");
    clock.advance(2);
    const next = share();
    pending.pop()?.("new");
    expect(await next).toBe("new");
  });
});
