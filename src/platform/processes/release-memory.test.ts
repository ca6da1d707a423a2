import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { decideRelease, type MemoryCheck, releaseMemory } from "./release-memory.ts";

describe("decideRelease", () => {
  /* Two checks a second apart, and what the heap and the processor did until then. */
  const mib = 1024 * 1024;
  const at = (seconds: number, processorMs: number, heapMib: number): MemoryCheck => ({
    atMs: seconds * 1_000,
    processorMs,
    heapBytes: heapMib * mib,
  });

  it.each<[string, boolean, MemoryCheck, MemoryCheck, MemoryCheck | null]>([
    ["quiet for the first time", true, at(1, 900, 100), at(2, 910, 100), null],
    ["busy after the start", false, at(1, 900, 100), at(2, 1_500, 100), null],
    [
      "quiet, grown, and long after the last time",
      true,
      at(90, 0, 80),
      at(91, 9, 80),
      at(5, 0, 40),
    ],
    [
      "busy, grown, and long after the last time",
      false,
      at(90, 0, 80),
      at(91, 150, 80),
      at(5, 0, 40),
    ],
    [
      "quiet and grown, but soon after the last time",
      false,
      at(50, 0, 80),
      at(51, 9, 80),
      at(5, 0, 40),
    ],
    ["quiet, but hardly grown", false, at(90, 0, 50), at(91, 9, 50), at(5, 0, 40)],
  ])("%s: %s", (_, expected, before, now, last) => {
    expect(decideRelease(before, now, last)).toBe(expected);
  });
});

describe("releaseMemory", () => {
  it("shrinks a heap whose young generation a burst of work has made large", async () => {
    const program = `
    import { getHeapStatistics } from "node:v8";
    import { ${releaseMemory.name} } from ${JSON.stringify(join(import.meta.dirname, "release-memory.ts"))};
    let kept = [];
    for (let round = 0; round < 40; round += 1) {
      kept = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    }
    kept = [];
    const before = getHeapStatistics().total_heap_size;
    ${releaseMemory.name}();
    const after = getHeapStatistics().total_heap_size;
    process.stdout.write(JSON.stringify({ before, after, isExposed: typeof gc }));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--input-type=module-typescript",
      "-e",
      program,
    ]);
    const { before, after, isExposed } = JSON.parse(stdout) as Record<string, number | string>;
    expect(Number(after)).toBeLessThan(Number(before) / 2);
    expect(isExposed).toBe("undefined");
  });
});
