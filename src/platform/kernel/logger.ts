/** Structured log lines. Fields carry ids, counts and names, never secrets, personal data or bodies. */
export type Logger = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  /** A logger that adds these fields to every line. */
  readonly with: (fields: LogFields) => Logger;
};

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLogger,
};
