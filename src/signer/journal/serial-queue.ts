/** Runs asynchronous work one piece after the other, in call order. */
export type SerialQueue = {
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Resolves when everything queued so far is done, successfully or not. */
  readonly idle: () => Promise<void>;
};

/** Creates a queue. Failed work does not prevent the next piece from running. */
export function createSerialQueue(): SerialQueue {
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
