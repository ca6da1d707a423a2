import pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import { errorMessage } from "../kernel/error-message.ts";
import type { Logger } from "../kernel/logger.ts";
import { readDatabaseHosts } from "./database-hosts.ts";
import { findPrimary } from "./find-primary.ts";

const lookEveryMs = 1_000;

/** What connections are opened with, and which server they go to. */
export type PrimaryFollower = {
  /** Connects to the present primary. */
  readonly Client: typeof pg.Client;
  readonly close: () => void;
};

/**
 * Follows the primary among the servers of a URL with several hosts: asks each second which one accepts writes, and when that is
 * another one, ends the connections to all others. They would fail by themselves only when the operating system gives up, many
 * minutes after a server that was cut off. A connection to a standby fails, because its reads may be old.
 */
export function followPrimary(
  url: string,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): PrimaryFollower {
  const { urls } = readDatabaseHosts(url);
  let [current] = urls;
  const open = new Set<PrimaryClient>();
  const closing = new AbortController();

  class PrimaryClient extends pg.Client {
    readonly url: string;
    #isStandby = false;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: current });
      this.url = current;
      this.connection.on(
        "parameterStatus",
        (message: { parameterName: string; parameterValue: string }) => {
          if (message.parameterName === "in_hot_standby")
            this.#isStandby = message.parameterValue === "on";
        },
      );
      this.once("end", () => open.delete(this));
      open.add(this);
    }

    // The pool passes a callback, everyone else awaits.
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
      const connected = super.connect().then(() => {
        if (!this.#isStandby) return this;
        this.leave();
        throw new Error("Connection terminated: the server is a standby");
      });
      connected.catch(() => open.delete(this));
      if (callback === undefined) return connected;
      connected.then(() => {
        (callback as () => void)();
      }, callback);
    }

    leave(): void {
      open.delete(this);
      this.connection.stream.destroy(new Error("Connection terminated: not the primary any more"));
    }
  }

  const look = async (): Promise<void> => {
    const found = await findPrimary(url);
    if (found === current) return;
    logger.info("another database server is the primary", { server: new URL(found).host });
    current = found;
    for (const client of [...open]) if (client.url !== found) client.leave();
  };
  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look().catch((error: unknown) => {
        logger.debug("no database server accepts writes", { error: errorMessage(error) });
      });
      await clock.sleep(lookEveryMs, closing.signal);
    }
  };
  void follow();
  return {
    Client: PrimaryClient,
    close: () => {
      closing.abort();
    },
  };
}
