import { commandOf, type Plan, seedsOf } from "./kinds.ts";
import { type CommandEnd, interruptedCode } from "./run-command.ts";

/** A run that has ended. */
export type SoakRun = Plan & {
  readonly seconds: number;
  /** Seeds that held. */
  readonly held: number;
  readonly failure: SoakFailure | null;
};

export type SoakFailure = {
  /** The command that repeats it. */
  readonly repeat: string;
  readonly reason: string;
};

/** Reads from what a run printed whether it held. Only an interrupted one may have done less than planned. */
export function readRun(plan: Plan, { code, output }: CommandEnd, seconds: number): SoakRun {
  const run = { ...plan, seconds };
  const isChaos = plan.kind === "chaos";
  const played = Number(/^(\d+) histories of /m.exec(output)?.[1] ?? 0);
  if (code === interruptedCode) return { ...run, held: isChaos ? 0 : played, failure: null };
  const seeds = seedsOf(plan);
  const heldAll = isChaos ? /^All held/m.test(output) : played === seeds;
  if (code === 0 && heldAll) return { ...run, held: seeds, failure: null };
  const [, seed, reason] = /\bseed (\d+): (.*)/.exec(output) ?? [];
  if (isChaos || seed === undefined || reason === undefined)
    return {
      ...run,
      held: 0,
      failure: { repeat: repeatOf(plan), reason: describeEnd({ code, output }) },
    };
  const failed = Number(seed);
  const repeat = repeatOf({ ...plan, from: failed, size: 1 });
  return { ...run, held: failed - plan.from, failure: { repeat, reason } };
}

function repeatOf(plan: Plan): string {
  const [script, ...args] = commandOf(plan);
  return `npm run ${script} -- ${args.join(" ")}`;
}

/** The first check that failed with its first fault, else the last line. */
function describeEnd({ code, output }: CommandEnd): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const failed = lines.findIndex((line) => line.startsWith("FAILED"));
  const said = failed === -1 ? lines.slice(-1) : lines.slice(failed, failed + 2);
  const ended = code === null ? "ended by a signal" : `exit code ${code}`;
  return [ended, ...said.map((line) => line.trim())].join("; ");
}
