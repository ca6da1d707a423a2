/** After how long without traffic each side asks whether the other one is still there. */
export const keepAliveMs = 10_000;

/**
 * Settings of a session beside the timeouts that the driver knows. PostgreSQL ends the session of a client that does not answer within half a
 * minute; by default that takes hours, and the locks of its transaction stay.
 */
export function sessionOptions(idleInTransactionMs: number): string {
  return [
    "-c timezone=UTC",
    `-c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
    `-c tcp_keepalives_idle=${keepAliveMs / 1_000}`,
    "-c tcp_keepalives_interval=5",
    "-c tcp_keepalives_count=4",
    "-c tcp_user_timeout=30000",
  ].join(" ");
}
