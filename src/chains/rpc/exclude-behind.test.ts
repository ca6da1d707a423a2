import { describe, expect, it } from "vitest";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { excludeBehind } from "./exclude-behind.ts";
import { createFailover } from "./failover.ts";

/* Nodes at different heights behind one client: which of them answers. */

const { signal } = new AbortController();

function nodesAt(...heights: readonly number[]) {
  const nodes = heights.map((height, at) => ({
    name: `node ${at}`,
    height,
    close: () => Promise.resolve(),
  }));
  type Node = (typeof nodes)[number];
  const failover = createFailover<Node>(nodes, {
    chain: "XRP",
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    verify: null,
  });
  const { consult, excludeBehind: exclude } = excludeBehind<Node>(
    (work, aborted) => failover.run(work, { signal: aborted, node: undefined, attempts: 2 }),
    ({ height }) => Promise.resolve(height),
  );
  return { exclude, answering: () => consult(({ name }) => Promise.resolve(name), signal) };
}

describe("a client that excludes nodes behind a height", () => {
  it("asks the preferred node while no height is known, or if it has reached it", async () => {
    const { exclude, answering } = nodesAt(7, 9);
    expect(await answering()).toBe("node 0");
    exclude(7);
    expect(await answering()).toBe("node 0");
  });

  it("asks another node if the preferred one is behind", async () => {
    const { exclude, answering } = nodesAt(7, 9);
    exclude(8);
    expect(await answering()).toBe("node 1");
  });

  it("is unavailable if all are behind, also after a lower height", async () => {
    const { exclude, answering } = nodesAt(7, 9);
    exclude(10);
    exclude(8);
    await expect(answering()).rejects.toThrow(Unavailable);
    await expect(answering()).rejects.toThrow(/is at block \d, before 10/);
  });
});
