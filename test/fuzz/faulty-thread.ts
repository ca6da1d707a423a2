import { fuzzInThread } from "./engine/fuzz-in-thread.ts";
import { type Target, textOf } from "./engine/target.ts";

/* Parsers with a defect behind two conditions, so that only a fuzzer which keeps what reaches new code finds it. */

function behindTwoConditions(name: string, fail: () => void): Target {
  return {
    name,
    form: "text",
    seeds: () => ["amount=1"],
    words: ["fee", "="],
    run: (input) => {
      const text = textOf(input);
      if (text.includes("fee") && text.endsWith("=")) fail();
    },
  };
}

await fuzzInThread([
  behindTwoConditions("throws", () => {
    throw new TypeError("not a function");
  }),
  behindTwoConditions("hangs", () => {
    for (;;);
  }),
  behindTwoConditions("grows", () => {
    const all: string[][] = [];
    for (;;) all.push(Array.from({ length: 100_000 }, () => "x"));
  }),
]);
