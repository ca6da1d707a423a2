import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readMetrics } from "../support/read-metrics.ts";

/* The dashboard is not rendered: no Grafana can be installed from the registries of a test machine. */

type Panel = {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string }[];
};

const { panels } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../deploy/grafana/sluice.json"), "utf8"),
) as { readonly panels: readonly Panel[] };
const charts = panels.filter(({ type }) => type !== "row");

describe("the Grafana dashboard", () => {
  it("shows metrics that exist, in every panel", async () => {
    const metrics = await readMetrics();
    for (const { title, targets = [] } of charts) {
      expect([title, targets.length > 0]).toEqual([title, true]);
      for (const { expr } of targets)
        for (const [name] of expr.matchAll(/\b(?:sluice|process|nodejs)_\w+/g))
          expect([title, name, metrics.has(name.replace(/_(?:count|bucket)$/, ""))]).toEqual([
            title,
            name,
            true,
          ]);
    }
  });

  it("has panels with ids of their own, which do not overlap", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
