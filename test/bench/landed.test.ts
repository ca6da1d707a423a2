import { expect, test } from "vitest";
import { compareWithLanded, isWorse, mergeLanded, type SectionResult } from "./landed.ts";
import { boundFinding, countFinding, type Finding, rateFinding } from "./report.ts";

/** What a run of the bench makes of landed figures: which it compares, and what it calls a regression. */

function section(isLoaded: boolean, findings: readonly Finding[]): SectionResult {
  return { name: "reads", machine: "2 cores", isLoaded, findings, failure: null };
}

const rate = (product: number): Finding =>
  rateFinding("GET", "/s", { product, floor: 1_000 }, "pgbench", 0.6);
const spent = (product: number): Finding => ({
  ...countFinding("GET: processor time", { product, floor: 50 }, "us", "pgbench", null),
  basis: "processor",
});

test("a rate that lost more than a fifth of its ratio is a regression", () => {
  const landed = mergeLanded({}, [section(false, [rate(500)])]);
  const lostIn = (product: number): boolean => isWorse(landed, [section(false, [rate(product)])]);
  expect([lostIn(399), lostIn(401), lostIn(900)]).toEqual([true, false, false]);
});

test("on a loaded machine only processor times and counts are compared", () => {
  const landed = mergeLanded({}, [section(false, [rate(500), spent(100)])]);
  const loaded = section(true, [rate(50), spent(130)]);
  const [slow, costly] = compareWithLanded(landed, loaded);
  expect(slow).toMatchObject({ kept: null, isRegression: false });
  expect(costly).toMatchObject({ isRegression: true });
});

test("an elapsed time from a loaded machine is no basis for a comparison and replaces none from a quiet one", () => {
  const loaded = mergeLanded({}, [section(true, [rate(50)])]);
  expect(compareWithLanded(loaded, section(false, [rate(5)]))[0]?.kept).toBeNull();
  const quiet = mergeLanded(loaded, [section(false, [rate(500)])]);
  const later = mergeLanded(quiet, [section(true, [rate(50), spent(100)])]);
  expect(later["reads"]).toEqual({
    "GET | pgbench": { product: 500, ratio: 0.5, unit: "/s", isLoaded: false },
    "GET: processor time | pgbench": { product: 100, ratio: 2, unit: "us", isLoaded: true },
  });
});

test("more memory is a regression, and so is a section that failed", () => {
  const memory = (mib: number): Finding => boundFinding("memory", mib, "MiB", 120);
  const landed = mergeLanded({}, [section(true, [memory(100)])]);
  expect(isWorse(landed, [section(true, [memory(124)])])).toBe(false);
  expect(isWorse(landed, [section(true, [memory(126)])])).toBe(true);
  expect(isWorse(landed, [{ ...section(true, []), failure: "no node answers" }])).toBe(true);
});
