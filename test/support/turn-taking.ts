/*
 * Programs that take turns: each awaited operation (a statement, a transaction, a call to the node or the signer) waits until the
 * scheduler lets it continue, one at a time. A seeded order is therefore the whole history, and a program can be killed before or
 * after any operation.
 */

export class Killed extends Error {
  override readonly name = "Killed";
}

/** `before`: the operation never happens. `after`: it happens, and the program dies before seeing it. */
export type Move = "go" | "killBefore" | "killAfter";

type Waiting = { readonly what: string; readonly go: (move: Move) => Promise<void> };

export type Program = {
  readonly name: string;
  /** Wraps an operation that the program awaits; `what` names its kind. */
  readonly turn: <Result>(work: () => Promise<Result>, what?: string) => Promise<Result>;
  /** The kind of its next operation; null if there is none. */
  readonly waitsFor: () => string | null;
  /** Whether it runs; false once it is killed or finished. */
  readonly isRunning: () => boolean;
  readonly isDead: () => boolean;
  /** Starts it, up to its first operation. */
  readonly start: (main: () => Promise<void>) => Promise<void>;
  /** Lets it perform one operation and continue to the next. */
  readonly step: (move: Move) => Promise<void>;
  readonly kill: () => Promise<void>;
};

/** `onFailure` gets the error that ended the program, unless it was killed. */
export function createProgram(name: string, onFailure: (error: unknown) => void): Program {
  const waiting: Waiting[] = [];
  let isDead = false;
  let isRunning = false;

  const die = async (): Promise<void> => {
    isDead = true;
    for (const each of waiting.splice(0)) await each.go("killBefore");
    await settle();
    isRunning = false;
  };
  const turn = <Result>(work: () => Promise<Result>, what = "other"): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (isDead) {
        reject(new Killed(name));
        return;
      }
      waiting.push({
        what,
        go: async (move) => {
          if (move === "killBefore") {
            reject(new Killed(name));
            return;
          }
          try {
            const result = await work();
            if (move === "killAfter") reject(new Killed(name));
            else resolve(result);
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
      });
    });

  return {
    name,
    turn,
    waitsFor: () => waiting[0]?.what ?? null,
    isRunning: () => isRunning,
    isDead: () => isDead,
    start: async (main) => {
      isRunning = true;
      void main()
        .catch((error: unknown) => {
          if (!(error instanceof Killed)) onFailure(error);
        })
        .finally(() => {
          isRunning = false;
        });
      await settle();
    },
    step: async (move) => {
      const next = waiting.shift();
      if (next === undefined) throw new Error(`${name} waits for something that is no turn`);
      if (move !== "go") isDead = true;
      await next.go(move);
      await settle();
      if (move !== "go") await die();
    },
    kill: die,
  };
}

/** Resolves when everything that follows from the last operation has happened: all programs wait for their turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
