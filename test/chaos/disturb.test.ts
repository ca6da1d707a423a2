import { describe, expect, it } from "vitest";
import { chooseNetworkFault, type Edge } from "./disturb.ts";
import { seededChoices } from "./seeded-choices.ts";

/* Which connections the faults of many seeds disturb. */

const nodes = ["BTC", "ETH", "XRP"].map((chain) => `node of ${chain}`);
const ways: readonly (readonly [from: string, to: string])[] = [
  ...["worker-1", "worker-2"].flatMap((worker) =>
    [...nodes, "database", "signer-1", "signer-2"].map((to) => [worker, to] as const),
  ),
  ["signer-1", "signer-2"],
  ["signer-2", "signer-1"],
  ["signer-1", "witness"],
  ["signer-2", "witness"],
];
const edges: readonly Edge[] = ways.map(([from, to]) => ({
  from,
  to,
  disturb: () => () => undefined,
}));

const faults = Array.from({ length: 400 }, (_, seed) =>
  chooseNetworkFault(edges, seededChoices(seed + 1)),
);
const single = faults.filter(({ edges: hit }) => hit.length === 1);

describe("the faults of the network", () => {
  it("disturb every way, and the few between signers as often as the many to nodes", () => {
    expect(new Set(single.map(({ what }) => what.replace(/ \(.*/, "")))).toEqual(
      new Set(ways.map(([from, to]) => `${from} to ${to}`)),
    );
    const ofSigners = single.filter(({ what }) => /^signer-. to signer/.test(what)).length;
    const ofNodes = single.filter(({ what }) => what.includes("node")).length;
    expect(ofSigners).toBeGreaterThan(ofNodes / 2);
    expect(ofNodes).toBeGreaterThan(ofSigners / 2);
  });

  it("cut each process off from all others at times", () => {
    const isolated = faults.filter(({ edges: hit }) => hit.length > 1);
    const active = isolated.find(({ what }) => what.startsWith("signer-1 to and from all"));
    expect(active?.edges.map(({ from, to }) => `${from} to ${to}`)).toEqual([
      "worker-1 to signer-1",
      "worker-2 to signer-1",
      "signer-1 to signer-2",
      "signer-2 to signer-1",
      "signer-1 to witness",
    ]);
    expect(isolated.some(({ what }) => what.startsWith("worker-2"))).toBe(true);
    expect(new Set(faults.map(({ disturbance }) => disturbance.kind))).toEqual(
      new Set(["cut", "silent", "slow"]),
    );
  });
});
