import type { Seeded } from "../../support/seeded.ts";
import type { Step } from "./weaver.ts";

/** Before its operation of that number (from 0), the program that would go on gives way to another one. */
export type Switch = { readonly program: string; readonly at: number; readonly to: string };

export type Candidate = {
  readonly name: string;
  readonly count: number;
  readonly isReady: boolean;
  /** The server whose turns it waits for; null if it waits for none. */
  readonly servedBy: string | null;
};

export type Schedule = {
  /** The program that continues; one of those that are ready. */
  readonly choose: (candidates: readonly Candidate[], current: string | null) => string;
};

/**
 * Who goes on without a switch: the current program and the server that it asks as long as they can, then the next one in the order of
 * their start. So a history without switches runs one program after the other, and each switch is one deviation from that.
 */
function usual(candidates: readonly Candidate[], current: string | null): Candidate {
  const at = Math.max(
    0,
    candidates.findIndex(({ name }) => name === current),
  );
  const server = candidates.find(({ name }) => name === candidates[at]?.servedBy);
  const inTurn = [...candidates.slice(at), ...candidates.slice(0, at)];
  const next = [...(server === undefined ? [] : [server]), ...inTurn].find(
    ({ isReady }) => isReady,
  );
  if (next === undefined) throw new Error("no program is ready");
  return next;
}

/** Switches at random, with a probability of its own for each history; records the switches. */
export function randomSchedule(
  seeded: Seeded,
): Schedule & { readonly switches: readonly Switch[] } {
  const switches: Switch[] = [];
  const probability = seeded.oneOf([0.04, 0.1, 0.25, 0.5]) ?? 0.1;
  return {
    switches,
    choose: (candidates, current) => {
      const next = usual(candidates, current);
      if (!seeded.chance(probability)) return next.name;
      const other = seeded.oneOf(candidates.filter((each) => each.isReady && each !== next));
      if (other === null) return next.name;
      switches.push({ program: next.name, at: next.count, to: other.name });
      return other.name;
    },
  };
}

/** Makes exactly these switches, each once; one to a program that is not ready is left out. */
export function fixedSchedule(switches: readonly Switch[]): Schedule {
  const left = [...switches];
  return {
    choose: (candidates, current) => {
      const next = usual(candidates, current);
      const place = left.findIndex(
        ({ program, at, to }) =>
          program === next.name &&
          at === next.count &&
          candidates.some(({ name, isReady }) => name === to && isReady),
      );
      return left.splice(place, place === -1 ? 0 : 1)[0]?.to ?? next.name;
    },
  };
}

/** The operations in their order, one line for each stretch in which one program went on. */
export function describeSteps(steps: readonly Step[]): string {
  const lines: string[] = [];
  let last: string | null = null;
  for (const { program, what, hasWaited, failure } of steps) {
    if (what === "start") continue;
    const text = `${what}${hasWaited ? " (waits)" : ""}${failure === null ? "" : ` (${failure})`}`;
    if (program === last) lines.push(`${lines.pop() ?? ""}, ${text}`);
    else lines.push(`${program}: ${text}`);
    last = program;
  }
  return lines.join("\n");
}
