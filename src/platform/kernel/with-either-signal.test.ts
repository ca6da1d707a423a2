import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { withEitherSignal } from "./with-either-signal.ts";

/** Never answers, and rejects when aborted. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse);
  });
}

describe("withEitherSignal", () => {
  it.each([0, 1])("aborts with the reason of signal %s of the two", async (which) => {
    const controllers = [new AbortController(), new AbortController()] as const;
    const [one, other] = controllers;
    const answer = withEitherSignal(one.signal, other.signal, silence);
    const reason = new Error("enough");
    const refusal = expect(answer).rejects.toBe(reason);
    controllers[which]?.abort(reason);
    await refusal;
  });

  it.each([0, 1])("is aborted at once if signal %s already is", async (which) => {
    const reason = new Error("enough");
    const signals = [new AbortController().signal, new AbortController().signal] as const;
    const [one, other] = signals.with(which, AbortSignal.abort(reason)) as [
      AbortSignal,
      AbortSignal,
    ];
    await expect(withEitherSignal(one, other, silence)).rejects.toBe(reason);
  });

  it("leaves nothing on the signals, whatever the call ends with", async () => {
    const one = new AbortController().signal;
    const other = new AbortController().signal;
    expect(await withEitherSignal(one, other, () => Promise.resolve("fine"))).toBe("fine");
    const fault = new Error("broken");
    await expect(withEitherSignal(one, other, () => Promise.reject(fault))).rejects.toBe(fault);
    expect([one, other].flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
  });
});
