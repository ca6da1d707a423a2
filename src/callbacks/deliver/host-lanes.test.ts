import { describe, expect, it } from "vitest";
import {
  callbackTo,
  dueAt,
  failed,
  fast,
  hostsOf,
  lanesWith,
  prove,
  slow,
  takeAll,
} from "../../../test/support/callback-lanes.ts";
import type { HostLanes, LaneItem } from "./host-lanes.ts";

/** Queues `count` callbacks in each lane, as a claim would. */
function fill(lanes: HostLanes, hosts: readonly string[], count: number): void {
  lanes.refresh(hosts.map((host) => dueAt(host)));
  const demanded = hosts.map((host) => ({ accountId: "7", host, size: count }));
  const claimed = hosts.flatMap((host) => Array.from({ length: count }, () => callbackTo(host)));
  lanes.accept(demanded, claimed);
}

describe("host lanes", () => {
  it("send one delivery at a time to a receiver until it succeeds, then up to five", () => {
    const lanes = lanesWith();
    fill(lanes, ["a"], 50);
    const sizes: number[] = [];
    let underWay = takeAll(lanes);
    for (let round = 0; round < 5; round += 1) {
      sizes.push(underWay.length);
      for (const item of underWay) lanes.finish(item, fast);
      underWay = takeAll(lanes);
    }
    expect(sizes).toEqual([1, 2, 4, 5, 5]);
    lanes.finish(underWay[0]!, failed);
    for (const item of underWay.slice(1)) lanes.finish(item, failed);
    expect(takeAll(lanes)).toHaveLength(1);
  });

  it("take turns between receivers, whatever the backlog of one", () => {
    const lanes = lanesWith();
    fill(lanes, ["big"], 100);
    const first = takeAll(lanes);
    for (const item of first) lanes.finish(item, fast);
    fill(lanes, ["small", "other"], 1);
    expect(hostsOf(takeAll(lanes)).toSorted()).toEqual(["big", "big", "other", "small"]);
  });

  it("take turns in the order in which callbacks arrived, whether one or several are allowed at once", () => {
    const lanes = lanesWith();
    for (const host of ["a", "b"]) prove(lanes, host, 2);
    for (const host of ["a", "a", "a", "b"]) lanes.enqueue(callbackTo(host), false);
    expect(hostsOf(takeAll(lanes))).toEqual(["a", "b", "a", "a"]);
  });

  it("alternate between proven and unproven receivers", () => {
    const lanes = lanesWith();
    prove(lanes, "good", 2);
    for (const host of ["good", "good", "new1", "new2"]) lanes.enqueue(callbackTo(host), false);
    const taken = hostsOf(takeAll(lanes));
    expect(taken.slice(0, 2).toSorted()).toEqual(["good", "new1"]);
    expect(taken.slice(2).toSorted()).toEqual(["good", "new2"]);
  });

  it("send no more to a receiver that fails than one delivery at a time, at once", () => {
    const lanes = lanesWith();
    prove(lanes, "a", 2);
    for (let count = 0; count < 4; count += 1) lanes.enqueue(callbackTo("a"), false);
    const [first, second] = [lanes.takeNext(), lanes.takeNext()];
    lanes.finish(first!, failed);
    expect(lanes.takeNext()).toBeNull();
    lanes.finish(second!, failed);
    expect(takeAll(lanes)).toHaveLength(1);
  });

  it("conclude nothing about a receiver from a callback that was not sent", () => {
    const lanes = lanesWith();
    prove(lanes, "a", 1);
    lanes.clearFailures(dueAt("a"));
    for (let count = 0; count < 3; count += 1) lanes.enqueue(callbackTo("a"), false);
    lanes.clearFailures(dueAt("a"));
    const [first] = takeAll(lanes);
    lanes.finish(first!, null);
    expect(first!.lane.hasFailures).toBe(false);
    expect(takeAll(lanes)).toHaveLength(1);
  });

  it("release everything that waits when the process stops, probes too, and nothing that is in flight", () => {
    const lanes = lanesWith();
    fill(lanes, ["a"], 2);
    lanes.enqueue(callbackTo("b"), true);
    const taken = hostsOf([lanes.takeNext()!]);
    const released = lanes.dropAll().map(({ host }) => host);
    expect([...taken, ...released].toSorted()).toEqual(["a", "a", "b"]);
    expect(takeAll(lanes)).toEqual([]);
    expect(lanes.hasDemand()).toBe(false);
  });

  it("are separate for two accounts with the same receiver", () => {
    const lanes = lanesWith();
    lanes.enqueue(callbackTo("a", "7"), false);
    lanes.enqueue(callbackTo("a", "8"), false);
    expect(takeAll(lanes).map((item) => item.callback.accountId)).toEqual(["7", "8"]);
  });

  it("give unproven receivers at most three quarters of the process's capacity", () => {
    const lanes = lanesWith({ inFlightMax: 8 });
    fill(lanes, ["good"], 20);
    for (const item of takeAll(lanes)) lanes.finish(item, fast);
    for (const item of takeAll(lanes)) lanes.finish(item, fast);
    const silent = Array.from({ length: 30 }, (_, index) => `silent${index}`);
    fill(lanes, silent, 1);
    const taken = hostsOf(takeAll(lanes));
    expect(taken).toHaveLength(8);
    expect(taken.filter((host) => host !== "good")).toHaveLength(4);

    const onlySilent = lanesWith({ inFlightMax: 8 });
    fill(onlySilent, silent, 1);
    expect(takeAll(onlySilent)).toHaveLength(6);
  });

  it("claim more ahead for a receiver that answers fast", () => {
    const claimedFor = (answer: typeof fast): number | undefined => {
      const lanes = lanesWith();
      fill(lanes, ["a"], 1);
      for (const item of takeAll(lanes)) lanes.finish(item, answer);
      lanes.refresh([dueAt("a")]);
      return lanes.demand(500)[0]?.size;
    };
    expect(claimedFor(fast)).toBe(200);
    expect(claimedFor({ ...fast, durationMs: 250 })).toBe(200);
    expect(claimedFor({ ...fast, durationMs: 251 })).toBe(2);
    expect(claimedFor(slow)).toBe(2);
    expect(claimedFor(failed)).toBe(1);
  });

  it("stop claiming for a receiver that returned fewer callbacks than requested, until the next scan", () => {
    const lanes = lanesWith();
    lanes.refresh([dueAt("a")]);
    const demanded = lanes.demand(500);
    expect(demanded).toEqual([{ accountId: "7", host: "a", size: 1 }]);
    lanes.accept(demanded, []);
    expect(lanes.hasDemand()).toBe(false);
    lanes.refresh([dueAt("a")]);
    expect(lanes.hasDemand()).toBe(true);
  });

  it("claim first for the receiver whose last claim is oldest", () => {
    const lanes = lanesWith();
    lanes.refresh([dueAt("a"), dueAt("b"), dueAt("c")]);
    const first = lanes.demand(2);
    expect(first.map((lane) => lane.host)).toEqual(["a", "b"]);
    lanes.accept(first, [callbackTo("a"), callbackTo("b")]);
    expect(lanes.demand(1).map((lane) => lane.host)).toEqual(["c"]);
  });

  it("hold at most the configured number of callbacks", () => {
    const lanes = lanesWith({ heldMax: 10 });
    fill(lanes, ["a", "b"], 3);
    const items = takeAll(lanes);
    for (const item of items) lanes.finish(item, fast);
    lanes.refresh([dueAt("a"), dueAt("b")]);
    const sizes = lanes.demand(500).map((lane) => lane.size);
    expect(sizes).toEqual([6]);
    expect(lanes.drop(dueAt("a"))).toHaveLength(2);
    lanes.refresh([dueAt("a"), dueAt("b")]);
    expect(lanes.demand(500).map((lane) => lane.size)).toEqual([8]);
  });

  it("release queued callbacks of a dropped receiver and still count those in flight", () => {
    const lanes = lanesWith();
    fill(lanes, ["a"], 4);
    const [underWay] = takeAll(lanes);
    expect(lanes.drop(dueAt("a"))).toHaveLength(3);
    expect(takeAll(lanes)).toEqual([]);
    lanes.finish(underWay!, fast);
    lanes.enqueue(callbackTo("a"), true);
    expect(takeAll(lanes)).toMatchObject([{ isProbe: true, isUnproven: false }]);
  });

  it("claim nothing for a dropped receiver until the next scan, and continue with the others", () => {
    const lanes = lanesWith();
    fill(lanes, ["a", "b"], 1);
    expect(lanes.drop(dueAt("a"))).toHaveLength(1);
    expect(lanes.demand(1)).toEqual([]);
    expect(hostsOf(takeAll(lanes))).toEqual(["b"]);
    lanes.refresh([dueAt("a")]);
    expect(lanes.demand(1)).toMatchObject([{ host: "a" }]);
  });

  it("remember failures of a receiver until its breaker is reset", () => {
    const lanes = lanesWith();
    lanes.refresh([dueAt("a", 3)]);
    lanes.accept(lanes.demand(1), [callbackTo("a")]);
    const [item] = takeAll(lanes);
    expect(item!.lane.hasFailures).toBe(true);
    lanes.clearFailures(dueAt("a"));
    expect(item!.lane.hasFailures).toBe(false);
    lanes.finish(item!, failed);
    expect(item!.lane.hasFailures).toBe(true);

    lanes.refresh([dueAt("b", 0)]);
    lanes.accept(lanes.demand(1), [callbackTo("b")]);
    const [other] = takeAll(lanes);
    expect(other!.lane.hasFailures).toBe(false);
    // Its breaker may be open: a manual resend does not look at it.
    lanes.enqueue(callbackTo("b"), false);
    expect(other!.lane.hasFailures).toBe(true);
  });

  /** Takes one callback for each of `count` silent receivers of account 8, and one for a receiver of account 7. */
  function tarpit(lanes: HostLanes, count: number): LaneItem[] {
    const hosts = Array.from({ length: count }, (_, index) => ({
      accountId: "8",
      host: `tar${index}`,
      consecutiveFailures: 0,
    }));
    lanes.refresh([...hosts, dueAt("honest")]);
    for (let demanded = lanes.demand(1_000); demanded.length > 0; demanded = lanes.demand(1_000)) {
      lanes.accept(
        demanded,
        demanded.map(({ host, accountId }) => callbackTo(host, accountId)),
      );
    }
    return takeAll(lanes);
  }

  it("keep an account with thousands of silent receivers from delaying other accounts' first delivery", () => {
    const lanes = lanesWith();
    const taken = tarpit(lanes, 3_000);
    expect(hostsOf(taken)).toContain("honest");
    const stuck = taken.filter(({ lane }) => lane.accountId === "8");
    // Half of what unproven receivers may use, because no other account wants it.
    expect(stuck).toHaveLength(384);
    lanes.refresh([{ accountId: "8", host: "tar2999", consecutiveFailures: 0 }, dueAt("honest2")]);
    expect(lanes.demand(500).map((lane) => lane.host)).toEqual(["honest2"]);
    lanes.accept([{ ...dueAt("honest2"), size: 1 }], [callbackTo("honest2")]);
    expect(hostsOf(takeAll(lanes))).toEqual(["honest2"]);
  });

  it("probe one account's dead receivers in turns, leaving room for other accounts", () => {
    const lanes = lanesWith();
    const halfOpen = [
      ...Array.from({ length: 5_000 }, (_, index) => ({ accountId: "8", host: `d${index}` })),
      dueAt("a"),
    ];
    const admitted = lanes.admit(halfOpen);
    expect(admitted).toHaveLength(2_001);
    expect(admitted.at(-1)?.host).toBe("a");
    for (const { host, accountId } of admitted) lanes.enqueue(callbackTo(host, accountId), true);
    expect(lanes.admit(halfOpen).map(({ host }) => host)).toEqual(["a"]);
  });

  it("eventually send everything, whatever an account's share", () => {
    const lanes = lanesWith({ inFlightMax: 4, perAccountMax: 3, perAccountUnprovenMax: 2 });
    for (let index = 0; index < 20; index += 1) lanes.enqueue(callbackTo(`a${index % 7}`), false);
    let sent = 0;
    let mostUnproven = 0;
    for (let items = takeAll(lanes); items.length > 0; items = takeAll(lanes)) {
      expect(items.length).toBeLessThanOrEqual(3);
      mostUnproven = Math.max(mostUnproven, items.filter((item) => item.isUnproven).length);
      const [first, ...others] = items;
      for (const item of others.toReversed()) lanes.finish(item, fast);
      if (sent % 3 === 0) lanes.finish(first!, failed);
      else lanes.finish(first!, fast);
      sent += items.length;
    }
    expect(sent).toBe(20);
    expect(mostUnproven).toBe(2);
  });

  it("continue with other parked lanes when a parked lane lost its callbacks", () => {
    const lanes = lanesWith({ inFlightMax: 2, perAccountUnprovenMax: 1 });
    for (const host of ["a", "b", "c"]) lanes.enqueue(callbackTo(host), false);
    const [underWay] = takeAll(lanes);
    expect(underWay!.callback.host).toBe("a");
    expect(lanes.drop(dueAt("b"))).toHaveLength(1);
    lanes.finish(underWay!, fast);
    expect(hostsOf(takeAll(lanes))).toEqual(["c"]);
  });
});
