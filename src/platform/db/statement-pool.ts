import { assert } from "../kernel/assert.ts";
import { addSeconds, type Clock, type Instant, secondsBetween } from "../kernel/clock.ts";
import { Unavailable } from "../kernel/unavailable.ts";
import { isLockTimeout, isUnprepared } from "./classify-error.ts";
import type { SqlValue, Statement } from "./database.ts";
import { openInTime, SilentServer } from "./open-in-time.ts";
import type { PipelinedConnection } from "./pipelined-connection.ts";

/** A connection is blocked when PostgreSQL has worked on one statement for this long. */
const blockedAfterSeconds = 0.25;
/** How many connections one statement may block, and how many once half of all connections are blocked. */
const blockedByOneName = { usually: 2, underPressure: 1 } as const;
/** How often a statement is sent that was not prepared as the driver believed. */
const triesMax = 4;

export type StatementPoolOptions = {
  /** Opens a connection; calls `onUnusable` when it must not get further statements. */
  readonly open: (onUnusable: () => void) => Promise<PipelinedConnection>;
  readonly clock: Clock;
  /** Connections that share all statements while none of them is blocked. */
  readonly size: number;
  /** Further connections, opened while others are blocked and closed afterwards. */
  readonly extraMax: number;
  /** How long a statement waits here, unsent, because every connection open to it is blocked or no server answers. */
  readonly patienceMs: number;
};

type Call = {
  readonly statement: Statement<unknown>;
  readonly values: readonly SqlValue[] | undefined;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (reason: unknown) => void;
  readonly requestedAt: Instant;
  tries: number;
  /** Connections that it was sent on and that have not answered it. */
  copies: number;
};

type Slot = {
  readonly connection: Promise<PipelinedConnection>;
  readonly isExtra: boolean;
  /** Statements sent and not answered, in the order in which PostgreSQL runs them. */
  readonly unanswered: Set<Call>;
  /** Since when PostgreSQL has worked on the first of them; null while connecting. */
  workingSince: Instant | null;
  /** Set once PostgreSQL works too long on one statement, until every statement sent was answered. */
  isBlocked: boolean;
};

/**
 * A few pipelined connections used in turn. On a pipelined connection a statement that waits for a lock holds up all statements
 * sent behind it. A connection blocked in this way gets no further statements, further connections are opened instead, and reads
 * caught behind the blocked statement are sent again elsewhere. A statement that already blocks two connections waits unsent, and
 * fails as soon as one of those fails because of the lock. So one locked table can neither take all connections nor delay its own
 * callers longer than the lock timeout.
 */
export class StatementPool {
  readonly #options: StatementPoolOptions;
  /** The regular connections first; null if none is open. */
  readonly #slots: (Slot | null)[];
  readonly #waiting = new Set<Call>();
  readonly #stopWatching = new AbortController();
  #next = 0;
  #blockedCount = 0;
  #isWatching = false;
  #isClosed = false;

  constructor(options: StatementPoolOptions) {
    this.#options = options;
    this.#slots = new Array<Slot | null>(options.size + options.extraMax).fill(null);
  }

  /** Runs a statement. Rejects with `Unavailable` if no connection is available, or none that is not blocked. */
  query<Row>(statement: Statement<Row>, values?: readonly SqlValue[]): Promise<readonly Row[]> {
    assert(!this.#isClosed, "the database was closed");
    return new Promise<readonly unknown[]>((resolve, reject) => {
      const requestedAt = this.#options.clock.now();
      const call: Call = { statement, values, resolve, reject, requestedAt, tries: 0, copies: 0 };
      this.#dispatch(call);
      if (!this.#isWatching) void this.#watch();
    }) as Promise<readonly Row[]>;
  }

  /** Resolves once every statement sent has been answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching.abort();
    this.#rejectWaiting(new Unavailable("database", "the connections were closed"), () => true);
    const open = this.#slots.filter((slot) => slot !== null);
    await Promise.allSettled(open.map(async (slot) => (await slot.connection).end()));
  }

  #dispatch(call: Call): void {
    const slot = this.#chooseSlot(call.statement.name);
    if (slot === null) this.#waiting.add(call);
    else void this.#send(slot, call);
  }

  /** A connection that is not blocked; null when there is none, or the statement blocks its share of them. */
  #chooseSlot(name: string): Slot | null {
    const { size } = this.#options;
    if (this.#blockedCount > 0 && this.#isAtLimit(name)) return null;
    for (let tried = 0; tried < size; tried += 1) {
      this.#next = (this.#next + 1) % size;
      const slot = (this.#slots[this.#next] ??= this.#openSlot(this.#next));
      if (!slot.isBlocked) return slot;
    }
    const extra = this.#slots.findIndex(
      (slot, index) => index >= size && slot !== null && !slot.isBlocked,
    );
    const index = extra === -1 ? this.#slots.indexOf(null, size) : extra;
    return index === -1 ? null : (this.#slots[index] ??= this.#openSlot(index));
  }

  #isAtLimit(name: string): boolean {
    const blockedByName = this.#slots.filter(
      (slot) => slot?.isBlocked === true && firstOf(slot)?.statement.name === name,
    ).length;
    const isUnderPressure = this.#blockedCount >= this.#slots.length / 2;
    return blockedByName >= blockedByOneName[isUnderPressure ? "underPressure" : "usually"];
  }

  #openSlot(index: number): Slot {
    const remove = (): void => {
      this.#remove(slot);
    };
    const { open, clock } = this.#options;
    const slot: Slot = {
      connection: openInTime(() => open(remove), clock),
      isExtra: index >= this.#options.size,
      unanswered: new Set(),
      workingSince: null,
      isBlocked: false,
    };
    slot.connection.then(() => {
      slot.workingSince = clock.now();
    }, remove);
    return slot;
  }

  #remove(slot: Slot): void {
    const index = this.#slots.indexOf(slot);
    if (index === -1) return;
    this.#slots[index] = null;
    this.#unblock(slot);
  }

  #unblock(slot: Slot): void {
    if (!slot.isBlocked) return;
    slot.isBlocked = false;
    this.#blockedCount -= 1;
    this.#dispatchWaiting();
  }

  async #send(slot: Slot, call: Call): Promise<void> {
    call.copies += 1;
    if (slot.unanswered.size === 0 && slot.workingSince !== null)
      slot.workingSince = this.#options.clock.now();
    slot.unanswered.add(call);
    try {
      const connection = await slot.connection;
      call.tries += 1;
      const rows = await connection.run(call.statement, call.values);
      this.#noteAnswer(slot, call);
      call.resolve(rows);
    } catch (error) {
      this.#noteAnswer(slot, call);
      this.#fail(call, error);
    }
    if (slot.unanswered.size === 0) this.#unblock(slot);
    else if (slot.isBlocked) this.#dispatchWaiting();
  }

  #noteAnswer(slot: Slot, call: Call): void {
    call.copies -= 1;
    slot.unanswered.delete(call);
    slot.workingSince = this.#options.clock.now();
  }

  /**
   * The driver sends a statement as prepared as soon as the one that prepares it has been sent. If that one fails, for example on
   * a lock, the next ones of its name fail with it before they took effect, and are sent again.
   */
  #fail(call: Call, error: unknown): void {
    if (call.copies > 0) return;
    if (error instanceof SilentServer && this.#mayWait(call)) {
      this.#dispatch(call);
      return;
    }
    if (isUnprepared(error)) {
      if (call.tries < triesMax && !this.#isClosed) this.#dispatch(call);
      else call.reject(new Unavailable("database", error.message, error));
      return;
    }
    call.reject(error);
    if (isLockTimeout(error))
      this.#rejectWaiting(error, ({ statement }) => statement.name === call.statement.name);
  }

  #mayWait({ requestedAt }: Call): boolean {
    const { clock, patienceMs } = this.#options;
    return !this.#isClosed && secondsBetween(requestedAt, clock.now()) * 1000 < patienceMs;
  }

  #dispatchWaiting(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) this.#dispatch(call);
  }

  #rejectWaiting(error: unknown, isMeant: (call: Call) => boolean): void {
    for (const call of [...this.#waiting].filter(isMeant)) {
      this.#waiting.delete(call);
      call.reject(error);
    }
  }

  /** Looks for blocked connections while statements are unanswered. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    const { clock, patienceMs } = this.#options;
    while (!this.#isClosed && this.#hasWork()) {
      await clock.sleep(this.#untilNextLookMs(), this.#stopWatching.signal);
      for (const slot of this.#slots)
        if (slot !== null && this.#hasStalled(slot)) this.#block(slot);
      const deadline = addSeconds(clock.now(), -patienceMs / 1000);
      const busy = new Unavailable("database", "every connection waits for a lock");
      this.#rejectWaiting(busy, ({ requestedAt }) => requestedAt <= deadline);
      if (this.#blockedCount === 0) this.#closeIdleExtras();
    }
    this.#isWatching = false;
  }

  #hasWork(): boolean {
    return (
      this.#waiting.size > 0 ||
      this.#slots.some((slot) => slot !== null && (slot.isExtra || slot.unanswered.size > 0))
    );
  }

  #untilNextLookMs(): number {
    const now = this.#options.clock.now();
    const left = this.#slots
      .filter((slot) => slot !== null && slot.unanswered.size > 0 && !slot.isBlocked)
      .map((slot) => blockedAfterSeconds - secondsBetween(slot?.workingSince ?? now, now));
    return Math.max(1, Math.ceil(Math.min(blockedAfterSeconds, ...left) * 1000));
  }

  #hasStalled(slot: Slot): boolean {
    const { isBlocked, unanswered, workingSince } = slot;
    if (isBlocked || unanswered.size === 0 || workingSince === null) return false;
    return secondsBetween(workingSince, this.#options.clock.now()) >= blockedAfterSeconds;
  }

  /** Statements that only read are harmless to send twice; those of the blocked one's own name would block again. */
  #block(slot: Slot): void {
    slot.isBlocked = true;
    this.#blockedCount += 1;
    const [first, ...behind] = slot.unanswered;
    for (const call of behind) {
      const { statement } = call;
      if (!onlyReads(statement) || statement.name === first?.statement.name || call.copies > 1)
        continue;
      const other = this.#chooseSlot(statement.name);
      if (other !== null) void this.#send(other, call);
    }
  }

  #closeIdleExtras(): void {
    for (const slot of this.#slots) {
      if (slot?.isExtra !== true || slot.unanswered.size > 0) continue;
      this.#remove(slot);
      void slot.connection.then((connection) => connection.end()).catch(() => undefined);
    }
  }
}

function firstOf({ unanswered }: Slot): Call | undefined {
  const [first] = unanswered;
  return first;
}

/** Data-modifying statements begin with another word, or with `with`. */
function onlyReads({ text }: Statement<unknown>): boolean {
  return /^\s*select\b/i.test(text) && !/\bfor (update|share)\b/i.test(text);
}
