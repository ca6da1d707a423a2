import { type Profiler, Session } from "node:inspector";

/** Offsets in a script, the end excluded. */
type Range = readonly [start: number, end: number];

/**
 * Reports whether code of the product ran that had not run before, from V8's own counters (inspector,
 * `Profiler.takePreciseCoverage`). Nothing is instrumented: the code under test is the code that ships.
 */
export class Coverage {
  readonly #session = new Session();
  /** The parts of each function that have never run, by script and position. */
  readonly #unreached = new Map<string, readonly Range[]>();
  readonly #folder: string;

  /** `folder`: the URL below which code counts. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  }

  /** How many functions have run. */
  get functions(): number {
    return this.#unreached.size;
  }

  /** Whether anything ran since the last call that never had before. With `keep`, it counts as known from now on. */
  hasGrown(keep: boolean): boolean {
    const { result } = this.#post(
      "Profiler.takePreciseCoverage",
    ) as Profiler.TakePreciseCoverageReturnType;
    let grown = false;
    for (const { url, functions } of result)
      if (url.startsWith(this.#folder))
        for (const { ranges } of functions) if (this.#reaches(url, ranges, keep)) grown = true;
    return grown;
  }

  /** The first range is the function; the others within it are those that ran another number of times. */
  #reaches(url: string, ranges: readonly Profiler.CoverageRange[], keep: boolean): boolean {
    const [whole, ...parts] = ranges;
    if (whole === undefined || whole.count === 0) return false;
    const name = `${url}:${whole.startOffset}:${whole.endOffset}`;
    const known = this.#unreached.get(name);
    const missed = parts
      .filter(({ count }) => count === 0)
      .map(({ startOffset, endOffset }): Range => [startOffset, endOffset]);
    const unreached = known === undefined ? missed : intersect(known, missed);
    const grown = known === undefined || lengthOf(unreached) < lengthOf(known);
    if (grown && keep) this.#unreached.set(name, unreached);
    return grown;
  }

  #post(method: string, parameters?: object): unknown {
    const outcome: { error: Error | null; result: unknown } = {
      error: new Error(`${method} did not answer`),
      result: null,
    };
    this.#session.post(method, parameters, (error: Error | null, result?: unknown) => {
      Object.assign(outcome, { error, result });
    });
    if (outcome.error !== null) throw new Error(`${method}: ${JSON.stringify(outcome.error)}`);
    return outcome.result;
  }
}

function intersect(some: readonly Range[], others: readonly Range[]): readonly Range[] {
  return some.flatMap(([start, end]) =>
    others
      .map(([from, to]): Range => [Math.max(start, from), Math.min(end, to)])
      .filter(([from, to]) => from < to),
  );
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}
