/** Runs asynchronous work one after the other, in the order in which it was asked for. */
export type InTurn = {
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Resolves when all that was asked for so far is done, however it went. */
  readonly idle: () => Promise<void>;
};

/** See `InTurn`: a piece of work that fails does not keep the next one from running. */
export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
    idle: async () => {
      await last;
    },
  };
}
