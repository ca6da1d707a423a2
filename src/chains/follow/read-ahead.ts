/** Answers for heights in order, while the next few are already being fetched. */
export type ReadAhead<Answer> = {
  /** The answer for `height`; prefetches those up to `lastHeight` within the depth. */
  readonly take: (height: number, lastHeight: number) => Promise<Answer>;
  /** Discards prefetched answers and aborts requests under way. */
  readonly drop: () => void;
};

/** Keeps at most `depth` requests under way, which bounds memory; a failed request throws when its turn comes. */
export function createReadAhead<Answer>(
  read: (height: number, signal: AbortSignal) => Promise<Answer>,
  depth: number,
  signal: AbortSignal,
): ReadAhead<Answer> {
  let underWay = new Map<number, Promise<Answer>>();
  let stop = new AbortController();
  let stopped = AbortSignal.any([signal, stop.signal]);

  const drop = (): void => {
    stop.abort();
    stop = new AbortController();
    stopped = AbortSignal.any([signal, stop.signal]);
    underWay = new Map();
  };

  const start = (height: number): Promise<Answer> => {
    const answer = read(height, stopped);
    // Its turn may never come; then a failure must not count as unhandled.
    answer.catch(() => undefined);
    underWay.set(height, answer);
    return answer;
  };

  return {
    take: (height, lastHeight) => {
      if ([...underWay.keys()].some((other) => other < height || other >= height + depth)) drop();
      const answer = underWay.get(height) ?? start(height);
      underWay.delete(height);
      for (let next = height + 1; next <= lastHeight && next < height + depth; next += 1) {
        if (!underWay.has(next)) void start(next);
      }
      return answer;
    },
    drop,
  };
}
