/*
 * Programs that take turns: each thing that one of them awaits (a statement, a transaction, a question to the node or the
 * signer) waits until it is told to go on, one at a time. So a seeded choice of who goes on is the whole history, and a
 * program can be killed before or after any of these things.
 */

export class Killed extends Error {
  override readonly name = "Killed";
}

/** `before`: it never happens. `after`: it happens, and the program does not live to see it. */
export type Move = "go" | "killBefore" | "killAfter";

type Waiting = { readonly go: (move: Move) => Promise<void> };

export type Program = {
  readonly name: string;
  /** Wraps something that the program awaits. */
  readonly turn: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Whether it runs; one that was killed or has come to an end does not. */
  readonly isRunning: () => boolean;
  readonly isDead: () => boolean;
  /** Starts it, up to the first thing that it awaits. */
  readonly start: (main: () => Promise<void>) => Promise<void>;
  /** Lets it do one thing and go on to the next. */
  readonly step: (move: Move) => Promise<void>;
  readonly kill: () => Promise<void>;
};

/** `onFailure` hears what ends the program other than its being killed. */
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
  const turn = <Result>(work: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (isDead) {
        reject(new Killed(name));
        return;
      }
      waiting.push({
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

/** Everything that follows from what was just settled has happened: all else that a program awaits waits for its turn. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
