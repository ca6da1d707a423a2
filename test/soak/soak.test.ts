import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import type { Plan } from "./kinds.ts";
import { readRun, type SoakRun } from "./read-run.ts";
import { renderReport } from "./render-report.ts";
import { failuresMax, soak } from "./soak.ts";

const value: Plan = { kind: "value", from: 101, size: 50 };
const chaos: Plan = { kind: "chaos", from: 7, size: 2 };

describe("a run", () => {
  it("of histories holds if it played every seed", () => {
    const output =
      "value: seed 150, 9.0 s\n50 histories of value from seed 101 succeeded in 9.0 s\n";
    expect(readRun(value, { code: 0, output }, 9)).toMatchObject({ held: 50, failure: null });
  });

  it("of histories fails if it played fewer seeds than planned, whatever its exit code", () => {
    const output = "49 histories of value from seed 101 succeeded in 9.0 s\n";
    expect(readRun(value, { code: 0, output }, 9)).toMatchObject({
      held: 0,
      failure: { repeat: "npm run simulate -- --of value --seeds 50 --from 101" },
    });
  });

  it("of histories fails at a seed, which is repeated alone", () => {
    const output = "Error: seed 117: the books differ by 5\n    at playAll\n";
    expect(readRun(value, { code: 1, output }, 4).failure).toEqual({
      repeat: "npm run simulate -- --of value --seeds 1 --from 117",
      reason: "the books differ by 5",
    });
    expect(readRun(value, { code: 1, output }, 4).held).toBe(16);
  });

  it("of histories that could not begin fails as a whole", () => {
    const output = "Error: the database did not start\n";
    expect(readRun(value, { code: null, output }, 1).failure).toEqual({
      repeat: "npm run simulate -- --of value --seeds 50 --from 101",
      reason: "ended by a signal; Error: the database did not start",
    });
  });

  it("of chaos holds if everything held", () => {
    const output = "Chaos with seed 7: 2 rounds\nok     all is paid (9)\nAll held, in 90 s\n";
    expect(readRun(chaos, { code: 0, output }, 90)).toMatchObject({ held: 1, failure: null });
    expect(readRun(chaos, { code: 0, output: "" }, 90).failure).not.toBeNull();
  });

  it("of chaos fails with the first check that failed, and its first fault", () => {
    const output =
      "ok     one (9)\nFAILED paid once (3)\n         payout 5 twice\n         payout 6 twice\n1 faults\n";
    expect(readRun(chaos, { code: 1, output }, 90).failure).toEqual({
      repeat: "npm run chaos -- --rounds 2 --seed 7",
      reason: "exit code 1; FAILED paid once (3); payout 5 twice",
    });
  });

  it("that is interrupted counts what it did, and is no failure", () => {
    const output = "12 histories of value from seed 101 succeeded in 3.0 s\n";
    expect(readRun(value, { code: 130, output }, 3)).toMatchObject({ held: 12, failure: null });
    expect(readRun(chaos, { code: 130, output: "Stopped\n" }, 3)).toMatchObject({
      held: 0,
      failure: null,
    });
  });
});

describe("a soak", () => {
  it("takes turns with increasing seeds until the time is up, with chaos beside them", async () => {
    const { plans } = await play({ hours: 0.01 }, () => null);
    expect(plans.filter(({ kind }) => kind !== "chaos")).toEqual([
      { kind: "payouts", from: 5, size: 10 },
      { kind: "value", from: 5, size: 10 },
      { kind: "payouts", from: 15, size: 10 },
      { kind: "value", from: 15, size: 10 },
    ]);
    const ofChaos = plans.filter(({ kind }) => kind === "chaos");
    expect(ofChaos.slice(0, 2)).toEqual([
      { kind: "chaos", from: 5, size: 2 },
      { kind: "chaos", from: 6, size: 2 },
    ]);
  });

  it("begins nothing more once it is interrupted", async () => {
    const stop = new AbortController();
    const { plans } = await play({ hours: 1, kinds: ["value"], signal: stop.signal }, (played) => {
      if (played === 3) stop.abort();
      return null;
    });
    expect(plans).toHaveLength(3);
  });

  it("gives up a kind that fails again and again, and goes on with the others", async () => {
    const failure = { repeat: "npm run simulate", reason: "wrong" };
    const { plans } = await play({ hours: 1, kinds: ["payouts", "value"] }, (_, plan) =>
      plan.kind === "value" ? failure : null,
    );
    expect(plans.filter(({ kind }) => kind === "value")).toHaveLength(failuresMax);
    expect(plans.filter(({ kind }) => kind === "payouts").length).toBeGreaterThan(failuresMax);
  });

  /** Each run takes ten seconds of a clock that stops otherwise. */
  async function play(
    options: Partial<Parameters<typeof soak>[0]> & { readonly signal?: AbortSignal },
    judge: (played: number, plan: Plan) => SoakRun["failure"],
  ): Promise<{ readonly plans: readonly Plan[] }> {
    let now = 0;
    const plans: Plan[] = [];
    const { signal = new AbortController().signal, ...others } = options;
    await soak(
      {
        hours: 1,
        kinds: ["payouts", "value", "chaos"],
        from: 5,
        histories: 10,
        rounds: 2,
        ...others,
      },
      {
        clock: { now: () => now as Instant },
        signal,
        play: (plan) => {
          plans.push(plan);
          if (plan.kind !== "chaos") now += 10_000_000;
          return Promise.resolve({
            ...plan,
            seconds: 10,
            held: 10,
            failure: judge(plans.length, plan),
          });
        },
      },
    );
    return { plans };
  }
});

describe("the report", () => {
  it("counts runs, seeds and failures of each kind, and says how to repeat a failure", () => {
    const failure = {
      repeat: "npm run simulate -- --of value --seeds 1 --from 163",
      reason: "lost",
    };
    const report = renderReport({
      startedAt: "2026-11-27T10:00:00",
      machine: "2 cores",
      hours: 0.05,
      seconds: 186,
      state: "finished",
      runs: [
        { ...value, seconds: 60, held: 50, failure: null },
        { ...chaos, seconds: 120, held: 1, failure: null },
        { ...value, from: 151, seconds: 30, held: 12, failure },
      ],
    });
    expect(report).toContain("finished, after 3.1 of 3.0 minutes, on 2 cores.\n1 run failed.");
    expect(report).toContain("| value | 2 | 101 to 163 | 62 | 1 | 1.5 | 41.3 |");
    expect(report).toContain("| chaos | 1 | 7 | 1 | 0 | 2.0 | 0.5 |");
    expect(report).not.toContain("| payouts");
    expect(report).toContain(`- value: ${failure.reason}\n\n      ${failure.repeat}\n`);
  });
});

describe("the command", () => {
  it("plays real histories until it is interrupted, and reports them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-soak-"));
    const args = ["--hours", "1", "--only", "value", "--histories", "3", "--from", "11"];
    const main = join(import.meta.dirname, "main.ts");
    const child = spawn(process.execPath, [main, ...args, "--report", folder]);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        // Once: a second interrupt, while the command exits, would end it by the signal.
        if (!child.killed && output.includes("value from seed 14 begins")) child.kill("SIGINT");
      });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code, output).toBe(130);
    const { state, runs } = JSON.parse(await readFile(join(folder, "report.json"), "utf8")) as {
      readonly state: string;
      readonly runs: readonly SoakRun[];
    };
    expect(state).toBe("interrupted");
    expect(runs[0]).toMatchObject({ kind: "value", from: 11, size: 3, held: 3, failure: null });
    expect(runs[1]).toMatchObject({ kind: "value", from: 14, size: 3, failure: null });
    expect(await readFile(join(folder, "report.md"), "utf8")).toContain("Nothing failed.");
    await rm(folder, { recursive: true, force: true });
  });

  it("refuses a time that is no number of hours", async () => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, "main.ts"),
      "--hours",
      "soon",
    ]);
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(1);
  });
});
