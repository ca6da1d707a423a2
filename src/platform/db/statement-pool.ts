import pg from "pg";
import { assert } from "../kernel/assert.ts";
import { atEndOfTurn } from "../kernel/system-turn.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import type { SqlValue, Statement } from "./database.ts";
import { execute } from "./execute.ts";
import { writeGatherer } from "./gather-writes.ts";
import { isUnprepared } from "./judge-error.ts";

/** How often a statement is sent that was not prepared as the driver believed. */
const triesMax = 4;

type Open = {
  readonly client: pg.Client;
  readonly drop: () => void;
  /** To be called before a statement: those of one turn of the event loop leave in one piece at its end. */
  readonly gather: () => void;
};

/** A few pipelined connections, taken in turn; one that breaks is replaced at the next use. */
export class StatementPool {
  readonly #config: pg.ClientConfig;
  readonly #slots: (Promise<Open> | null)[];
  /** The client of each slot, so that one that ends late does not take its successor down. */
  readonly #clients: (pg.Client | null)[];
  #next = 0;
  #closed = false;

  constructor(config: pg.ClientConfig, size: number) {
    this.#config = config;
    this.#slots = new Array<Promise<Open> | null>(size).fill(null);
    this.#clients = new Array<pg.Client | null>(size).fill(null);
  }

  /**
   * The driver sends a statement as prepared as soon as the one that prepares it is on its way. When that one fails, for
   * want of time or of a lock, those behind it fail with it, before anything of them is done: they are sent again.
   */
  async query<Row>(
    statement: Statement<Row>,
    values?: readonly SqlValue[],
  ): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      const { client, drop, gather } = await this.#take();
      gather();
      try {
        return await execute(client, statement, values, drop);
      } catch (error) {
        if (!isUnprepared(error)) throw error;
        if (attempt === triesMax) throw new Unavailable("database", error.message, error);
      }
    }
  }

  #take(): Promise<Open> {
    assert(!this.#closed, "the database was closed");
    this.#next = (this.#next + 1) % this.#slots.length;
    const index = this.#next;
    return (this.#slots[index] ??= this.#open(index));
  }

  async #open(index: number): Promise<Open> {
    const config: pg.ClientConfig & { pipeline: boolean } = { ...this.#config, pipeline: true };
    const client = new pg.Client(config);
    const drop = (): void => {
      if (this.#clients[index] !== client) return;
      this.#clients[index] = null;
      this.#slots[index] = null;
    };
    this.#clients[index] = client;
    client.on("error", drop);
    client.on("end", drop);
    try {
      await client.connect();
      return { client, drop, gather: writeGatherer(client.connection.stream, atEndOfTurn) };
    } catch (error) {
      drop();
      throw new Unavailable("database", "no connection", error);
    }
  }

  /** Resolves once what is under way has been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = this.#slots.filter((slot) => slot !== null);
    await Promise.allSettled(open.map(async (slot) => (await slot).client.end()));
  }
}
