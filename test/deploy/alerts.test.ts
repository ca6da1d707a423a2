/**
 * The alerts for Prometheus, judged by promtool: each fires on its fault, and all stay silent on a recorded hour of normal work
 * (`node scripts/record-metrics.ts`). A machine without promtool is named on standard error.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { findFetchedProgram } from "../support/find-fetched-program.ts";
import { readMetrics } from "../support/read-metrics.ts";
import { type Fault, faults, lulls } from "./alert-faults.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const rulesFile = join(root, "deploy/prometheus/alerts.yaml");
const scratch = mkdtempSync(join(tmpdir(), "sluice-alerts-"));
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: { readonly summary: string; readonly runbook: string };
};
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] };

const text = readFileSync(rulesFile, "utf8");
const rules = (parse(text) as Rules).groups.flatMap((group) => group.rules);

const promtool = findFetchedProgram("promtool");
if (promtool === null)
  process.stderr.write("\nNOT RUN: promtool's verdict on deploy/prometheus, promtool is missing\n");

type Expected = {
  readonly eval_time: string;
  readonly alertname: string;
  readonly exp_alerts: readonly { readonly exp_labels: Readonly<Record<string, string>> }[];
};

/** Runs promtool's test of the rules. Sentences are left out: the labels identify an alert. */
async function judge(
  name: string,
  series: Readonly<Record<string, string>>,
  alerts: readonly Expected[],
): Promise<void> {
  const bare = parse(text) as { groups: { rules: { annotations?: unknown }[] }[] };
  for (const group of bare.groups) for (const rule of group.rules) delete rule.annotations;
  writeFileSync(join(scratch, "rules.yaml"), stringify(bare));
  const file = join(scratch, `${name}.yaml`);
  const input = Object.entries(series).map(([metric, values]) => ({ series: metric, values }));
  writeFileSync(
    file,
    stringify({
      rule_files: ["rules.yaml"],
      tests: [{ interval: "1m", input_series: input, alert_rule_test: alerts }],
    }),
  );
  await run(promtool ?? "", ["test", "rules", file]);
}

const silent = (alertname: string, eval_time: string): Expected => ({
  eval_time,
  alertname,
  exp_alerts: [],
});

describe("the alerts", () => {
  it("name a runbook of the operations guide, and metrics that exist", async () => {
    const headings = readFileSync(join(root, "docs/operations.md"), "utf8").matchAll(/^#+ (.+)$/gm);
    const anchors = new Set(
      [...headings].map(
        ([, title = ""]) =>
          `docs/operations.md#${title
            .toLowerCase()
            .replaceAll(/[^\w -]/g, "")
            .replaceAll(" ", "-")}`,
      ),
    );
    const metrics = await readMetrics();
    for (const { alert, annotations, expr } of rules) {
      expect([alert, anchors.has(annotations?.runbook ?? "")]).toEqual([alert, true]);
      for (const [name] of expr.matchAll(/\bsluice_\w+/g))
        expect([alert, name, metrics.has(name.replace(/_count$/, ""))]).toEqual([
          alert,
          name,
          true,
        ]);
    }
  });

  it("have a fault each in these tests", () => {
    expect(rules.map(({ alert }) => alert).sort()).toEqual(Object.keys(faults).sort());
  });

  if (promtool !== null) {
    it("are accepted by promtool", async () => {
      const { stdout } = await run(promtool, ["check", "rules", rulesFile]);
      expect(stdout).toContain(`${rules.length} rules found`);
    });

    const each = Object.entries(faults).flatMap(([name, some]) =>
      [some].flat().map((fault, index) => [name, index + 1, fault] as const),
    );
    it.each(each)("%s fires on its fault %i, and not before", async (name, _, fault) => {
      const { labels, series, firesAt }: Fault = fault;
      const severity = rules.find(({ alert }) => alert === name)?.labels["severity"] ?? "";
      await judge(name, series, [
        silent(name, "9m"),
        {
          eval_time: firesAt ?? "40m",
          alertname: name,
          exp_alerts: [{ exp_labels: { severity, ...labels } }],
        },
      ]);
    });

    it.each(lulls)("%s stays silent on %s", async (name, _, series) => {
      const times = Array.from({ length: 60 }, (__, index) => `${(index + 1) * 5}m`);
      await judge(
        `${name}-lull`,
        series,
        times.map((time) => silent(name, time)),
      );
    });

    it("are silent during an hour of normal work", async () => {
      const recorded = JSON.parse(
        readFileSync(join(root, "test/recorded/metrics-hour.json"), "utf8"),
      ) as Readonly<Record<string, readonly (number | null)[]>>;
      const series = Object.fromEntries(
        Object.entries(recorded).map(([name, values]) => [
          name.includes("{")
            ? name.replace("{", '{instance="worker-1",')
            : `${name}{instance="worker-1"}`,
          values.map((value) => value ?? "_").join(" "),
        ]),
      );
      expect(Math.max(...Object.values(recorded).map(({ length }) => length))).toBe(61);
      const times = Array.from({ length: 30 }, (_, index) => `${(index + 1) * 2}m`);
      // The recording is older than this metric. A price is as old as the newest answer of its sources, which all had every price.
      const sourceAges = Object.entries(recorded)
        .filter(([name]) => name.startsWith("sluice_rate_source_age_seconds{"))
        .map(([, ages]) => ages);
      expect(sourceAges).toHaveLength(2);
      const priceAges = Array.from({ length: 61 }, (_, minute) =>
        Math.min(...sourceAges.map((ages) => ages[minute] ?? Number.POSITIVE_INFINITY)),
      );
      series['sluice_rate_age_seconds{instance="worker-1",symbol="ETH"}'] = priceAges.join(" ");
      await judge(
        "normal",
        series,
        rules.flatMap(({ alert }) => times.map((time) => silent(alert, time))),
      );
    });
  }
});
