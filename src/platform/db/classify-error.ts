import pg from "pg";
import { Unavailable } from "../kernel/unavailable.ts";

/**
 * SQLSTATEs (and classes of two characters) by which PostgreSQL says that it cannot serve now: connection trouble, no
 * resources, shutting down or starting up, read-only (a standby, or a primary that was demoted), a statement that ran out of time
 * or waited too long for a lock.
 */
const unavailableStates = ["08", "53", "57P01", "57P02", "57P03", "57014", "25006", "55P03"];

/**
 * SQLSTATEs after which a connection is of no more use: connection trouble, operator intervention against a session, and a server that
 * became read-only, which stays so while another one is writable.
 */
const endingStates = ["08", "57P", "25006"];

/** What the driver answers when it binds a statement that another one behind it in the pipeline was to prepare. */
const unpreparedStates = ["26000", "42P05"];

const driverMessage =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * A connection that breaks (an error without a SQLSTATE, from the socket or the driver) and a server that cannot serve
 * are the database being away. Whether a commit that was under way then took effect is unknown.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return hasState(error, unavailableStates)
      ? new Unavailable("database", error.message, error)
      : error;
  }
  return isConnectionError(error) ? new Unavailable("database", error.message, error) : error;
}

/** Whether the connection that answered this is of no more use, be it closed by now or about to be. */
export function endsConnection(error: unknown): boolean {
  return error instanceof pg.DatabaseError
    ? error.severity === "FATAL" || error.severity === "PANIC" || hasState(error, endingStates)
    : isConnectionError(error);
}

/** Whether nothing was done because the statement was not prepared as the driver believed. */
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
