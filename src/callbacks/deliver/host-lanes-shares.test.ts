import { describe, expect, it } from "vitest";
import {
  callbackTo,
  claimFor,
  dueAt,
  failed,
  fast,
  hostsOf,
  lanesWith,
  prove,
  slow,
  takeAll,
} from "../../../test/support/callback-lanes.ts";
import type { HostLanes } from "./host-lanes.ts";

/* How many callbacks are claimed for a receiver, and what each account may use of the process. */

const demanded = (lanes: HostLanes) => lanes.demand(100).map(({ host, size }) => `${host} ${size}`);

describe("claims", () => {
  it.each([
    [4, ["a 6"]],
    [5, ["a 5"]],
    [6, []],
    [9, []],
  ])(
    "fill up what a fast receiver may have ahead once half is sent: of 10, with %d left",
    (held, expected) => {
      for (const inFlight of [0, 2]) {
        const lanes = lanesWith({ claimAhead: 10 });
        prove(lanes, "a", 1, { answer: fast });
        claimFor(lanes, "a", held);
        const taken = inFlight === 0 ? [] : takeAll(lanes);
        expect(taken).toHaveLength(inFlight);
        expect(demanded(lanes)).toEqual(expected);
      }
    },
  );

  it("continue for a receiver whose last claim was filled, after those that have waited longer", () => {
    const lanes = lanesWith();
    lanes.refresh([dueAt("a"), dueAt("b")]);
    for (const host of ["a", "b", "a"]) {
      const next = lanes.demand(1);
      expect(next).toMatchObject([{ host }]);
      lanes.accept(next, [callbackTo(host)]);
      for (const item of takeAll(lanes)) lanes.finish(item, slow);
    }
    expect(demanded(lanes)).toEqual(["b 2", "a 3"]);
  });

  it("are only for receivers that the last scan found", () => {
    const lanes = lanesWith();
    prove(lanes, "resent manually", 1);
    expect(lanes.hasDemand()).toBe(false);
    lanes.refresh([dueAt("a")]);
    lanes.refresh([dueAt("b")]);
    expect(demanded(lanes)).toEqual(["b 1"]);
  });

  it("stop when as many are held as allowed, or more because of probes", () => {
    for (const probes of [3, 4]) {
      const lanes = lanesWith({ heldMax: 3 });
      for (let count = 0; count < probes; count += 1) lanes.enqueue(callbackTo("a"), true);
      lanes.refresh([dueAt("b"), dueAt("c")]);
      expect(demanded(lanes)).toEqual([]);
      expect(lanes.demandResent([dueAt("d")], 100)).toEqual([]);
    }
  });

  it("of what was resent are as large as others, for receivers that the scan did not find too", () => {
    const lanes = lanesWith({ claimAhead: 10 });
    prove(lanes, "fast", 1, { answer: fast });
    prove(lanes, "slow", 2);
    claimFor(lanes, "full", 1);
    const resent = ["fast", "slow", "full", "paused"].map((host) => dueAt(host));
    const sizes = (limit: number) =>
      lanes.demandResent(resent, limit).map(({ host, size }) => `${host} ${size}`);
    expect(sizes(100)).toEqual(["fast 10", "slow 3", "paused 1"]);
    expect(sizes(12)).toEqual(["fast 10", "slow 2"]);
    expect(lanes.hasDemand()).toBe(false);
  });
});

describe("a receiver", () => {
  const isUnproven = (lanes: HostLanes) => {
    lanes.enqueue(callbackTo("a"), false);
    return lanes.takeNext()?.isUnproven;
  };

  it("is forgotten once it has nothing due, queued or in flight", () => {
    const lanes = lanesWith();
    prove(lanes, "a", 1);
    lanes.refresh([dueAt("a")]);
    expect(isUnproven(lanes)).toBe(false);
    const idle = lanesWith();
    prove(idle, "a", 1);
    idle.refresh([]);
    expect(isUnproven(idle)).toBe(true);
  });

  it("is remembered while a callback to it is queued or in flight", () => {
    const lanes = lanesWith();
    prove(lanes, "a", 1);
    lanes.enqueue(callbackTo("a"), false);
    lanes.refresh([]);
    const item = lanes.takeNext();
    expect(item?.isUnproven).toBe(false);
    lanes.refresh([]);
    lanes.finish(item!, fast);
    expect(isUnproven(lanes)).toBe(false);

    lanes.enqueue(callbackTo("a"), false);
    lanes.refresh([]);
    expect(lanes.drop(dueAt("a"))).toHaveLength(1);
  });
});

describe("once half of what the process may hold is used", () => {
  const names = (from: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${from}${index}`);
  const settings = { heldMax: 10, perAccountUnprovenMax: 2 };

  it("an account gets only its share for unproven receivers, and asks for more after the next scan", () => {
    const lanes = lanesWith(settings);
    prove(lanes, "good", 1, { accountId: "8" });
    lanes.refresh([
      ...names("silent", 20).map((host) => dueAt(host, 0, "8")),
      dueAt("good", 0, "8"),
      ...names("mine", 3).map((host) => dueAt(host)),
    ]);
    const first = lanes.demand(100);
    const claimed = [...names("silent", 5), "good", ...names("mine", 2)];
    expect(first.map(({ host }) => host).toSorted()).toEqual(claimed.toSorted());
    expect(first.find(({ host }) => host === "good")?.size).toBe(2);
    lanes.accept(
      first,
      first.flatMap(({ host, accountId, size }) =>
        Array.from({ length: size }, () => callbackTo(host, accountId)),
      ),
    );
    for (let items = takeAll(lanes); items.length > 0; items = takeAll(lanes))
      for (const item of items) lanes.finish(item, item.isUnproven ? failed : slow);
    const again = lanes.demand(100).map(({ host }) => host);
    expect(again.filter((host) => !claimed.includes(host))).toEqual([]);
    expect(again).toContain("silent0");
  });

  /** Account 8 holds half; account 7 gets what its share allows of the receivers a, b, c. */
  function fillHalf(before: (lanes: HostLanes) => void = () => undefined) {
    const lanes = lanesWith(settings);
    prove(lanes, "good", 1, { accountId: "8" });
    before(lanes);
    claimFor(lanes, "good", 5, "8");
    const scan = () => {
      lanes.refresh(["a", "b", "c"].map((host) => dueAt(host)));
      return lanes.demand(100).map(({ host }) => host);
    };
    expect(scan()).toEqual(["a", "b"]);
    for (const host of ["a", "b"]) claimFor(lanes, host, 1);
    expect(scan()).toEqual([]);
    return { lanes, scan };
  }

  it("a share is free again when callbacks are answered", () => {
    const { lanes, scan } = fillHalf();
    for (const item of takeAll(lanes)) if (item.isUnproven) lanes.finish(item, failed);
    expect(scan()).toHaveLength(2);
  });

  it("a share is free again when callbacks are dropped", () => {
    const { lanes, scan } = fillHalf();
    lanes.drop(dueAt("a"));
    expect(scan()).toHaveLength(1);
  });

  it("it limits what was resent, whatever the number of receivers", () => {
    const { lanes } = fillHalf();
    const resentBy = (accountId: string) =>
      names("paused", 9).map((host) => dueAt(host, 0, accountId));
    expect(lanes.demandResent(resentBy("7"), 100)).toEqual([]);
    expect(lanes.demandResent(resentBy("9"), 100)).toHaveLength(2);
    lanes.drop(dueAt("a"));
    expect(lanes.demandResent(resentBy("7"), 100)).toHaveLength(1);
  });

  it("callbacks to proven receivers use none of it", () => {
    const { lanes, scan } = fillHalf((filled) => {
      prove(filled, "proven", 1);
      claimFor(filled, "proven", 2);
    });
    lanes.drop(dueAt("proven"));
    expect(scan()).toEqual([]);
  });
});

describe("an account's deliveries in flight", () => {
  it("are counted together over scans", () => {
    const lanes = lanesWith({ perAccountMax: 2 });
    for (const host of ["a", "b"]) lanes.enqueue(callbackTo(host), false);
    const [first] = takeAll(lanes);
    lanes.refresh([]);
    lanes.enqueue(callbackTo("c"), false);
    expect(takeAll(lanes)).toEqual([]);
    lanes.finish(first!, failed);
    expect(hostsOf(takeAll(lanes))).toEqual(["c"]);
  });

  it("to unproven receivers make room for the next one when they end", () => {
    const lanes = lanesWith({ inFlightMax: 4, perAccountUnprovenMax: 1 });
    for (const host of ["x", "y"]) lanes.enqueue(callbackTo(host, "8"), false);
    lanes.enqueue(callbackTo("a"), false);
    const [, , mine] = takeAll(lanes);
    lanes.enqueue(callbackTo("b"), false);
    expect(takeAll(lanes)).toEqual([]);
    lanes.finish(mine!, failed);
    expect(hostsOf(takeAll(lanes))).toEqual(["b"]);
  });

  it("to unproven receivers keep no proven one waiting", () => {
    const lanes = lanesWith({ inFlightMax: 8, perAccountMax: 3, perAccountUnprovenMax: 1 });
    for (const host of ["good", "also good"]) prove(lanes, host, 2);
    for (const host of ["x", "y", "z"]) lanes.enqueue(callbackTo(host, "8"), false);
    takeAll(lanes);
    for (const host of ["new", "good", "good"]) lanes.enqueue(callbackTo(host), false);
    const mine = takeAll(lanes);
    expect(mine).toHaveLength(3);
    // The account's share is used up: both wait, the unproven one first.
    for (const host of ["newer", "also good"]) {
      lanes.enqueue(callbackTo(host), false);
      expect(lanes.takeNext()).toBeNull();
    }
    lanes.finish(mine.find(({ isUnproven }) => !isUnproven)!, slow);
    expect(hostsOf(takeAll(lanes))).toEqual(["also good"]);
  });

  it("leave a free place to the next waiting receiver if the first one has failed", () => {
    const lanes = lanesWith({ perAccountMax: 2 });
    for (const host of ["p", "r"]) prove(lanes, host, 2);
    for (let count = 0; count < 4; count += 1) lanes.enqueue(callbackTo("p"), false);
    const [first] = takeAll(lanes);
    lanes.enqueue(callbackTo("r"), false);
    expect(takeAll(lanes)).toEqual([]);
    lanes.finish(first!, failed);
    expect(hostsOf(takeAll(lanes))).toEqual(["r"]);
  });

  it("let waiting receivers take turns, whatever arrives for one of them in the meantime", () => {
    const lanes = lanesWith({ perAccountMax: 1 });
    for (const host of ["p", "s", "x"]) prove(lanes, host, 2);
    lanes.enqueue(callbackTo("x"), false);
    let [current] = takeAll(lanes);
    for (const host of ["p", "p", "s"]) {
      lanes.enqueue(callbackTo(host), false);
      expect(lanes.takeNext()).toBeNull();
    }
    const order: string[] = [];
    while (current !== undefined) {
      lanes.finish(current, slow);
      const next = takeAll(lanes);
      order.push(...hostsOf(next));
      [current] = next;
    }
    expect(order).toEqual(["p", "s", "p"]);
  });
});
