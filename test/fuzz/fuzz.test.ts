import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { runTarget } from "./engine/run-target.ts";
import { textOf } from "./engine/target.ts";
import { targets } from "./targets/targets.ts";

/* A short run of `npm run fuzz`: the stored inputs of every target and a few thousand new ones. */

const faulty = new URL("faulty-thread.ts", import.meta.url);

describe("the fuzzer", () => {
  it.each([
    ["throws", "TypeError: not a function", 60],
    ["hangs", "did not return within 2 s", 2],
    ["grows", "memory limit", 60],
  ])("finds a parser that %s", async (target, error, hangSeconds) => {
    const job = { target, seed: 1, seconds: 60, inputsMax: 1_000_000 };
    const { finding } = await runTarget(job, { program: faulty, hangSeconds });
    expect(finding?.error).toContain(error);
    expect(textOf(finding!.input)).toMatch(/fee.*=$/s);
  });
});

describe("parsers of foreign bytes", () => {
  it("have names of their own, each the name of its file of stored inputs", () => {
    const names = targets.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]+$/);
  });

  it("return or reject as documented for every stored input and 2,000 new ones", async () => {
    const left = [...targets];
    const findings: string[] = [];
    const work = async (): Promise<void> => {
      for (let target = left.pop(); target !== undefined; target = left.pop()) {
        const job = { target: target.name, seed: 1, seconds: 600, inputsMax: 2_000 };
        const { finding, functions } = await runTarget(job, { hangSeconds: 60 });
        if (finding !== null) findings.push(`${target.name}: ${finding.error}`);
        else expect(functions, target.name).toBeGreaterThan(1);
      }
    };
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
    expect(findings).toEqual([]);
  });
});
