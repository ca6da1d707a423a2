import pg from "pg";
import { Unavailable } from "../kernel/unavailable.ts";

/**
 * SQLSTATEs (and two-character classes) of temporary failures: connection errors, insufficient
 * resources, shutdown or startup, read-only (a standby or demoted primary), statement timeout, lock timeout, and sessions ended for
 * their idleness.
 */
const unavailableStates = [
  "08",
  "53",
  "57P01",
  "57P02",
  "57P03",
  "57P05",
  "57014",
  "25006",
  "25P03",
  "25P04",
  "55P03",
];

/**
 * SQLSTATEs after which a connection must not be used again: connection errors, termination by an operator, and a
 * read-only server, which stays read-only while another one is writable.
 */
const endingStates = ["08", "57P", "25006"];

/** Errors of a statement whose preparation, sent earlier in the pipeline, failed. */
const unpreparedStates = ["26000", "42P05"];

const driverMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * Converts broken connections (errors without SQLSTATE, from the socket or driver, and errors with which the server ends the session,
 * such as its panic when its log cannot be written) and temporary failures of the server to `Unavailable`. Whether a commit in flight took effect is then unknown.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return hasState(error, unavailableStates) || endsConnection(error)
      ? new Unavailable("database", error.message, error)
      : error;
  }
  return isConnectionError(error) ? new Unavailable("database", error.message, error) : error;
}

/** Whether the connection must not be used after this error. */
export function endsConnection(error: unknown): boolean {
  return error instanceof pg.DatabaseError
    ? error.severity === "FATAL" || error.severity === "PANIC" || hasState(error, endingStates)
    : isConnectionError(error);
}

/** Whether the statement did not run because it was not prepared as the driver assumed. */
export function isUnprepared(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && hasState(error, unpreparedStates);
}

/** Whether a statement failed because it waited for a lock longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Unavailable ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === "55P03";
}

function hasState({ code = "" }: pg.DatabaseError, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix));
}

function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code) || driverMessage.test(error.message);
}
