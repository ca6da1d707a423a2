/** On whose behalf code runs, and a signal that aborts when nobody waits for the result any more. */
export type Caller = {
  readonly key: string;
  readonly signal: AbortSignal;
  /** Whether a replica may answer what is read for it. */
  readonly mayLag: boolean;
};

/** Tells code far below a request who made it, without a parameter in every function between. */
export type CallerScope = {
  readonly run: <Result>(caller: Caller, work: () => Result) => Result;
  /** Null for work of the service itself. */
  readonly current: () => Caller | null;
};
