import type { ClaimedCallback } from "./dispatch.store.ts";
import type { HostKey } from "./host-breakers.store.ts";

export type LaneSettings = {
  /** Deliveries under way to one receiver of one account, at most. */
  readonly perHostMax: number;
  /** Deliveries under way in this process, at most. */
  readonly inFlightMax: number;
  /** Of them of one account, at most. */
  readonly perAccountMax: number;
  /** Of them of one account to receivers in doubt; more only while half of the places for such are free. */
  readonly perAccountInDoubtMax: number;
  /** Callbacks held for a receiver that answers fast; for any other, as many as may be under way. */
  readonly claimAhead: number;
  /** Callbacks held in this process, at most. */
  readonly heldMax: number;
  /** An answer within so many milliseconds is fast. */
  readonly fastMs: number;
};

export const defaultLaneSettings: LaneSettings = {
  perHostMax: 5,
  inFlightMax: 1024,
  perAccountMax: 512,
  perAccountInDoubtMax: 128,
  claimAhead: 200,
  heldMax: 4_000,
  fastMs: 250,
};

/** Of `inFlightMax`, for receivers in doubt together. */
const shareInDoubt = 0.75;

/** What the receivers of one account take of the process together. */
type Account = {
  inFlight: number;
  inFlightInDoubt: number;
  /** Waiting or under way that were claimed for a receiver in doubt. */
  heldInDoubt: number;
  /** Lanes that could send if the account had not reached its share. */
  readonly parked: { readonly proven: Lane[]; readonly inDoubt: Lane[] };
};

type Queued = {
  readonly callback: ClaimedCallback;
  readonly isProbe: boolean;
  /** Its receiver was in doubt when it was claimed. */
  readonly isHeldInDoubt: boolean;
};

type Lane = HostKey & {
  readonly account: Account;
  readonly queue: Queued[];
  inFlight: number;
  /** Deliveries allowed at once: one until the receiver has proved itself, one more for each success. */
  window: number;
  isFast: boolean;
  /** The last look at the database left due callbacks there. */
  hasMore: boolean;
  /** Stands in one of the ready queues. */
  isReady: boolean;
  /** Its breaker counts failures, which a success has to reset. */
  isTroubled: boolean;
};

/** A callback on its way. */
export type LaneItem = {
  readonly callback: ClaimedCallback;
  readonly isProbe: boolean;
  readonly isInDoubt: boolean;
  readonly isHeldInDoubt: boolean;
  readonly lane: Lane;
};

/**
 * The claimed callbacks of this process, one lane per receiver. Lanes take turns, so a long backlog delays nobody; a lane
 * grows from one delivery at a time to `perHostMax` while its receiver answers 200 and falls back to one when it does
 * not. Receivers in doubt together hold at most three quarters of `inFlightMax`: dead ones cannot use up the process. Nor can
 * one account, however many receivers it names: it leaves half of everything to the others.
 */
export class HostLanes {
  readonly #settings: LaneSettings;
  /** The lane whose last claim is longest ago comes first. */
  readonly #lanes = new Map<string, Lane>();
  readonly #accounts = new Map<string, Account>();
  readonly #ready = { proven: [] as Lane[], inDoubt: [] as Lane[] };
  /** Waiting or under way. */
  #held = 0;
  #inFlight = 0;
  #inFlightInDoubt = 0;
  #isTurnOfDoubt = false;

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  /** Takes over which receivers have due callbacks; the empty lanes of all others are forgotten. */
  refresh(hosts: readonly (HostKey & { readonly consecutiveFailures: number })[]): void {
    for (const lane of this.#lanes.values()) lane.hasMore = false;
    for (const host of hosts) {
      const lane = this.#laneOf(host);
      lane.hasMore = true;
      lane.isTroubled ||= host.consecutiveFailures > 0;
    }
    for (const [key, lane] of this.#lanes) {
      const isEmpty = lane.inFlight === 0 && lane.queue.length === 0;
      if (isEmpty && !lane.hasMore) this.#lanes.delete(key);
    }
    const accounts = new Set([...this.#lanes.values()].map((lane) => lane.accountId));
    for (const id of this.#accounts.keys()) if (!accounts.has(id)) this.#accounts.delete(id);
  }

  /** What to claim now, `limit` callbacks in all. */
  demand(limit: number): readonly (HostKey & { readonly size: number })[] {
    const wanted: (HostKey & { readonly size: number })[] = [];
    let left = Math.min(limit, this.#settings.heldMax - this.#held);
    if (left <= 0) return [];
    const budget = this.#budget();
    for (const lane of this.#lanes.values()) {
      const size = Math.min(this.#appetite(lane), left);
      if (size > 0 && lane.window === 1 && !budget.takes(lane.account, size)) {
        // Until the next look: it need not be asked again at each delivery.
        lane.hasMore = false;
        continue;
      }
      if (size > 0) wanted.push({ accountId: lane.accountId, host: lane.host, size });
      left -= size;
      if (left === 0) break;
    }
    return wanted;
  }

  /** Those of the half-open receivers that are to be probed now: all, unless one account's would fill the process. */
  admit<Host extends HostKey>(hosts: readonly Host[]): readonly Host[] {
    const budget = this.#budget();
    return hosts.filter((host) => budget.takes(this.#accountOf(host.accountId), 1));
  }

  /** Queues what a claim of `demanded` brought. A receiver of which less came than demanded has no more for now. */
  accept(
    demanded: readonly (HostKey & { readonly size: number })[],
    callbacks: readonly ClaimedCallback[],
  ): void {
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

  /** Queues a probe or a callback resent by hand: their receiver's breaker may be open, and a success closes it. */
  enqueue(callback: ClaimedCallback, isProbe: boolean): void {
    const lane = this.#laneOf(callback);
    lane.isTroubled = true;
    this.#push(lane, callback, isProbe);
  }

  /** The next callback to send, counted as under way from now; null when none may go out. */
  takeNext(): LaneItem | null {
    if (this.#inFlight >= this.#settings.inFlightMax) return null;
    const lane = this.#nextLane();
    const next = lane?.queue.shift();
    if (lane === null || next === undefined) return null;
    const isInDoubt = lane.window === 1;
    lane.inFlight += 1;
    lane.account.inFlight += 1;
    this.#inFlight += 1;
    this.#inFlightInDoubt += Number(isInDoubt);
    lane.account.inFlightInDoubt += Number(isInDoubt);
    this.#makeReady(lane);
    return { ...next, lane, isInDoubt };
  }

  /** Counts a callback as no longer under way; `answer` null: it was not sent. */
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
    account.heldInDoubt -= Number(item.isHeldInDoubt);
    account.inFlightInDoubt -= Number(item.isInDoubt);
    this.#inFlightInDoubt -= Number(item.isInDoubt);
    if (answer?.delivered === true) {
      lane.window = Math.min(lane.window + 1, this.#settings.perHostMax);
      lane.isFast = answer.durationMs <= this.#settings.fastMs;
    } else if (answer !== null) {
      lane.window = 1;
      lane.isFast = false;
      lane.isTroubled = true;
    }
    this.#makeReady(lane);
    this.#unpark(account.parked.proven);
    this.#unpark(account.parked.inDoubt);
  }

  /** Tells that the receiver's breaker is closed and counts no failures. */
  calm(host: HostKey): void {
    const lane = this.#lanes.get(laneKey(host));
    if (lane !== undefined) lane.isTroubled = false;
  }

  /** Takes back what waits for a receiver whose breaker is open; a probe that was taken since then stays. */
  drop(host: HostKey): readonly ClaimedCallback[] {
    return this.#takeBack(this.#laneOf(host), ({ isProbe }) => isProbe);
  }

  /** Takes back everything that waits. */
  dropAll(): readonly ClaimedCallback[] {
    return [...this.#lanes.values()].flatMap((lane) => this.#takeBack(lane, () => false));
  }

  /** True when a claim would find a lane that wants more. */
  isHungry(): boolean {
    return this.demand(1).length > 0;
  }

  #push(lane: Lane, callback: ClaimedCallback, isProbe: boolean): void {
    const isHeldInDoubt = lane.window === 1;
    lane.queue.push({ callback, isProbe, isHeldInDoubt });
    this.#held += 1;
    if (isHeldInDoubt) lane.account.heldInDoubt += 1;
    this.#makeReady(lane);
  }

  #takeBack(lane: Lane, stays: (queued: Queued) => boolean): readonly ClaimedCallback[] {
    lane.hasMore = false;
    const taken = lane.queue.filter((queued) => !stays(queued));
    lane.queue.splice(0, lane.queue.length, ...lane.queue.filter(stays));
    this.#held -= taken.length;
    lane.account.heldInDoubt -= taken.filter((queued) => queued.isHeldInDoubt).length;
    return taken.map((queued) => queued.callback);
  }

  #appetite(lane: Lane): number {
    if (!lane.hasMore) return 0;
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
      (lane.window === 1 ? parked.inDoubt : parked.proven).push(lane);
    }
  }

  #shiftReady(): Lane | null {
    const { proven, inDoubt } = this.#ready;
    const mayDoubt = this.#inFlightInDoubt < this.#settings.inFlightMax * shareInDoubt;
    this.#isTurnOfDoubt = !this.#isTurnOfDoubt;
    const takesDoubt = mayDoubt && (this.#isTurnOfDoubt || proven.length === 0);
    return (takesDoubt ? inDoubt.shift() : undefined) ?? proven.shift() ?? null;
  }

  #mayUse({ account, window }: Lane): boolean {
    const { inFlightMax, perAccountMax, perAccountInDoubtMax } = this.#settings;
    if (account.inFlight >= perAccountMax) return false;
    if (window > 1 || account.inFlightInDoubt < perAccountInDoubtMax) return true;
    return this.#inFlightInDoubt < (inFlightMax * shareInDoubt) / 2;
  }

  /** For each delivery that ends, one lane may take the free place; those that have nothing to send any more are passed over. */
  #unpark(parked: Lane[]): void {
    for (let lane = parked.shift(); lane !== undefined; lane = parked.shift()) {
      lane.isReady = false;
      if (this.#makeReady(lane)) return;
    }
  }

  /** Queues the lane if it has something to send; whether it does. */
  #makeReady(lane: Lane): boolean {
    if (lane.isReady) return true;
    if (lane.queue.length === 0 || lane.inFlight >= lane.window) return false;
    lane.isReady = true;
    (lane.window === 1 ? this.#ready.inDoubt : this.#ready.proven).push(lane);
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
      isTroubled: false,
    };
    this.#lanes.set(laneKey(host), lane);
    return lane;
  }

  /** Counts what is about to be claimed for receivers in doubt: beyond half of what may be held, accounts have their share. */
  #budget(): { readonly takes: (account: Account, size: number) => boolean } {
    const { heldMax, perAccountInDoubtMax } = this.#settings;
    const planned = new Map<Account, number>();
    let held = this.#held;
    return {
      takes: (account, size) => {
        const ofAccount = planned.get(account) ?? account.heldInDoubt;
        if (held >= heldMax / 2 && ofAccount >= perAccountInDoubtMax) return false;
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
      inFlightInDoubt: 0,
      heldInDoubt: 0,
      parked: { proven: [], inDoubt: [] },
    };
    this.#accounts.set(id, account);
    return account;
  }
}

/** A receiver of an account, as one text. */
export function laneKey(host: HostKey): string {
  return `${host.accountId} ${host.host}`;
}
