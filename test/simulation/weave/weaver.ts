import { Killed } from "../../support/turn-taking.ts";
import type { ReadLockWaits } from "./lock-waits.ts";
import type { Schedule } from "./schedule.ts";

/*
 * Programs that run at the same time on one PostgreSQL, each on connections of its own. A program pauses before every statement, before
 * `begin` and before `commit`; one of them continues at a time, and the schedule decides which. A program whose statement waits for
 * a lock stays in that statement, and others continue, until the lock is free. So a schedule is the whole interleaving.
 */

/** A program's connection: that of one transaction, or the one of its single statements. Its operations run one after the other. */
export type Lane = {
  readonly program: string;
  /** The backend of a transaction, from its beginning to its end; null for single statements. */
  pid: number | null;
  readonly waiting: Operation[];
  /** The operation that was sent and is not answered. */
  underway: string | null;
  /** A transaction whose statement or work failed rolls back before it does anything else. */
  isUnwinding: boolean;
  /** The server that performs the operation underway; null if the program performs it itself. */
  server: string | null;
};

type Operation = { readonly what: string; readonly order: number; readonly go: () => void };

type Program = {
  readonly name: string;
  readonly lanes: Set<Lane>;
  isRunning: boolean;
  /** Operations so far. */
  count: number;
  /** It only does what others ask of it. */
  readonly isServer: boolean;
};

/** One operation of a program, in the order of the whole history. */
export type Step = {
  readonly program: string;
  readonly what: string;
  /** Whether it waited for a lock that another program held. */
  hasWaited: boolean;
  /** Its error, in short; null if it succeeded or is underway. */
  failure: string | null;
};

export type Weaver = {
  readonly steps: readonly Step[];
  /** Starts a program, up to its first operation. `main`'s error ends the whole history. */
  readonly start: (name: string, main: () => Promise<void>) => void;
  readonly openLane: (program: string) => Lane;
  readonly closeLane: (lane: Lane) => void;
  /** Waits for the program's turn, then runs `work`. */
  readonly pass: <Result>(lane: Lane, what: string, work: () => Promise<Result>) => Promise<Result>;
  /** Waits for the program's turn; the operation ends when its lane does (`commit`). */
  readonly passToEnd: (lane: Lane, what: string) => Promise<void>;
  /** The program does something outside the database when its turn comes. */
  readonly outside: <Result>(
    program: string,
    what: string,
    work: () => Promise<Result>,
  ) => Promise<Result>;
  /** Adds a program that has no work of its own. */
  readonly serve: (name: string) => void;
  /** The same as `outside`, but the operation consists of turns of a server: others can continue between them. */
  readonly ask: <Result>(
    program: string,
    server: string,
    what: string,
    work: () => Promise<Result>,
  ) => Promise<Result>;
  readonly noteUnwinding: (lane: Lane) => void;
  /** A lane's transaction is tried again. */
  readonly noteRestart: (lane: Lane) => void;
  /** Lets the programs run until all have ended. Rejects with the first error of one of them. */
  readonly run: (schedule: Schedule) => Promise<void>;
};

/** More than this many operations are no history but a loop. */
const stepsMax = 20_000;
/** A program that neither asks for a turn nor waits for a lock for this long waits for something that never comes. */
const stuckAfterMs = 60_000;

export function createWeaver(readLockWaits: ReadLockWaits): Weaver {
  const programs = new Map<string, Program>();
  const steps: Step[] = [];
  const running = new Map<Lane, Step>();
  let orders = 0;
  let failure: { readonly error: Error } | null = null;
  let wake: (() => void) | null = null;
  let isReleased = false;

  const changed = (): void => {
    wake?.();
    wake = null;
  };
  const programOf = (name: string): Program => {
    const known = programs.get(name);
    if (known === undefined) throw new Error(`no program ${name}`);
    return known;
  };
  const enqueue = (lane: Lane, what: string, go: () => void): void => {
    orders += 1;
    lane.waiting.push({ what, order: orders, go });
    changed();
  };
  const land = (lane: Lane, error: unknown = null): void => {
    const step = running.get(lane);
    if (step !== undefined && error !== null) step.failure = shortOf(error);
    running.delete(lane);
    lane.underway = null;
    lane.server = null;
    // A single statement commits by itself.
    if (lane.pid === null) isReleased = true;
    changed();
  };

  const pass: Weaver["pass"] = (lane, what, work) =>
    new Promise((resolve, reject) => {
      if (failure !== null && lane.pid === null) {
        reject(new Killed(lane.program));
        return;
      }
      enqueue(lane, what, () => {
        work().then(
          (result) => {
            land(lane);
            resolve(result);
          },
          (error: unknown) => {
            if (lane.pid !== null) lane.isUnwinding = true;
            land(lane, error);
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      });
    });

  /** Resolves once every program has ended, asks for a turn, or waits for a lock of one that does. */
  async function settle(): Promise<void> {
    const since = performance.now();
    for (;;) {
      await turn();
      const open = [...programs.values()].filter(({ isRunning }) => isRunning);
      const lanes = [...programs.values()].flatMap((program) => [...program.lanes]);
      const underway = lanes.filter((lane) => lane.underway !== null && !isServed(lane));
      const isThinking =
        lanes.some(({ isUnwinding }) => isUnwinding) ||
        open.some((program) => nextOf(program) === null && !hasUnderway(program));
      if (!isThinking && underway.length === 0) return;
      if (!isThinking && !isReleased && underway.every(hasWaited)) return;
      const isChanged = await nextChange(isThinking ? 1_000 : 1);
      if (performance.now() - since > stuckAfterMs) throw new Error(describeStuck(lanes));
      if (isChanged || isThinking) continue;
      const isStill = await readLockWaits(underway);
      if (!isStill || underway.some((lane) => lane.underway === null)) continue;
      for (const lane of underway) noteWait(lane);
      isReleased = false;
      return;
    }
  }
  /** Its server waits for a turn, so nothing happens before. */
  const isServed = ({ server }: Lane): boolean =>
    server !== null && nextOf(programOf(server)) !== null;
  const hasWaited = (lane: Lane): boolean => running.get(lane)?.hasWaited === true;
  const noteWait = (lane: Lane): void => {
    const step = running.get(lane);
    if (step !== undefined) step.hasWaited = true;
  };
  const nextChange = (patienceMs: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(false);
      }, patienceMs);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });

  const add = (name: string, isServer: boolean): Program => {
    const program = { name, lanes: new Set<Lane>(), isRunning: !isServer, count: 0, isServer };
    programs.set(name, program);
    return program;
  };
  const alone = async <Result>(
    name: string,
    what: string,
    server: string | null,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const lane = open(programOf(name));
    try {
      return await pass(lane, what, () => {
        lane.server = server;
        return work();
      });
    } finally {
      programOf(name).lanes.delete(lane);
    }
  };

  return {
    steps,
    start: (name, main) => {
      const program = add(name, false);
      const lane = open(program);
      void pass(lane, "start", () => Promise.resolve())
        .then(main)
        .catch((error: unknown) => {
          if (!(error instanceof Killed))
            failure ??= { error: error instanceof Error ? error : new Error(String(error)) };
        })
        .finally(() => {
          program.lanes.delete(lane);
          program.isRunning = false;
          changed();
        });
    },
    openLane: (name) => open(programOf(name)),
    closeLane: (lane) => {
      isReleased = true;
      lane.isUnwinding = false;
      lane.pid = null;
      programOf(lane.program).lanes.delete(lane);
      land(lane);
    },
    pass,
    passToEnd: (lane, what) =>
      new Promise((resolve) => {
        enqueue(lane, what, resolve);
      }),
    outside: (name, what, work) => alone(name, what, null, work),
    serve: (name) => void add(name, true),
    ask: (name, server, what, work) => alone(name, what, server, work),
    noteUnwinding: (lane) => {
      isReleased = true;
      lane.isUnwinding = true;
    },
    noteRestart: (lane) => {
      lane.isUnwinding = false;
      lane.pid = null;
      isReleased = true;
      land(lane);
    },
    run: async (schedule) => {
      let current: string | null = null;
      for (;;) {
        await settle();
        const all = [...programs.values()];
        const ready = all.filter((program) => nextOf(program) !== null);
        if (ready.length === 0) {
          if (failure !== null) throw failure.error;
          if (all.every(({ isRunning }) => !isRunning)) return;
          throw new Error("programs wait for each other in a way that PostgreSQL does not see");
        }
        if (steps.length >= stepsMax) throw new Error("the programs do not come to rest");
        const chosen = schedule.choose(
          all.map((program) => ({
            name: program.name,
            count: program.count,
            isReady: ready.includes(program),
            servedBy: [...program.lanes].find(({ server }) => server !== null)?.server ?? null,
          })),
          current,
        );
        const program = programOf(chosen);
        const lane = nextOf(program);
        const operation = lane?.waiting.shift();
        if (lane === null || operation === undefined) throw new Error(`${chosen} is not ready`);
        const step = { program: chosen, what: operation.what, hasWaited: false, failure: null };
        steps.push(step);
        running.set(lane, step);
        lane.underway = operation.what;
        program.count += 1;
        // The one that asked continues after its server.
        if (!program.isServer) current = chosen;
        operation.go();
      }
    },
  };
}

function open(program: Program): Lane {
  const lane: Lane = {
    program: program.name,
    pid: null,
    waiting: [],
    underway: null,
    isUnwinding: false,
    server: null,
  };
  program.lanes.add(lane);
  return lane;
}

/** The lane of the operation that the program asked for first; null if it asks for none. */
function nextOf({ lanes }: Program): Lane | null {
  const asking = [...lanes].filter(
    ({ underway, waiting }) => underway === null && waiting.length > 0,
  );
  const orderOf = ({ waiting }: Lane): number => waiting[0]?.order ?? 0;
  return asking.toSorted((a, b) => orderOf(a) - orderOf(b))[0] ?? null;
}

function hasUnderway({ lanes }: Program): boolean {
  return [...lanes].some(({ underway }) => underway !== null);
}

function describeStuck(lanes: readonly Lane[]): string {
  const each = lanes.map(
    ({ program, underway, waiting }) => `${program}: ${underway ?? waiting[0]?.what ?? "nothing"}`,
  );
  return `nothing happens although programs run (${each.join("; ")})`;
}

function shortOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : error instanceof Error ? error.message : String(error);
}

/** Everything that follows in memory from the last answer has happened. */
async function turn(): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}
