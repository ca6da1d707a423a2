import type { ClaimedCallback } from "../../src/callbacks/deliver/dispatch.store.ts";
import {
  defaultLaneSettings,
  HostLanes,
  type LaneItem,
} from "../../src/callbacks/deliver/host-lanes.ts";
import { instantFromSeconds } from "../../src/platform/kernel/clock.ts";

/* Callbacks and answers for tests of the lanes in which callbacks wait for their receivers. Receivers are of account 7 by default. */

let nextId = 1;

/** A callback to that receiver, with an id of its own. */
export function callbackTo(host: string, accountId = "7"): ClaimedCallback {
  nextId += 1;
  return {
    accountId,
    host,
    id: String(nextId),
    url: `https://${host}/`,
    webhookId: `msg_${nextId}`,
    credentialId: "4",
    endpointId: null,
    objectType: "deposit",
    objectId: "1",
    attempts: 0,
    scheduleBase: 0,
    payload: { data: {}, included: [] },
    claimedUntil: instantFromSeconds(1_800_000_000),
  };
}

/** A receiver with due callbacks. */
export const dueAt = (host: string, consecutiveFailures = 0, accountId = "7") => ({
  accountId,
  host,
  consecutiveFailures,
});

/** Lanes with other settings than the service's. */
export const lanesWith = (settings: Partial<typeof defaultLaneSettings> = {}) =>
  new HostLanes({ ...defaultLaneSettings, ...settings });

/** Queues `count` callbacks in the receiver's lane as a claim that found as many as it asked for. */
export function claimFor(lanes: HostLanes, host: string, count: number, accountId = "7"): void {
  const claimed = Array.from({ length: count }, () => callbackTo(host, accountId));
  lanes.accept([{ accountId, host, size: count }], claimed);
}

/** Sends all callbacks that may be sent now. */
export function takeAll(lanes: HostLanes): LaneItem[] {
  const items: LaneItem[] = [];
  for (let item = lanes.takeNext(); item !== null; item = lanes.takeNext()) items.push(item);
  return items;
}

/** Lets the receiver, which has nothing queued, answer 200 that many times, after each of which one more may be in flight. */
export function prove(
  lanes: HostLanes,
  host: string,
  times: number,
  { answer = slow, accountId = "7" } = {},
): void {
  for (let count = 0; count < times; count += 1) {
    lanes.enqueue(callbackTo(host, accountId), false);
    for (const item of takeAll(lanes)) lanes.finish(item, answer);
  }
}

export const hostsOf = (items: readonly LaneItem[]) => items.map((item) => item.callback.host);
export const fast = { delivered: true, durationMs: 5 };
export const slow = { delivered: true, durationMs: 5_000 };
export const failed = { delivered: false, durationMs: 5 };
