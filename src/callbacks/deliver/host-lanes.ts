import type { ClaimedCallback, LaneDemand } from "./dispatch.store.ts";
import type { HostKey } from "./host-breakers.store.ts";

export type LaneSettings = {
  /** Maximum deliveries in flight to one receiver of one account. */
  readonly perHostMax: number;
  /** Maximum deliveries in flight in this process. */
  readonly inFlightMax: number;
  /** Maximum deliveries in flight of one account. */
  readonly perAccountMax: number;
  /** Maximum of one account to unproven receivers; more only while half of the places for those are free. */
  readonly perAccountUnprovenMax: number;
  /** Callbacks held for a fast receiver; for others only as many as may be in flight. */
  readonly claimAhead: number;
  /** Maximum callbacks held in this process. */
  readonly heldMax: number;
  /** An answer within this time is fast. */
  readonly fastMs: number;
};

export const defaultLaneSettings: LaneSettings = {
  perHostMax: 5,
  inFlightMax: 1024,
  perAccountMax: 512,
  perAccountUnprovenMax: 128,
  claimAhead: 200,
  heldMax: 4_000,
  fastMs: 250,
};

/** Share of `inFlightMax` that all unproven receivers may use together. */
const unprovenShare = 0.75;

/** What all receivers of one account use of the process. */
type Account = {
  inFlight: number;
  inFlightUnproven: number;
  /** Callbacks queued or in flight that were claimed for an unproven receiver. */
  heldUnproven: number;
  /** Lanes that wait because the account has used up its share. */
  readonly parked: { readonly proven: Lane[]; readonly unproven: Lane[] };
};

type Queued = {
  readonly callback: ClaimedCallback;
  readonly isProbe: boolean;
  /** Its receiver was unproven when it was claimed. */
  readonly wasUnproven: boolean;
};

type Lane = HostKey & {
  readonly account: Account;
  readonly queue: Queued[];
  inFlight: number;
  /** Deliveries allowed at once: one at first, one more after each success. 1 means unproven. */
  window: number;
  isFast: boolean;
  /** The last scan or claim left due callbacks in the database. */
  hasMore: boolean;
  /** Is in one of the ready queues. */
  isReady: boolean;
  /** The breaker counts failures that a success must reset. */
  hasFailures: boolean;
};

/** A callback in flight. */
export type LaneItem = {
  readonly callback: ClaimedCallback;
  readonly isProbe: boolean;
  readonly isUnproven: boolean;
  readonly wasUnproven: boolean;
  readonly lane: Lane;
};

/**
 * The claimed callbacks of this process, one lane per receiver. Lanes take turns, so a long backlog delays no other receiver. A lane
 * grows from one delivery at a time to `perHostMax` while its receiver answers 200 and falls back to one otherwise.
 * Unproven receivers together use at most three quarters of `inFlightMax`, so dead ones cannot use up the process. An
 * account, however many receivers it has, leaves half of all places to the others.
 */
export class HostLanes {
  readonly #settings: LaneSettings;
  /** Ordered by last claim, oldest first. */
  readonly #lanes = new Map<string, Lane>();
  readonly #accounts = new Map<string, Account>();
  readonly #ready = { proven: [] as Lane[], unproven: [] as Lane[] };
  /** Queued or in flight. */
  #held = 0;
  #inFlight = 0;
  #inFlightUnproven = 0;
  #isUnprovenTurn = false;

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  /** Sets which receivers have due callbacks, and deletes the empty lanes of all others. */
  refresh(hosts: readonly (HostKey & { readonly consecutiveFailures: number })[]): void {
    for (const lane of this.#lanes.values()) lane.hasMore = false;
    for (const host of hosts) {
      const lane = this.#laneOf(host);
      lane.hasMore = true;
      lane.hasFailures ||= host.consecutiveFailures > 0;
    }
    for (const [key, lane] of this.#lanes) {
      const isEmpty = lane.inFlight === 0 && lane.queue.length === 0;
      if (isEmpty && !lane.hasMore) this.#lanes.delete(key);
    }
    const accounts = new Set([...this.#lanes.values()].map((lane) => lane.accountId));
    for (const id of this.#accounts.keys()) if (!accounts.has(id)) this.#accounts.delete(id);
  }

  /** How many callbacks to claim now for each receiver, at most `limit` in total. */
  demand(limit: number): readonly LaneDemand[] {
    return this.#fit(this.#lanes.values(), limit, (lane) => lane.hasMore);
  }

  /** The same for callbacks that were resent manually to these receivers, whose breakers may be open. */
  demandResent(hosts: readonly HostKey[], limit: number): readonly LaneDemand[] {
    const lanes = hosts.map((host) => this.#laneOf(host));
    return this.#fit(lanes, limit, () => true);
  }

  /** The half-open receivers to probe now: all, unless one account's would fill the process. */
  admit<Host extends HostKey>(hosts: readonly Host[]): readonly Host[] {
    const budget = this.#budget();
    return hosts.filter((host) => budget.takes(this.#accountOf(host.accountId), 1));
  }

  /** Queues the result of a claim for `demanded`. A receiver that returned fewer callbacks has no more for now. */
  accept(demanded: readonly LaneDemand[], callbacks: readonly ClaimedCallback[]): void {
    const counts = new Map<string, number>();
    for (const callback of callbacks) {
      const key = laneKey(callback);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      this.#push(this.#laneOf(callback), callback, false);
    }
    for (const { size, ...host } of demanded) {
      const lane = this.#laneOf(host);
      lane.hasMore = counts.get(laneKey(host)) === size;
      this.#lanes.delete(laneKey(host));
      this.#lanes.set(laneKey(host), lane);
    }
  }

  /** Queues a probe or a manually resent callback. Their receiver's breaker may be open; a success closes it. */
  enqueue(callback: ClaimedCallback, isProbe: boolean): void {
    const lane = this.#laneOf(callback);
    lane.hasFailures = true;
    this.#push(lane, callback, isProbe);
  }

  /** Takes the next callback to send and counts it as in flight; null if none may be sent. */
  takeNext(): LaneItem | null {
    if (this.#inFlight >= this.#settings.inFlightMax) return null;
    const lane = this.#nextLane();
    const next = lane?.queue.shift();
    if (lane === null || next === undefined) return null;
    const isUnproven = lane.window === 1;
    lane.inFlight += 1;
    lane.account.inFlight += 1;
    this.#inFlight += 1;
    this.#inFlightUnproven += Number(isUnproven);
    lane.account.inFlightUnproven += Number(isUnproven);
    this.#makeReady(lane);
    return { ...next, lane, isUnproven };
  }

  /** Ends a callback taken by `takeNext`. `answer` is null if it was not sent. */
  finish(
    item: LaneItem,
    answer: { readonly delivered: boolean; readonly durationMs: number } | null,
  ): void {
    const { lane } = item;
    const { account } = lane;
    lane.inFlight -= 1;
    account.inFlight -= 1;
    this.#inFlight -= 1;
    this.#held -= 1;
    account.heldUnproven -= Number(item.wasUnproven);
    account.inFlightUnproven -= Number(item.isUnproven);
    this.#inFlightUnproven -= Number(item.isUnproven);
    if (answer?.delivered === true) {
      lane.window = Math.min(lane.window + 1, this.#settings.perHostMax);
      lane.isFast = answer.durationMs <= this.#settings.fastMs;
    } else if (answer !== null) {
      lane.window = 1;
      lane.isFast = false;
      lane.hasFailures = true;
    }
    this.#makeReady(lane);
    this.#unpark(account.parked.proven);
    this.#unpark(account.parked.unproven);
  }

  /** Notes that the receiver's breaker is closed and counts no failures. */
  clearFailures(host: HostKey): void {
    const lane = this.#lanes.get(laneKey(host));
    if (lane !== undefined) lane.hasFailures = false;
  }

  /** Removes and returns the queued callbacks of a receiver whose breaker opened, except a probe taken since. */
  drop(host: HostKey): readonly ClaimedCallback[] {
    return this.#takeBack(this.#laneOf(host), ({ isProbe }) => isProbe);
  }

  /** Removes and returns all queued callbacks. */
  dropAll(): readonly ClaimedCallback[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#takeBack(lane, () => false));
  }

  /** Whether a claim would be useful now. */
  hasDemand(): boolean {
    return this.demand(1).length > 0;
  }

  #push(lane: Lane, callback: ClaimedCallback, isProbe: boolean): void {
    const wasUnproven = lane.window === 1;
    lane.queue.push({ callback, isProbe, wasUnproven });
    this.#held += 1;
    if (wasUnproven) lane.account.heldUnproven += 1;
    this.#makeReady(lane);
  }

  #takeBack(lane: Lane, keep: (queued: Queued) => boolean): readonly ClaimedCallback[] {
    lane.hasMore = false;
    const taken = lane.queue.filter((queued) => !keep(queued));
    lane.queue.splice(0, lane.queue.length, ...lane.queue.filter(keep));
    this.#held -= taken.length;
    lane.account.heldUnproven -= taken.filter((queued) => queued.wasUnproven).length;
    return taken.map((queued) => queued.callback);
  }

  /** What these lanes have room for, as far as the process and their accounts may hold it. */
  #fit(
    lanes: Iterable<Lane>,
    limit: number,
    isWanted: (lane: Lane) => boolean,
  ): readonly LaneDemand[] {
    const claims: LaneDemand[] = [];
    let left = Math.min(limit, this.#settings.heldMax - this.#held);
    const budget = this.#budget();
    for (const lane of lanes) {
      if (left <= 0) break;
      const size = isWanted(lane) ? Math.min(this.#roomOf(lane), left) : 0;
      if (size === 0) continue;
      if (lane.window === 1 && !budget.takes(lane.account, size)) {
        // Until the next scan, so it is not considered again at each delivery.
        lane.hasMore = false;
        continue;
      }
      claims.push({ accountId: lane.accountId, host: lane.host, size });
      left -= size;
    }
    return claims;
  }

  #roomOf(lane: Lane): number {
    const target = lane.isFast ? this.#settings.claimAhead : lane.window;
    const held = lane.queue.length + lane.inFlight;
    return held <= target / 2 ? target - held : 0;
  }

  #nextLane(): Lane | null {
    for (;;) {
      const lane = this.#shiftReady();
      if (lane === null) return null;
      lane.isReady = false;
      if (lane.queue.length === 0 || lane.inFlight >= lane.window) continue;
      if (this.#mayUse(lane)) return lane;
      lane.isReady = true;
      const { parked } = lane.account;
      (lane.window === 1 ? parked.unproven : parked.proven).push(lane);
    }
  }

  #shiftReady(): Lane | null {
    const { proven, unproven } = this.#ready;
    const mayTakeUnproven = this.#inFlightUnproven < this.#settings.inFlightMax * unprovenShare;
    this.#isUnprovenTurn = !this.#isUnprovenTurn;
    const takesUnproven = mayTakeUnproven && (this.#isUnprovenTurn || proven.length === 0);
    return (takesUnproven ? unproven.shift() : undefined) ?? proven.shift() ?? null;
  }

  #mayUse({ account, window }: Lane): boolean {
    const { inFlightMax, perAccountMax, perAccountUnprovenMax } = this.#settings;
    if (account.inFlight >= perAccountMax) return false;
    if (window > 1 || account.inFlightUnproven < perAccountUnprovenMax) return true;
    return this.#inFlightUnproven < (inFlightMax * unprovenShare) / 2;
  }

  /** Gives a free place to the first parked lane that still has something to send. */
  #unpark(parked: Lane[]): void {
    for (let lane = parked.shift(); lane !== undefined; lane = parked.shift()) {
      lane.isReady = false;
      if (this.#makeReady(lane)) return;
    }
  }

  /** Queues the lane if it has something to send and is in no queue yet; returns whether it did. */
  #makeReady(lane: Lane): boolean {
    if (lane.isReady || lane.queue.length === 0 || lane.inFlight >= lane.window) return false;
    lane.isReady = true;
    (lane.window === 1 ? this.#ready.unproven : this.#ready.proven).push(lane);
    return true;
  }

  #laneOf(host: HostKey): Lane {
    const known = this.#lanes.get(laneKey(host));
    if (known !== undefined) return known;
    const lane: Lane = {
      accountId: host.accountId,
      host: host.host,
      account: this.#accountOf(host.accountId),
      queue: [],
      inFlight: 0,
      window: 1,
      isFast: false,
      hasMore: false,
      isReady: false,
      hasFailures: false,
    };
    this.#lanes.set(laneKey(host), lane);
    return lane;
  }

  /** Limits what is claimed for unproven receivers: once half of `heldMax` is used, each account has its own share. */
  #budget(): { readonly takes: (account: Account, size: number) => boolean } {
    const { heldMax, perAccountUnprovenMax } = this.#settings;
    const planned = new Map<Account, number>();
    let held = this.#held;
    return {
      takes: (account, size) => {
        const ofAccount = planned.get(account) ?? account.heldUnproven;
        if (held >= heldMax / 2 && ofAccount >= perAccountUnprovenMax) return false;
        planned.set(account, ofAccount + size);
        held += size;
        return true;
      },
    };
  }

  #accountOf(id: string): Account {
    const known = this.#accounts.get(id);
    if (known !== undefined) return known;
    const account: Account = {
      inFlight: 0,
      inFlightUnproven: 0,
      heldUnproven: 0,
      parked: { proven: [], unproven: [] },
    };
    this.#accounts.set(id, account);
    return account;
  }
}

/** A key for a receiver of an account. */
export function laneKey(host: HostKey): string {
  return `${host.accountId} ${host.host}`;
}
