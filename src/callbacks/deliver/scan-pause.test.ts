import { describe, expect, it } from "vitest";
import { scanPauseMs } from "./dispatch-callbacks.ts";

describe("scanPauseMs", () => {
  it("limits scans to a fifth of the time, and the pause after a slow one to five seconds", () => {
    expect(scanPauseMs(0, 100)).toBe(90);
    expect(scanPauseMs(50, 100)).toBe(200);
    expect(scanPauseMs(30_000, 100)).toBe(5_000);
  });
});
