import { type SoakKind, soakKinds } from "./kinds.ts";
import type { SoakRun } from "./read-run.ts";

export type SoakReport = {
  readonly startedAt: string;
  readonly machine: string;
  readonly hours: number;
  readonly seconds: number;
  readonly state: "running" | "finished" | "interrupted";
  readonly runs: readonly SoakRun[];
};

/** The report as Markdown: a row for each kind, then each failure with the command that repeats it. */
export function renderReport(report: SoakReport): string {
  const failed = report.runs.filter(({ failure }) => failure !== null);
  return [
    `# Soak of ${report.startedAt}`,
    "",
    `${report.state}, after ${minutes(report.seconds)} of ${minutes(report.hours * 3_600)} minutes, on ${report.machine}.`,
    failed.length === 0
      ? "Nothing failed."
      : `${failed.length} ${failed.length === 1 ? "run" : "runs"} failed.`,
    "",
    "| Kind | Runs | Seeds | Seeds that held | Failures | Minutes | Seeds per minute |",
    "|---|---|---|---|---|---|---|",
    ...soakKinds.flatMap((kind) => rowsOf(kind, report.runs)),
    "",
    ...failed.flatMap(({ kind, failure }) => [
      `- ${kind}: ${failure?.reason}`,
      "",
      `      ${failure?.repeat}`,
      "",
    ]),
  ].join("\n");
}

function rowsOf(kind: SoakKind, all: readonly SoakRun[]): readonly string[] {
  const runs = all.filter((run) => run.kind === kind);
  if (runs.length === 0) return [];
  const firstSeed = Math.min(...runs.map(({ from }) => from));
  const lastSeed = Math.max(...runs.map(lastPlayed));
  const held = sum(runs.map((run) => run.held));
  const seconds = sum(runs.map((run) => run.seconds));
  const cells = [
    kind,
    runs.length,
    firstSeed === lastSeed ? firstSeed : `${firstSeed} to ${lastSeed}`,
    held,
    runs.filter(({ failure }) => failure !== null).length,
    minutes(seconds),
    seconds === 0 ? "-" : ((held * 60) / seconds).toFixed(1),
  ];
  return [`| ${cells.join(" | ")} |`];
}

/** The last seed that held or failed; the first one if an interrupt came before it. */
function lastPlayed({ from, held, failure }: SoakRun): number {
  return from + Math.max(0, failure === null ? held - 1 : held);
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
