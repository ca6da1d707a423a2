import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import pino from "pino";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { LogFields, Logger } from "../../platform/kernel/logger.ts";
import { atEndOfTurn } from "../../platform/kernel/system-turn.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export type LogOptions = {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** A descriptor (2 is stderr) or a file to append to. A created file or folder is readable by its user only. */
  readonly destination: number | string;
};

/** Field names whose values are never logged, also inside longer names: `refreshToken`, `db_password`. */
const secretName =
  /pass(?:word|phrase)|secret|token|authorization|cookie|mnemonic|entropy|private_?key|api_?key|signing_?key|idempotency_?key|^(?:seed|words|access|refresh|login|body|headers)$/i;

/** Credentials inside texts: in URLs and Authorization headers. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][\w+.-]*:\/\/)[^\s/@]*@/gi, "$1[redacted]@"],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [redacted]"],
  [/\bwhsec_[\w+/=-]+/g, "[redacted]"],
  [/\b[xtyzuv]prv[1-9A-HJ-NP-Za-km-z]{50,}/g, "[redacted]"],
];

/** What each of those patterns starts with. Most texts contain none of it and need one pass instead of four. */
const maybeSecretText = /:\/\/|bearer|basic|whsec_|prv/i;

const redacted = "[redacted]";
const depthMax = 6;
/** Most characters to buffer. */
const heldMax = 64 * 1024;

/**
 * A logger that writes one JSON object per line: time (UTC), level, message, fields. Secrets are removed twice: by field name at
 * any depth, and by pattern inside any text (ASVS 16.2.5). JSON escapes line breaks, so no field can forge a line (ASVS 16.4.1).
 * The lines of one event-loop turn are written together at its end, because a busy api answers dozens of requests per turn; a
 * warning, an error and the process's exit write at once.
 */
export function createLogger(options: LogOptions): Logger {
  const destination = pino.destination({ ...targetOf(options.destination), sync: true });
  const lines = gatherLines((text) => destination.write(text));
  const log = pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${formatTimestamp(options.clock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
  return wrap(log, {}, lines.flush);
}

/** Buffers lines until `flush`, the end of the turn or the process's exit. */
function gatherLines(write: (text: string) => unknown): {
  readonly write: (line: string) => void;
  readonly flush: () => void;
} {
  let held = "";
  const flush = (): void => {
    if (held === "") return;
    process.off("exit", flush);
    const text = held;
    held = "";
    write(text);
  };
  return {
    flush,
    write: (line) => {
      if (held === "") {
        process.once("exit", flush);
        atEndOfTurn(flush);
      }
      held += line;
      if (held.length > heldMax) flush();
    },
  };
}

function targetOf(destination: number | string) {
  if (typeof destination === "number") return { fd: destination };
  mkdirSync(dirname(destination), { recursive: true, mode: 0o700 });
  return { dest: destination, append: true, mode: 0o600 };
}

function wrap(log: pino.Logger, constant: LogFields, flush: () => void): Logger {
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (!log.isLevelEnabled(level)) return;
      log[level](scrubMembers({ ...constant, ...fields }, 0), scrubText(message));
      if (level === "warn" || level === "error") flush();
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    with: (fields) => wrap(log, { ...constant, ...fields }, flush),
  };
}

/** A copy that is safe to write: without secrets and functions, and of limited depth. */
function scrub(value: unknown, depth: number): unknown {
  if (typeof value === "string") return scrubText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= depthMax) return "[too deep]";
  if (value instanceof Error) return scrubError(value, depth);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  return scrubMembers(value as LogFields, depth);
}

function scrubMembers(members: LogFields, depth: number): object {
  return Object.fromEntries(
    Object.entries(members).map(([name, inner]) => [
      name,
      secretName.test(name) ? redacted : scrub(inner, depth + 1),
    ]),
  );
}

function scrubError(error: Error, depth: number): object {
  return {
    type: error.name,
    message: scrubText(error.message),
    stack: scrubText(error.stack ?? ""),
    ...(error.cause === undefined ? {} : { cause: scrub(error.cause, depth + 1) }),
  };
}

function scrubText(text: string): string {
  if (!maybeSecretText.test(text)) return text;
  return secretTexts.reduce(
    (scrubbed, [pattern, replacement]) => scrubbed.replace(pattern, replacement),
    text,
  );
}
